//! Requests are compared with the one before, so that the provider says why it could not reuse its prompt cache.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt as _;
use throughline_completion::{AnswerDetail, CompletionEvent, CompletionRequest, EventStream, ModelError};
use throughline_conversation::SessionId;

/// The newest complete answer of each session of a client, by the provider's name of it.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    answers: Arc<Mutex<HashMap<SessionId, String>>>,
    /// The server does not know the question.
    refused: AtomicBool,
}

impl Comparison {
    /// The answer that a request is compared with; the inner `None`: it is the first of its session. `None`: do not ask.
    pub(crate) fn asked(&self, request: &CompletionRequest) -> Option<Option<String>> {
        let session = request.session.as_ref().filter(|_| !self.refused.load(Ordering::Relaxed))?;
        Some(self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(session).cloned())
    }

    /// Returns true, and does not ask again, if the server refused a request since it does not know one of these fields.
    pub(crate) fn is_refused(&self, error: &ModelError, fields: &[&str]) -> bool {
        let ModelError::InvalidRequest { message } = error else { return false };
        let refused = fields.iter().any(|field| message.contains(field));
        if refused {
            tracing::debug!(%error, "the server does not explain cache misses; asking without");
            self.refused.store(true, Ordering::Relaxed);
        }
        refused
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
