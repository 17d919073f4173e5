//! What a provider is asked for until it refuses that, such as a comparison of a request with the one before, so that the
//! provider says why it could not reuse its prompt cache.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt as _;
use throughline_completion::{AnswerDetail, CompletionEvent, CompletionRequest, EventStream, ModelError};
use throughline_conversation::SessionId;

/// Fields of a request that not every server takes. Once a server has refused them, a client does without.
#[derive(Debug)]
pub(crate) struct Refusable {
    /// Says whether this error is about the fields.
    is_about: fn(&ModelError) -> bool,
    refused: AtomicBool,
}

impl Refusable {
    /// Fields that are refused by errors of which `is_about` is true.
    pub(crate) fn new(is_about: fn(&ModelError) -> bool) -> Self {
        Self { is_about, refused: AtomicBool::new(false) }
    }

    /// Returns true if the server has not refused them.
    pub(crate) fn is_taken(&self) -> bool {
        !self.refused.load(Ordering::Relaxed)
    }

    /// Returns true, and does not ask again, if the server refused the fields.
    fn is_refused(&self, error: &ModelError) -> bool {
        let refused = self.is_taken() && (self.is_about)(error);
        if refused {
            tracing::debug!(%error, "the server refuses a field that not all take; asking without");
            self.refused.store(true, Ordering::Relaxed);
        }
        refused
    }
}

/// Returns true if the server refused some of the `asked` fields: the request is to be built again and sent without those.
/// An error may be about several at once, and is true once for each, so sending again comes to an end.
pub(crate) fn refuses_some(asked: &[&Refusable], sent: &Result<EventStream, ModelError>) -> bool {
    let Err(error) = sent else { return false };
    asked.iter().filter(|fields| fields.is_refused(error)).count() > 0
}

/// Returns true if a server found a fault in a request and names one of these words.
pub(crate) fn names(error: &ModelError, words: &[&str]) -> bool {
    matches!(error, ModelError::InvalidRequest { message } if words.iter().any(|word| message.contains(word)))
}

/// The newest complete answer of each session of a client, by the provider's name of it.
#[derive(Debug)]
pub(crate) struct Comparison {
    answers: Arc<Mutex<HashMap<SessionId, String>>>,
    /// The question.
    pub(crate) fields: Refusable,
}

impl Comparison {
    /// Nothing to compare with yet; `is_about` says which errors refuse the question.
    pub(crate) fn new(is_about: fn(&ModelError) -> bool) -> Self {
        Self { answers: Arc::default(), fields: Refusable::new(is_about) }
    }

    /// The answer that a request is compared with; the inner `None`: it is the first of its session. `None`: do not ask.
    pub(crate) fn asked(&self, request: &CompletionRequest) -> Option<Option<String>> {
        let session = request.session.as_ref().filter(|_| self.fields.is_taken())?;
        Some(self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(session).cloned())
    }

    /// Remembers the name of the answer once it is complete.
    pub(crate) fn follow(&self, request: &CompletionRequest, events: EventStream) -> EventStream {
        let Some(session) = request.session.clone() else { return events };
        let (answers, mut id) = (Arc::clone(&self.answers), None);
        let remember = move |event: &Result<CompletionEvent, ModelError>| match event {
            Ok(CompletionEvent::Detail(AnswerDetail::Id(name))) => id = Some(name.clone()),
            Ok(CompletionEvent::Finished(_)) => {
                if let Some(id) = id.take() {
                    answers.lock().unwrap_or_else(PoisonError::into_inner).insert(session.clone(), id);
                }
            }
            _ => {}
        };
        events.inspect(remember).boxed()
    }
}
