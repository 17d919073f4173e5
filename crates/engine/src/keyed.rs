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
/// The key is written to the log in the same transaction as what the operation has recorded. The newest 64 outcomes are
/// remembered, also by an engine that is opened again on the log. An operation that failed is not remembered: it is tried again.
/// A request has its own key, its id; [`sync`](ContextEngine::sync) needs none.
#[derive(Debug)]
pub struct KeyedOperation<'e> {
    engine: &'e mut ContextEngine,
    key: String,
    name: Option<&'static str>,
    input: Option<u64>,
}

impl ContextEngine {
    /// The next operation has this key.
    #[must_use]
    pub fn keyed(&mut self, key: impl Into<String>) -> KeyedOperation<'_> {
        KeyedOperation { engine: self, key: key.into(), name: None, input: None }
    }

    /// The operation that has used this key, by its name.
    #[must_use]
    pub fn operation_of_key(&self, key: &str) -> Option<&str> {
        self.state.session.keys().operation_of(key)
    }
}

impl KeyedOperation<'_> {
    /// The operation has this name for its caller. A key of one name cannot be used for another. Default: that of the method.
    #[must_use]
    pub fn named(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }

    /// Fingerprint of what the operation is given. A key of one input cannot be used for another. Default: inputs are not compared.
    #[must_use]
    pub fn of_input(mut self, fingerprint: Option<u64>) -> Self {
        self.input = fingerprint;
        self
    }

    /// Begins a turn with a message of the user, once.
    ///
    /// # Errors
    /// As [`ContextEngine::user`]; [`EngineError::Key`] or [`EngineError::KeyInput`] if the key was used for something else; [`EngineError::Unwritten`].
    pub async fn user(mut self, message: Message) -> Result<(), EngineError> {
        if self.begin("user").await?.is_none() {
            self.engine.user(message).await?;
        }
        self.check_written()
    }

    /// Takes the answer to a request, once.
    ///
    /// # Errors
    /// As [`ContextEngine::answer`]; [`EngineError::Key`] or [`EngineError::KeyInput`] if the key was used for something else; [`EngineError::Unwritten`].
    pub async fn answer(mut self, id: RequestId, answer: Answer) -> Result<Answered, EngineError> {
        let answered = match self.begin("answer").await? {
            Some(outcome) => outcome.answered().ok_or(OrderError::NoRequest)?,
            None => self.engine.answer(id, answer).await?,
        };
        self.check_written()?;
        Ok(answered)
    }

    /// Takes the results of all calls, once.
    ///
    /// # Errors
    /// As [`ContextEngine::results`]; [`EngineError::Key`] or [`EngineError::KeyInput`] if the key was used for something else; [`EngineError::Unwritten`].
    pub async fn results(
        mut self,
        results: impl IntoIterator<Item = (String, ToolOutput)>,
    ) -> Result<Answered, EngineError> {
        let answered = match self.begin("results").await? {
            Some(outcome) => outcome.answered().ok_or(OrderError::NoRequest)?,
            None => self.engine.results(results).await?,
        };
        self.check_written()?;
        Ok(answered)
    }

    /// Returns the outcome of an operation that was done. What of it is not written yet is written now.
    async fn begin(&mut self, method: &'static str) -> Result<Option<Outcome>, EngineError> {
        let name = self.name.unwrap_or(method);
        let mut known = self.engine.state.session.begin_keyed(&self.key, name, self.input)?;
        if known.is_some() {
            self.engine.flush().await;
        }
        if let Some(Outcome::Answered(Answered::Calls(calls))) = &mut known {
            let tools = &self.engine.state.tools;
            calls.iter_mut().for_each(|call| *call = tools.meant(call));
        }
        Ok(known)
    }

    /// Checks that the operation outlives the process: its caller takes it for done.
    fn check_written(&self) -> Result<(), EngineError> {
        match self.engine.state.session.unwritten() {
            0 => Ok(()),
            records => Err(EngineError::Unwritten { key: self.key.clone(), records }),
        }
    }
}

/// An operation that failed, or was dropped, has recorded nothing: its key is free.
impl Drop for KeyedOperation<'_> {
    fn drop(&mut self) {
        self.engine.state.session.end_keyed();
    }
}
