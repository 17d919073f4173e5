//! What the caller hands back: an answer, a failure, a stop, and the results of calls.

use throughline_completion::{Answer, ModelError, StopReason};
use throughline_conversation::{Message, ModelUse, RecordBody, ToolCall, Usage};
use throughline_tools::ToolOutput;

use crate::answered::Answered;
use crate::engine_error::{EngineError, OrderError};
use crate::engine_tools;
use crate::error::TurnError;
use crate::event::Event;
use crate::open_work::{OpenCalls, SettledCall};
use crate::operation::Operation;
use crate::rebuild_attempts::RebuildAttempts;
use crate::recovery::{Failure, Recovery, recover};
use crate::request_id::RequestId;
use crate::session::is_impossible_report;
use crate::stage::Stage;
use crate::steps::{persist, record_answer, record_results, settle_call, sort_calls};
use crate::sync::PieceKind;

/// What follows a request that was not answered.
#[derive(Debug)]
pub enum Refused {
    /// The session has changed so that another request may pass: ask for it.
    Rebuilt,
    /// The request is not at fault. Another model may answer it; without one the turn ends with the error.
    OtherModel(ModelError),
    /// The turn ends.
    Final(TurnError),
}

/// The error that an answer means: the prompt left no room in the window for any of it. `None` for an answer that says something,
/// or ended for another reason. `usage`: what it used, unless that cannot be true.
fn unread(answer: &Answer, usage: Option<Usage>) -> Option<ModelError> {
    let message = &answer.message;
    let says = !message.text().trim().is_empty() || message.tool_calls().next().is_some();
    if answer.stop.name() != StopReason::WINDOW_FULL || says {
        return None;
    }
    Some(ModelError::Overflow {
        message: "the prompt fills the window, and the answer is empty".to_owned(),
        limit: usage.map(|usage| usage.prompt().saturating_add(usage.output)),
        tokens: usage.map(|usage| usage.prompt()),
    })
}

impl Operation<'_> {
    /// Records what a caller used of the model without an answer: attempts that broke off.
    pub fn record_lost(&mut self, used: ModelUse) {
        let impossible = self.is_impossible(&used.usage, used.requests);
        let used = if impossible { used.without_report() } else { used };
        self.engine.state.session.record_usage(&self.turn, used);
    }

    /// Returns true if as many tries of the open request cannot have used this.
    fn is_impossible(&self, used: &Usage, tries: u64) -> bool {
        let raw = match &self.engine.stage {
            Stage::Asked(open) => open.raw,
            _ => self.engine.state.session.view().tokens(),
        };
        let window = self.engine.state.model.info.window;
        is_impossible_report(raw.saturating_mul(tries), window.saturating_mul(tries), used)
    }

    /// Step 7: takes the answer to a request into the log, with its usage, its receipt and the key of the operation, and answers
    /// the calls of the engine's own tools. An empty answer to a prompt that fills the window counts as an
    /// overflow: the session is compacted for another request.
    ///
    /// # Errors
    /// [`OrderError`] if the request is not open; [`TurnError`] if the answer cannot be taken.
    pub async fn answer(&mut self, id: RequestId, answer: Answer) -> Result<Answered, EngineError> {
        self.check_request(id)?;
        // Of a message alone nothing can leave the view.
        let may_compact = self.engine.rebuilds.left() && self.engine.view().entries().len() > 1;
        let of_passes = answer.details.window_prompt.is_some();
        let believed = answer.usage.filter(|usage| of_passes || !self.is_impossible(usage, 1));
        if let Some(error) = unread(&answer, believed).filter(|_| may_compact) {
            let origin = self.engine.state.model.info.origin();
            // If the future is dropped before, the answer can be repeated, and is counted once.
            let refused = self.refused(id, error, false).await?;
            self.record_lost(ModelUse::of_request(origin, answer.usage));
            return match refused {
                Refused::Rebuilt => Ok(Answered::Request),
                Refused::OtherModel(error) => Err(TurnError::Model(error).into()),
                Refused::Final(error) => Err(error.into()),
            };
        }
        self.follow_needs(&answer).await;
        let open = self.take_request(id)?;
        let recorded = record_answer(open, answer, &mut self.step())?;
        if recorded.message.is_some() {
            self.engine.note_known(PieceKind::Assistant);
        }
        // The calls are open before anything is waited for: if the future is dropped then, they are still open.
        self.engine.stage = Stage::Calling(sort_calls(recorded, &mut self.step()));
        // The answer is durable before a tool runs: a crash inside a tool cannot lose it.
        self.flush().await;
        self.begin_calls().await;
        let open: Vec<ToolCall> = self.engine.open_calls().cloned().collect();
        if open.is_empty() {
            return Ok(self.finish_results().await?);
        }
        Ok(Answered::Calls(open))
    }

    /// Reads what an answer may use of what compactions removed, before it is recorded.
    pub(crate) async fn follow_needs(&mut self, answer: &Answer) {
        let Operation { engine, turn } = self;
        let prices = engine.state.model.info.prices;
        engine.state.session.follow_needs(turn, &answer.message, prices).await;
    }

    /// Step 8 for one call: takes its output. It is offloaded if it is large. A call that has a result already keeps it. While other
    /// calls run, the result is in the log for itself, so that a crash does not lose it; the message with all results is written by
    /// [`finish_results`](Self::finish_results).
    ///
    /// # Errors
    /// [`OrderError::UnknownCall`] if no call of this id waits for a result.
    pub async fn result(&mut self, call_id: &str, output: ToolOutput) -> Result<(), OrderError> {
        self.take_result(call_id, output).await?;
        self.record_settled().await;
        Ok(())
    }

    /// Records the results that have come, if other calls still run.
    pub(crate) async fn record_settled(&mut self) {
        let Stage::Calling(calls) = &mut self.engine.stage else { return };
        if calls.is_ours() {
            return;
        }
        for settled in calls.take_unrecorded() {
            self.engine.state.session.record(RecordBody::Settled(settled));
        }
        self.flush().await;
    }

    /// Takes the output of a call. It is in no log yet.
    pub(crate) async fn take_result(&mut self, call_id: &str, output: ToolOutput) -> Result<(), OrderError> {
        self.begin_calls().await;
        let unknown = || OrderError::UnknownCall(call_id.to_owned());
        let Stage::Calling(calls) = &self.engine.stage else { return Err(unknown()) };
        if calls.settled(call_id).is_some_and(|settled| settled.by_caller) {
            return Ok(());
        }
        let found = calls.open().find(|(_, call)| call.id == call_id);
        let (place, call) = found.map(|(place, call)| (place, call.clone())).ok_or_else(unknown)?;
        self.engine.state.tools.note_output(&call, &output);
        let (result, offloaded) = settle_call(&mut self.step(), &call, output).await;
        if let Stage::Calling(calls) = &mut self.engine.stage {
            calls.settle(place, SettledCall { result, offloaded, by_caller: true, recorded: false });
        }
        Ok(())
    }

    /// Step 9: writes the results of all calls into the log.
    ///
    /// # Errors
    /// [`OrderError::CallsOpen`] if a call has no result yet.
    pub async fn finish_results(&mut self) -> Result<Answered, OrderError> {
        self.begin_calls().await;
        match std::mem::take(&mut self.engine.stage) {
            Stage::Calling(calls) if calls.is_ours() => Ok(self.finish_calls(calls).await),
            Stage::Calling(calls) => {
                let open = calls.open_ids();
                self.engine.stage = Stage::Calling(calls);
                Err(OrderError::CallsOpen(open))
            }
            stage => {
                self.engine.stage = stage;
                Err(OrderError::NoRequest)
            }
        }
    }

    /// Runs one of the engine's own tools. `None`: the session has no such tool.
    pub async fn call(&mut self, name: &str, input: &serde_json::Value) -> Option<ToolOutput> {
        let tool = engine_tools::find(&self.engine.state.continuity, name)?;
        let output = (tool.handler)(&mut self.step(), input).await;
        self.flush().await;
        Some(output)
    }

    async fn finish_calls(&mut self, calls: OpenCalls) -> Answered {
        let has_results = !calls.done.is_empty();
        let answered = record_results(calls, &mut self.step());
        if has_results {
            self.engine.state.tools.end_request();
            self.engine.note_known(PieceKind::Results);
        } else {
            self.engine.state.tools.end_without_calls();
        }
        if answered == Answered::Request {
            self.engine.rebuilds = RebuildAttempts::of(&self.engine.state.model);
        }
        persist(&mut self.step()).await;
        answered
    }

    /// The caller has stopped the request. What the model had written stays, without thinking and calls.
    ///
    /// # Errors
    /// [`OrderError`] if the request is not open.
    pub fn cancelled(&mut self, id: RequestId, text: &str) -> Result<(), OrderError> {
        let open = self.take_request(id)?;
        let engine = &mut *self.engine;
        engine.state.session.restore_receipt(*open.receipt);
        if !text.trim().is_empty() {
            let (model, turn) = (&engine.state.model, &self.turn);
            engine.state.session.append_message(turn, Message::assistant(text.trim_end()), model.source());
            let caps = engine.state.continuity.documents;
            let complaints = engine.state.session.read_signals(turn, caps, &model.info.name, text, true);
            engine.state.tail.complain_too(complaints);
        }
        self.turn.sink.emit(Event::NotAnswered { error: None });
        Ok(())
    }

    /// The request got no answer, after all the caller's retries. Compacts after an overflow, and leaves out pictures that the
    /// provider rejects. `shown`: a part of an answer was shown to the user; it is withdrawn.
    ///
    /// # Errors
    /// [`OrderError`] if the request is not open.
    pub async fn refused(
        &mut self,
        id: RequestId,
        error: ModelError,
        shown: bool,
    ) -> Result<Refused, OrderError> {
        self.check_request(id)?;
        let Stage::Asked(open) = &self.engine.stage else { return Err(OrderError::NoRequest) };
        let (raw, epoch) = (open.raw, open.receipt.epoch);
        self.turn.sink.emit(Event::NotAnswered { error: Some(error.kind()) });
        // The request is open until the session is ready for the next one: if the future is dropped before, it can be repeated.
        if self.engine.view().epoch() != epoch {
            self.engine.abandon();
            self.engine.rebuilds.spend();
            return Ok(Refused::Rebuilt);
        }
        let failure = Failure { error, shown, raw };
        let may_compact = self.engine.rebuilds.left();
        let recovered = recover(failure, may_compact, &mut self.step().compaction()).await;
        let open = self.take_request(id)?;
        self.engine.state.session.restore_receipt(*open.receipt);
        Ok(match recovered {
            Ok(Recovery::Compacted) => {
                self.engine.rebuilds.spend();
                Refused::Rebuilt
            }
            // Each time there are fewer pictures, or none of the thinking.
            Ok(Recovery::LessContent) => Refused::Rebuilt,
            Ok(Recovery::AnotherModel(failure)) => Refused::OtherModel(failure.error),
            // What does not fit may be the tools, which were selected for a larger window.
            Err(TurnError::Model(ModelError::Overflow { .. }))
                if may_compact && self.engine.state.plan_tools_again() =>
            {
                self.engine.rebuilds.spend();
                Refused::Rebuilt
            }
            Err(error) => Refused::Final(error),
        })
    }
}
