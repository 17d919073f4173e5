//! The place of a turn among those that run.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;

use super::running::{RunningTurn, Turns};

/// One of the turns that may run. Dropping it ends the turn for its readers, however the work ended.
#[derive(Debug)]
pub(crate) struct TurnPlace {
    pub(super) turns: Turns,
    pub(super) turn: Arc<RunningTurn>,
    /// True once the feed has its first event.
    pub(super) is_open: bool,
    has_result: bool,
    slot: Option<OwnedSemaphorePermit>,
}

impl TurnPlace {
    pub(super) fn new(turns: Turns, turn: Arc<RunningTurn>, slot: OwnedSemaphorePermit) -> Self {
        Self { turns, turn, is_open: false, has_result: false, slot: Some(slot) }
    }

    /// Ends the turn with its last event. A client that has read it can begin the next one at once.
    pub(super) fn end(mut self, result: &Value) {
        self.free();
        self.turn.feed.push(result);
        self.has_result = true;
    }

    fn free(&mut self) {
        if self.slot.take().is_some() {
            self.turns.leave(&self.turn, self.is_open);
        }
    }
}

impl Drop for TurnPlace {
    fn drop(&mut self) {
        self.free();
        if self.is_open && !self.has_result {
            tracing::error!(turn = self.turn.feed.turn(), "the work of a turn broke off");
            self.turn.feed.push(&failed("the work of the turn broke off; the log of the server says why"));
        }
        self.turn.feed.close();
        self.turns.count_end();
    }
}

/// The result of a turn that has none of its own.
pub(super) fn failed(error: &str) -> Value {
    json!({ "type": "result", "outcome": "failed", "is_error": true, "text": "", "error": error })
}

#[cfg(test)]
mod tests;
