//! One open context.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use throughline_continuity::MessageLog;
use throughline_conversation::{DocumentName, Millis};
use throughline_engine::{
    Answer, Answered, CompactionProposal, ContextEngine, EngineError, Message, RequestId, ToolOutput,
};
use throughline_text::{error_chain, group_thousands};

use crate::error::{CallError, ErrorCode};
use crate::listed_items::ListedItems;
use crate::notice::{Notice, NoticeKind, Notices};
use crate::open::Open;
use crate::operation::Operation;
use crate::outcomes::{OperationKey, Outcomes};
use crate::storage::{ContextStorage, SessionGuard};
use crate::wire_form::BodyWriter;

/// An engine and what its operations keep between calls.
pub struct OpenContext {
    /// What it was opened with.
    pub(crate) opening: Open,
    /// When its session was created.
    pub(crate) created: Millis,
    /// An operation has used it since idle contexts were looked for.
    pub(crate) is_used: bool,
    pub(crate) engine: ContextEngine,
    pub(crate) writer: BodyWriter,
    pub(crate) log: Arc<dyn MessageLog>,
    pub(crate) notices: Arc<Notices>,
    /// The caller's list.
    pub(crate) items: ListedItems,
    /// The compaction that was previewed last.
    pub(crate) proposal: Option<CompactionProposal>,
    /// The key of the operation that runs, until the engine takes it.
    key: Option<OperationKey>,
    /// Outcomes of operations whose keys the engine does not take.
    outcomes: Outcomes,
    /// The storage of a session that has no request yet.
    pub(crate) unnamed: Option<Arc<dyn ContextStorage>>,
    guard: Option<Box<dyn SessionGuard>>,
}

impl std::fmt::Debug for OpenContext {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("OpenContext").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl OpenContext {
    pub(crate) fn new(
        opening: Open,
        created: Millis,
        engine: ContextEngine,
        writer: BodyWriter,
        log: Arc<dyn MessageLog>,
        notices: Arc<Notices>,
        guard: Option<Box<dyn SessionGuard>>,
    ) -> Self {
        Self {
            opening,
            created,
            is_used: true,
            engine,
            writer,
            log,
            notices,
            items: ListedItems::default(),
            proposal: None,
            key: None,
            outcomes: Outcomes::default(),
            unnamed: None,
            guard,
        }
    }

    /// Writes what is pending, and a snapshot.
    ///
    /// # Errors
    /// [`ErrorCode::Unsaved`]: records cannot be written; they stay in memory, and another call tries again.
    pub(crate) async fn save(&mut self) -> Result<(), CallError> {
        match self.engine.close().await {
            0 => Ok(()),
            records => Err(CallError::unsaved(self.engine.session(), records)),
        }
    }

    /// Lets other processes in. What is not written is lost.
    pub(crate) async fn release(self) {
        if let Some(guard) = self.guard {
            guard.release().await;
        }
    }

    /// What keeps other processes out.
    pub(crate) fn into_guard(self) -> Option<Box<dyn SessionGuard>> {
        self.guard
    }

    /// The error of a context whose session another process has taken over while records wait to be written. They can never be
    /// written then.
    pub(crate) async fn lost(&self) -> Option<CallError> {
        if self.engine.unwritten() == 0 {
            return None;
        }
        let why = self.guard.as_ref()?.lost().await?;
        Some(CallError::new(ErrorCode::Held, why))
    }

    /// Tells the storage the first request of a session that begins.
    pub(crate) async fn note_request(&mut self, request: &str) {
        let Some(storage) = self.unnamed.take() else { return };
        if let Err(error) = storage.name(self.engine.session(), request).await {
            let text = format!("the session has no title: {}", error_chain(&error));
            self.notices.add(Notice { kind: NoticeKind::Notice, text });
        }
    }

    /// What the operation with this key has returned, if it was done while the context is open. The engine knows the outcomes of
    /// the operations whose keys it takes.
    ///
    /// # Errors
    /// [`ErrorCode::KeyReused`].
    pub(crate) fn outcome<T: DeserializeOwned>(
        &self,
        key: &OperationKey,
        operation: &'static str,
    ) -> Result<Option<T>, CallError> {
        let text = &key.text;
        let used = self.outcomes.operation(text).or_else(|| self.engine.operation_of_key(text));
        let reused = |message: String, used: &str| {
            Err(CallError::new(ErrorCode::KeyReused, message).with("operation", used))
        };
        if let Some(used) = used.filter(|used| *used != operation) {
            return reused(format!("the key {text:?} was used for {used}, not for {operation}"), used);
        }
        if self.outcomes.has_other_input(key) {
            return reused(
                format!("the key {text:?} was used for {operation} with another input"),
                operation,
            );
        }
        Ok(self.outcomes.output(text))
    }

    /// Runs an operation. A key that the engine does not take is remembered here.
    pub(crate) async fn run<O: Operation>(
        &mut self,
        key: Option<&str>,
        input: O,
    ) -> Result<O::Output, CallError> {
        let key = key.map(|key| OperationKey::new(key, O::NAME, &input));
        if let Some(key) = &key
            && let Some(known) = self.outcome(key, O::NAME)?
        {
            return Ok(known);
        }
        self.key = key;
        let done = input.run(self).await;
        let key = self.key.take();
        let output = done.map_err(|error| self.with_state(error))?;
        if let Some(key) = key {
            self.note_outcome(key, O::NAME, &output);
        }
        Ok(output)
    }

    /// An error of what does not fit, with STATE if that takes a large part of the window.
    fn with_state(&self, mut error: CallError) -> CallError {
        let state = self.engine.view().documents().text(DocumentName::State);
        let (characters, window) = (state.chars().count(), self.engine.status().window.total);
        if error.code == ErrorCode::DoesNotFit && characters as u64 >= window / 2 {
            let characters = group_thousands(characters as u64);
            error.message += &format!(
                "; STATE alone has {characters} characters, and a shorter one can be set with `set_documents`"
            );
        }
        error
    }

    pub(crate) async fn user(&mut self, message: Message) -> Result<(), EngineError> {
        match self.key.take() {
            Some(key) => self.engine.keyed(key.text).of_input(key.input).user(message).await,
            None => self.engine.user(message).await,
        }
    }

    /// `operation`: the one that takes the answer.
    pub(crate) async fn answer(
        &mut self,
        operation: &'static str,
        request: u64,
        answer: Answer,
    ) -> Result<Answered, EngineError> {
        let id = RequestId(request);
        match self.key.take() {
            Some(key) => {
                let keyed = self.engine.keyed(key.text);
                keyed.named(operation).answer(id, answer).await
            }
            None => self.engine.answer(id, answer).await,
        }
    }

    pub(crate) async fn results(
        &mut self,
        results: impl IntoIterator<Item = (String, ToolOutput)>,
    ) -> Result<Answered, EngineError> {
        match self.key.take() {
            Some(key) => self.engine.keyed(key.text).of_input(key.input).results(results).await,
            None => self.engine.results(results).await,
        }
    }

    /// Remembers what an operation with a key has returned.
    pub(crate) fn note_outcome(
        &mut self,
        key: OperationKey,
        operation: &'static str,
        output: &impl Serialize,
    ) {
        self.outcomes.note(key, operation, output);
    }
}
