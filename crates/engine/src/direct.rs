//! The operations for the owner of a loop, without a sink and a flag: a turn begins and ends by itself, and events go where
//! the builder said.

use std::sync::Arc;

use throughline_compaction::CompactResult;
use throughline_completion::{Answer, ModelError};
use throughline_conversation::{DocumentName, Message, ModelUse, Seq, ToolCall, ToolResult};
use throughline_groups::{Change, PinTarget};
use throughline_tools::{CancelFlag, ToolOutput};

use crate::answered::Answered;
use crate::answering::Refused;
use crate::asking::Next;
use crate::compact_error::CompactError;
use crate::engine::ContextEngine;
use crate::engine_error::{EngineError, OrderError};
use crate::error::TurnError;
use crate::event::{CANCELLED, EventSink};
use crate::input;
use crate::operation::Operation;
use crate::proposal::CompactionProposal;
use crate::request_id::RequestId;
use crate::session_change::{ChangeError, Changed};
use crate::sync::Synced;

/// Runs an operation that reports to the sink of the builder.
macro_rules! direct {
    ($engine:ident, $operation:ident => $work:expr) => {{
        let (events, cancel): (Arc<dyn EventSink>, _) = (Arc::clone(&$engine.events), CancelFlag::new());
        let mut $operation = $engine.operation(events.as_ref(), &cancel);
        $work
    }};
}

impl ContextEngine {
    /// Begins a turn with a message of the user.
    ///
    /// # Errors
    /// [`TurnError::DoesNotFit`] if the message can never fit; it is refused before it is in the log. [`TurnError::EmptyMessage`] if it
    /// says nothing; then nothing has changed.
    pub async fn user(&mut self, message: Message) -> Result<(), EngineError> {
        let message = input::accepted(&message)?;
        direct!(self, operation => {
            let begun = operation.user(message).await;
            operation.end_if_failed(begun).await
        })
    }

    /// Adds a message of the user to the turn that runs: behind the results of the calls, before the next request. Behind a turn that
    /// has ended it belongs to that one.
    ///
    /// # Errors
    /// [`OrderError`] if something is open; [`TurnError::DoesNotFit`] if the message can never fit,
    /// [`TurnError::EmptyMessage`] if it says nothing. It is not in the log then.
    pub async fn interject(&mut self, message: Message) -> Result<(), EngineError> {
        direct!(self, operation => operation.interject(message).await)
    }

    /// The request that the model answers next, or the question for a summary that it needs first. It counts as sent.
    ///
    /// # Errors
    /// [`OrderError`] if something is open; [`TurnError`] if the session cannot be made to fit. The turn has ended then.
    pub async fn next_request(&mut self) -> Result<Next, EngineError> {
        direct!(self, operation => match operation.next_request().await {
            Ok(Next::Request(prepared)) => {
                operation.report_sent(&prepared);
                Ok(Next::Request(prepared))
            }
            Err(EngineError::Turn(error)) => operation.end_if_failed(Err(error)).await,
            next => next,
        })
    }

    /// Takes the answer to a request: into the log, with its usage and its receipt. Directly after a session was opened again, this
    /// may be the request that an earlier process had sent: it is built again.
    ///
    /// # Errors
    /// [`OrderError`] if the request is not open.
    pub async fn answer(&mut self, id: RequestId, answer: Answer) -> Result<Answered, EngineError> {
        direct!(self, operation => {
            operation.restore_request(id).await;
            let answered = operation.answer(id, answer).await?;
            Ok(operation.end_if_finished(answered).await)
        })
    }

    /// Takes the results of all calls, by the ids of their calls. Large ones are stored, and shown in part with a reference.
    ///
    /// # Errors
    /// [`OrderError`] if a call is unknown or has no result. The results before it are taken.
    pub async fn results(
        &mut self,
        results: impl IntoIterator<Item = (String, ToolOutput)>,
    ) -> Result<Answered, EngineError> {
        direct!(self, operation => {
            let mut taken = Ok(());
            for (call_id, output) in results {
                taken = operation.take_result(&call_id, output).await;
                if taken.is_err() {
                    break;
                }
            }
            let answered = match taken {
                Ok(()) => operation.finish_results().await,
                Err(error) => Err(error),
            };
            if answered.is_err() {
                operation.record_settled().await;
            }
            Ok(operation.end_if_finished(answered?).await)
        })
    }

    /// The request got no answer. Compacts after an overflow, and leaves out pictures that the provider rejects.
    ///
    /// # Errors
    /// [`OrderError`] if the request is not open.
    pub async fn refused(&mut self, id: RequestId, error: ModelError) -> Result<Refused, EngineError> {
        direct!(self, operation => {
            let refused = operation.refused(id, error, false).await?;
            if let Refused::Final(error) = &refused {
                operation.end_turn(None, Some(error)).await;
                operation.report_turn_end(None, Some(error.kind()));
            }
            Ok(refused)
        })
    }

    /// The caller has stopped the request. `text` is what the model had written.
    ///
    /// # Errors
    /// [`OrderError`] if the request is not open.
    pub async fn cancelled(&mut self, id: RequestId, text: &str) -> Result<(), EngineError> {
        direct!(self, operation => {
            operation.cancelled(id, text)?;
            operation.note_stop();
            operation.end_turn(None, None).await;
            operation.report_turn_end(Some(CANCELLED), None);
            Ok(())
        })
    }

    /// Gives the summary that [`Next::Summarize`] asks for; see [`Operation::summary`].
    ///
    /// # Errors
    /// [`OrderError::UnknownSummary`] if it is not asked for.
    pub fn summary(
        &mut self,
        id: u64,
        text: impl Into<String>,
        used: Option<ModelUse>,
        model: impl Into<String>,
    ) -> Result<(), OrderError> {
        direct!(self, operation => operation.summary(id, text, used, model))
    }

    /// Declines a summary: it is extracted from the messages.
    ///
    /// # Errors
    /// [`OrderError::UnknownSummary`] if it is not asked for.
    pub fn no_summary(&mut self, id: u64) -> Result<(), OrderError> {
        direct!(self, operation => operation.no_summary(id))
    }

    /// Takes over the whole list of messages of a framework; see [`Operation::sync`].
    ///
    /// # Errors
    /// [`EngineError::Message`] if it is not a conversation; then nothing has changed.
    pub async fn sync(&mut self, messages: &[Message]) -> Result<Synced, EngineError> {
        direct!(self, operation => operation.sync(messages).await)
    }

    /// The same for a list whose first `known` messages are those of the list before; see [`Operation::sync_tail`].
    ///
    /// # Errors
    /// As [`sync`](Self::sync).
    pub async fn sync_tail(&mut self, known: usize, tail: &[Message]) -> Result<Synced, EngineError> {
        direct!(self, operation => operation.sync_tail(known, tail).await)
    }

    /// Stores the result of a call, if it is large, before the caller's list has it; see [`Operation::offload`].
    pub async fn offload(&mut self, call: &ToolCall, output: ToolOutput) -> ToolResult {
        direct!(self, operation => operation.offload(call, output).await)
    }

    /// Runs one of the engine's own tools, for callers that run every call themselves. `None`: the session has no such tool.
    pub async fn call(&mut self, name: &str, input: &serde_json::Value) -> Option<ToolOutput> {
        direct!(self, operation => operation.call(name, input).await)
    }

    /// Compacts now, with instructions for a summary by a model.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact(&mut self, instructions: Option<&str>) -> Result<CompactResult, CompactError> {
        direct!(self, operation => operation.compact(instructions).await)
    }

    /// Makes a compaction and does not apply it.
    ///
    /// # Errors
    /// [`CompactError`]; then there is nothing to apply.
    pub async fn preview(&mut self, instructions: Option<&str>) -> Result<CompactionProposal, CompactError> {
        direct!(self, operation => operation.preview(instructions).await)
    }

    /// Applies a compaction that was made before.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn apply(&mut self, proposal: CompactionProposal) -> Result<CompactResult, CompactError> {
        direct!(self, operation => operation.apply(proposal).await)
    }

    /// Changes what is shown: undo and redo of turns and compactions, dropped turns, the window of shown turns.
    ///
    /// # Errors
    /// [`ChangeError`]; then nothing has changed.
    pub async fn change(&mut self, change: Change) -> Result<Changed, ChangeError> {
        direct!(self, operation => operation.change(change).await)
    }

    /// Pins a target, or the span of text in it.
    ///
    /// # Errors
    /// [`ChangeError`]; then nothing has changed.
    pub async fn pin(&mut self, target: PinTarget, span: Option<&str>) -> Result<Changed, ChangeError> {
        direct!(self, operation => operation.pin(target, span).await)
    }

    /// Replaces STATE or the scratchpad on behalf of the user.
    pub async fn set_document(&mut self, name: DocumentName, text: &str) -> Seq {
        direct!(self, operation => operation.set_document(name, text).await)
    }

    pub(crate) async fn flush(&mut self) {
        direct!(self, operation => operation.flush().await);
    }

    /// Writes pending records and saves a snapshot, so that the next start is fast. Returns the number of records that could not be
    /// written: they are lost with the engine, and another call tries again.
    pub async fn close(&mut self) -> usize {
        direct!(self, operation => operation.close().await);
        self.unwritten()
    }

    /// Number of records that are not written yet.
    #[must_use]
    pub fn unwritten(&self) -> usize {
        self.state.session.unwritten()
    }
}

impl Operation<'_> {
    /// Ends the turn if the model has ended it.
    async fn end_if_finished(&mut self, answered: Answered) -> Answered {
        if let Answered::Finished { stop, .. } = &answered {
            self.end_turn(Some(stop), None).await;
            self.report_turn_end(Some(stop.name()), None);
        }
        answered
    }

    /// Ends the turn with this error, if it is one.
    async fn end_if_failed<T>(&mut self, done: Result<T, TurnError>) -> Result<T, EngineError> {
        if let Err(error) = &done {
            self.end_turn(None, Some(error)).await;
            self.report_turn_end(None, Some(error.kind()));
        }
        Ok(done?)
    }
}
