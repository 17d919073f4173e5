//! What waits for the caller: the answer to a request, or the results of calls.

use std::collections::BTreeMap;
use std::sync::Arc;

use throughline_conversation::{
    KeyOutcome, OffloadReceipt, Receipt, SectionText, SettledRecord, ToolCall, ToolResult,
};
use throughline_tools::ToolOutput;

use crate::answered::Answered;
use crate::engine_tools::EngineTool;
use crate::prefix::CacheState;
use crate::request_id::RequestId;

/// A request that is not answered yet.
#[derive(Debug)]
pub(crate) struct OpenRequest {
    pub(crate) id: RequestId,
    pub(crate) receipt: Box<Receipt>,
    /// The counter's tokens of the request, before calibration.
    pub(crate) raw: u64,
    /// Those of the notes at its end, which are a part of `raw`.
    pub(crate) tail_tokens: u64,
    /// Its system prompt.
    pub(crate) system: Arc<[SectionText]>,
    /// The state of the prompt cache if the request is not sent.
    pub(crate) before: CacheState,
}

/// The calls of an answer.
#[derive(Debug)]
pub(crate) struct OpenCalls {
    pub(crate) calls: Vec<ToolCall>,
    /// Calls that the engine answers, and has not answered yet, by place.
    pub(crate) due: BTreeMap<usize, DueCall>,
    /// Results by the place of their call.
    pub(crate) done: BTreeMap<usize, SettledCall>,
    /// They are reported as begun; not yet those that an earlier process has left open.
    pub(crate) begun: bool,
    /// What follows when all calls have a result.
    pub(crate) then: Answered,
}

/// A call with its result.
#[derive(Debug)]
pub(crate) struct SettledCall {
    pub(crate) result: ToolResult,
    pub(crate) offloaded: Option<OffloadReceipt>,
    /// The caller has run it.
    pub(crate) by_caller: bool,
    /// The log has it.
    pub(crate) recorded: bool,
}

/// How the engine answers a call.
#[derive(Debug, Clone)]
pub(crate) enum DueCall {
    /// It is not run, and this says why.
    Refused(ToolOutput),
    /// By one of its own tools.
    Own(&'static EngineTool),
}

impl OpenCalls {
    /// The ids of the calls that wait for results of the caller.
    pub(crate) fn open_ids(&self) -> Vec<String> {
        self.open().map(|(_, call)| call.id.clone()).collect()
    }

    /// The calls that wait for results of the caller.
    pub(crate) fn open(&self) -> impl Iterator<Item = (usize, &ToolCall)> {
        let answered = |place: &usize| self.done.contains_key(place) || self.due.contains_key(place);
        self.calls.iter().enumerate().filter(move |(place, _)| !answered(place))
    }

    /// Returns true if no call waits for a result of the caller.
    pub(crate) fn is_ours(&self) -> bool {
        self.open().next().is_none()
    }

    /// The next call that the engine answers, by its place: those that are not run first.
    pub(crate) fn next_due(&self) -> Option<(usize, ToolCall, DueCall)> {
        let refused = self.due.iter().find(|(_, due)| matches!(due, DueCall::Refused(_)));
        let (place, due) = refused.or_else(|| self.due.iter().next())?;
        Some((*place, self.calls.get(*place)?.clone(), due.clone()))
    }

    /// Takes the result of a call.
    pub(crate) fn settle(&mut self, place: usize, settled: SettledCall) {
        self.due.remove(&place);
        self.done.insert(place, settled);
    }

    /// The results of the caller that the log does not have yet. It has them behind this.
    pub(crate) fn take_unrecorded(&mut self) -> Vec<SettledRecord> {
        let new = self.done.values_mut().filter(|settled| settled.by_caller && !settled.recorded);
        new.map(|settled| {
            settled.recorded = true;
            SettledRecord { result: settled.result.clone(), offloaded: settled.offloaded.clone() }
        })
        .collect()
    }

    /// Takes results that an earlier process has recorded.
    pub(crate) fn restore(&mut self, recorded: &[SettledRecord]) {
        for (place, call) in self.calls.iter().enumerate() {
            let Some(found) = recorded.iter().rfind(|one| one.result.call_id == call.id) else { continue };
            let SettledRecord { result, offloaded } = found.clone();
            self.due.remove(&place);
            self.done.insert(place, SettledCall { result, offloaded, by_caller: true, recorded: true });
        }
    }

    /// The call that has a result already.
    pub(crate) fn settled(&self, call_id: &str) -> Option<&SettledCall> {
        self.done.values().find(|settled| settled.result.call_id == call_id)
    }

    /// What the log says of an answer with these calls.
    pub(crate) fn outcome(&self) -> KeyOutcome {
        match (&self.then, self.open_ids()) {
            (Answered::Finished { stop, .. }, _) => KeyOutcome::Finished { stop: stop.name().to_owned() },
            (_, calls) if calls.is_empty() => KeyOutcome::Request,
            (_, calls) => KeyOutcome::Calls { calls },
        }
    }
}
