//! Continuing where an earlier process ended: calls that wait for their results, and the request that it had sent.

use throughline_completion::StopReason;
use throughline_conversation::{EntryKind, Receipt, SettledRecord, ToolCall};

use crate::answered::Answered;
use crate::asking::Next;
use crate::engine::ContextEngine;
use crate::open_work::OpenCalls;
use crate::operation::Operation;
use crate::request_id::RequestId;
use crate::stage::Stage;
use crate::step_context::StepContext;
use crate::steps::{answer_due, due_calls, report_begun};

impl ContextEngine {
    /// Continues where the log ends. `receipt`: that of the newest answer. `settled`: results of its calls that have come.
    pub(crate) fn continue_log(&mut self, receipt: Option<&Receipt>, settled: &[SettledRecord]) {
        if let Some(mut calls) = self.unanswered_calls(receipt) {
            calls.restore(settled);
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
    /// Reports the open calls as begun, and answers those that need no tool of the caller. A call stays due until its result is there:
    /// one that was cut off is answered again.
    pub(crate) async fn begin_calls(&mut self) {
        let Operation { engine, turn } = self;
        let ContextEngine { state, stage: Stage::Calling(calls), .. } = &mut **engine else { return };
        if !std::mem::replace(&mut calls.begun, true) {
            report_begun(&calls.calls, &mut StepContext { state, turn: *turn });
        }
        while let Some((place, call, due)) = calls.next_due() {
            let settled = answer_due(&call, due, &mut StepContext { state, turn: *turn }).await;
            calls.settle(place, settled);
        }
    }

    /// Writes the results of calls of which none waits for the caller.
    pub(crate) async fn finish_own_calls(&mut self) {
        if matches!(&self.engine.stage, Stage::Calling(calls) if calls.is_ours()) {
            // It cannot be the wrong time.
            let _ = self.finish_results().await;
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
