//! Watches the events of a running replay.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throughline_agent::{Event, EventSink};
use throughline_conversation::ResultRef;
use throughline_tools::CancelFlag;

use crate::model::RecordedModel;

/// Counts events, and cancels a turn where the recorded user had cancelled it.
#[derive(Debug)]
pub(crate) struct Watch {
    model: Arc<RecordedModel>,
    state: Mutex<Seen>,
}

/// What was seen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) compactions: u64,
    pub(crate) offloads: u64,
    pub(crate) degraded: u64,
    /// Offloaded results by call id.
    pub(crate) stored: BTreeMap<String, ResultRef>,
    /// Calls that are done since the newest answer.
    done: usize,
    cancel: CancelFlag,
}

impl Watch {
    pub(crate) fn new(model: Arc<RecordedModel>) -> Self {
        Self { model, state: Mutex::default() }
    }

    /// A flag for the next turn.
    pub(crate) fn next_turn(&self) -> CancelFlag {
        let cancel = CancelFlag::new();
        self.state().cancel = cancel.clone();
        cancel
    }

    pub(crate) fn seen(&self) -> Seen {
        self.state().clone()
    }

    /// Ignores poisoning: counts have no invariant that a panic could break.
    fn state(&self) -> MutexGuard<'_, Seen> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventSink for Watch {
    fn emit(&self, event: Event) {
        let last_calls = self.model.last_calls_of_cut_off_turn();
        let mut seen = self.state();
        match &event {
            Event::Answered { .. } => seen.done = 0,
            Event::ToolFinished { .. } => seen.done += 1,
            _ => {}
        }
        let cut_off = matches!(event, Event::ToolFinished { .. }) && last_calls == Some(seen.done);
        match event {
            Event::Compacted(_) => seen.compactions += 1,
            Event::Degraded(_) => seen.degraded += 1,
            Event::ToolFinished { call_id, offloaded: Some(receipt), .. } => {
                seen.offloads += 1;
                seen.stored.insert(call_id, receipt.stored);
            }
            _ => {}
        }
        if cut_off {
            // The tools have run; the engine must not ask for an answer that was never given.
            seen.cancel.cancel();
        }
    }
}
