//! Operations with a key: repeated with the same key, they return the recorded outcome and change nothing.

use throughline_completion::Answer;
use throughline_conversation::Message;
use throughline_tools::ToolOutput;

use crate::answered::Answered;
use crate::engine::ContextEngine;
use crate::engine_error::{EngineError, OrderError};
use crate::outcomes::Outcome;
use crate::request_id::RequestId;

/// An operation of an engine that a worker may repeat, because it does not know whether the first try was done.
///
/// The engine remembers the newest 64 outcomes while it is open. An operation that failed is not remembered: it is tried
/// again. A request has its own key, its id; [`sync`](ContextEngine::sync) needs none.
#[derive(Debug)]
pub struct KeyedOperation<'e> {
    engine: &'e mut ContextEngine,
    key: String,
}

impl ContextEngine {
    /// The next operation has this key.
    #[must_use]
    pub fn keyed(&mut self, key: impl Into<String>) -> KeyedOperation<'_> {
        KeyedOperation { engine: self, key: key.into() }
    }
}

impl KeyedOperation<'_> {
    /// Begins a turn with a message of the user, once.
    ///
    /// # Errors
    /// As [`ContextEngine::user`]; [`EngineError::Key`] if the key was used for something else.
    pub async fn user(self, message: Message) -> Result<(), EngineError> {
        if self.engine.outcomes.find(&self.key, "user")?.is_some() {
            return Ok(());
        }
        self.engine.user(message).await?;
        self.engine.outcomes.note(&self.key, "user", Outcome::Accepted);
        Ok(())
    }

    /// Takes the answer to a request, once.
    ///
    /// # Errors
    /// As [`ContextEngine::answer`]; [`EngineError::Key`] if the key was used for something else.
    pub async fn answer(self, id: RequestId, answer: Answer) -> Result<Answered, EngineError> {
        if let Some(outcome) = self.engine.outcomes.find(&self.key, "answer")? {
            return outcome.answered().ok_or_else(|| OrderError::NoRequest.into());
        }
        let answered = self.engine.answer(id, answer).await?;
        self.engine.outcomes.note(&self.key, "answer", Outcome::Answered(answered.clone()));
        Ok(answered)
    }

    /// Takes the results of all calls, once.
    ///
    /// # Errors
    /// As [`ContextEngine::results`]; [`EngineError::Key`] if the key was used for something else.
    pub async fn results(
        self,
        results: impl IntoIterator<Item = (String, ToolOutput)>,
    ) -> Result<Answered, EngineError> {
        if let Some(outcome) = self.engine.outcomes.find(&self.key, "results")? {
            return outcome.answered().ok_or_else(|| OrderError::NoRequest.into());
        }
        let answered = self.engine.results(results).await?;
        self.engine.outcomes.note(&self.key, "results", Outcome::Answered(answered.clone()));
        Ok(answered)
    }
}
