//! Continuing where an earlier process ended: calls that wait for their results, and the request that it had sent.

use throughline_completion::StopReason;
use throughline_conversation::{EntryKind, Receipt, ToolCall};

use crate::answered::Answered;
use crate::asking::Next;
use crate::engine::ContextEngine;
use crate::open_work::OpenCalls;
use crate::operation::Operation;
use crate::request_id::RequestId;
use crate::stage::Stage;
use crate::steps::{begin_calls, due_calls};

impl ContextEngine {
    /// Continues where the log ends. `receipt`: that of the newest answer.
    pub(crate) fn continue_log(&mut self, receipt: Option<&Receipt>) {
        if let Some(calls) = self.unanswered_calls(receipt) {
            self.stage = Stage::Calling(calls);
        }
        self.opened = (self.state.session.last(), self.state.session.requests());
    }

    /// The calls of the answer at the end of the log. The engine's own are run when the session continues.
    fn unanswered_calls(&mut self, receipt: Option<&Receipt>) -> Option<OpenCalls> {
        let view = self.state.session.view();
        let entry = view.entries().last().filter(|entry| entry.kind == EntryKind::Assistant)?;
        if view.open_calls().is_empty() {
            return None;
        }
        let calls: Vec<ToolCall> =
            entry.message.tool_calls().map(|call| self.state.tools.meant(call)).collect();
        let asked = self.state.session.keys().calls_in(entry.span.last);
        let cut = receipt.is_some_and(|receipt| StopReason::named(&receipt.stop).is_cut_off());
        let due = due_calls(&calls, cut, asked.as_deref(), &mut self.state);
        Some(OpenCalls { calls, due, done: Default::default(), begun: false, then: Answered::Request })
    }

    /// The calls that wait for results of the caller.
    pub fn open_calls(&self) -> impl Iterator<Item = &ToolCall> {
        let calls = match &self.stage {
            Stage::Calling(calls) => Some(calls),
            _ => None,
        };
        calls.into_iter().flat_map(|calls| calls.open().map(|(_, call)| call))
    }
}

impl Operation<'_> {
    /// Answers the calls of a reopened session that need no tool of the caller.
    pub(crate) async fn begin_reopened(&mut self) {
        let stage = std::mem::take(&mut self.engine.stage);
        self.engine.stage = match stage {
            Stage::Calling(calls) if !calls.begun => {
                Stage::Calling(begin_calls(calls, &mut self.step()).await)
            }
            stage => stage,
        };
    }

    /// Writes the results of a reopened session whose calls need no tool of the caller.
    pub(crate) async fn finish_reopened(&mut self) {
        if matches!(&self.engine.stage, Stage::Calling(calls) if calls.is_ours()) {
            self.begin_reopened().await;
            if let Stage::Calling(calls) = std::mem::take(&mut self.engine.stage) {
                self.finish_calls(calls).await;
            }
        }
    }

    /// Builds the request again that an earlier process had sent, if nothing was done since the session was opened and this is the
    /// number of its next request. One that cannot be built is not open.
    pub(crate) async fn restore_request(&mut self, id: RequestId) {
        let session = &self.engine.state.session;
        let waits = matches!(self.engine.stage, Stage::Idle)
            && !session.view().entries().is_empty()
            && session.view().violations().is_empty();
        let untouched = (session.last(), session.requests()) == self.engine.opened;
        if waits
            && untouched
            && id.0 == session.requests() + 1
            && let Ok(Next::Request(prepared)) = self.next_request().await
        {
            self.report_sent(&prepared);
        }
    }
}
