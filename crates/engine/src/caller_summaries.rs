//! Summaries that the caller of the engine gets from a model of its own.
//!
//! A compaction that needs a summary asks here. What the caller has given is used, if it is for exactly these messages and
//! this prompt; otherwise the compaction is undone, and the engine returns the request. When the answer has come, the
//! compaction is made again and finds it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_compaction::{Prose, Summarizer, SummaryError, SummaryRequest};
use throughline_completion::{CompletionRequest, ModelInfo};
use throughline_conversation::Span;
use throughline_summarizer::{SummarizerSettings, text_request};

use crate::engine_error::OrderError;

/// A question to a model whose answer is no message of the session.
#[derive(Debug, Clone)]
pub struct SideRequest {
    /// Its number, for [`summary`](crate::ContextEngine::summary) and [`no_summary`](crate::ContextEngine::no_summary).
    pub id: u64,
    /// The question. Any model can be asked; the name of the model in it is that of the session.
    pub request: CompletionRequest,
}

/// What a summary is made of. Two questions that are equal have the same answer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SummaryKey {
    /// The messages and their tokens: an edit changes one or the other.
    entries: Vec<(Span, u64)>,
    prompt: String,
}

#[derive(Debug, Default)]
struct CallerState {
    last: u64,
    /// The caller can be asked now.
    may_ask: bool,
    /// A compaction continues after its summary has come.
    is_resumed: bool,
    /// The question that waits, with its key.
    open: Option<(SideRequest, SummaryKey)>,
    /// Answers that no compaction has used yet; `None`: the caller has none.
    given: Vec<(SummaryKey, Option<Prose>)>,
}

/// The port of compaction that asks the caller of the engine.
#[derive(Debug)]
pub(crate) struct CallerSummaries {
    info: ModelInfo,
    state: Mutex<CallerState>,
}

impl CallerSummaries {
    pub(crate) fn new(info: ModelInfo) -> Self {
        Self { info, state: Mutex::new(CallerState::default()) }
    }

    /// Runs of the engine from here on may ask the caller. `is_resumed`: one of them has asked already.
    pub(crate) fn begin(&self, is_resumed: bool) {
        let mut state = self.state();
        (state.may_ask, state.is_resumed) = (true, is_resumed);
    }

    /// The caller cannot be asked any more. Returns the question that waits.
    pub(crate) fn end(&self) -> Option<SideRequest> {
        let mut state = self.state();
        (state.may_ask, state.is_resumed) = (false, false);
        state.open.as_ref().map(|(request, _)| request.clone())
    }

    /// Returns true if a compaction waits for a summary.
    pub(crate) fn is_open(&self) -> bool {
        self.state().open.is_some()
    }

    /// Returns true if a compaction is made again because its summary has come.
    pub(crate) fn is_resumed(&self) -> bool {
        self.state().is_resumed
    }

    /// The number of the question that waits.
    pub(crate) fn open_id(&self) -> Option<u64> {
        self.state().open.as_ref().map(|(request, _)| request.id)
    }

    /// Takes the answer to the question that waits; `None`: the caller has no answer.
    pub(crate) fn give(&self, id: u64, prose: Option<Prose>) -> Result<(), OrderError> {
        let mut state = self.state();
        match state.open.take() {
            Some((open, key)) if open.id == id => {
                state.given.push((key, prose));
                Ok(())
            }
            open => {
                state.open = open;
                Err(OrderError::UnknownSummary(id))
            }
        }
    }

    /// Forgets answers that no compaction has used.
    pub(crate) fn forget(&self) {
        let mut state = self.state();
        state.open = None;
        state.given.clear();
    }

    /// Recovers a poisoned lock: no panic can leave an answer half written.
    fn state(&self) -> MutexGuard<'_, CallerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a summary is missing.
#[derive(Debug, thiserror::Error)]
enum MissingSummary {
    #[error("the caller has none")]
    Declined,
    #[error("the caller is asked for it")]
    Asked,
    #[error("the caller is asked for summaries by next_request alone")]
    NotAsked,
}

#[async_trait]
impl Summarizer for CallerSummaries {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        let entries = request.entries.iter().map(|entry| (entry.span, entry.tokens)).collect();
        let key = SummaryKey { entries, prompt: request.prompt.to_owned() };
        let mut state = self.state();
        if let Some((_, given)) = state.given.iter().find(|(of, _)| *of == key) {
            return given.clone().ok_or_else(|| SummaryError::Other(MissingSummary::Declined.into()));
        }
        if !state.may_ask {
            return Err(SummaryError::Other(MissingSummary::NotAsked.into()));
        }
        if state.open.is_none() {
            state.last += 1;
            let request = text_request(request, &self.info, &SummarizerSettings::default());
            state.open = Some((SideRequest { id: state.last, request }, key));
        }
        Err(SummaryError::Other(MissingSummary::Asked.into()))
    }
}
