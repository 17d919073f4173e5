//! Hands events of a turn to the turn, the transcript and the checklist.

use std::time::{Duration, Instant};

use throughline_agent::Event;
use throughline_conversation::EditReason;

use super::Screen;
use crate::calls::elapsed;
use crate::transcript::Block;

impl Screen {
    /// Something happened in a turn.
    pub(super) fn event(&mut self, event: Event, now: Instant) {
        match event {
            Event::Answered { usage, .. } => {
                self.turn.count_answer(usage.map_or(0, |usage| usage.output));
                self.transcript.end_answer(now);
            }
            Event::ToolFinished { call_id, name, is_error, output, offloaded, .. } => {
                let stored = offloaded.map(|receipt| receipt.bytes);
                let call =
                    self.transcript.finish_call(&call_id, &name, is_error.then_some(&output), stored, now);
                if let Some(call) = call.filter(|_| !is_error) {
                    self.checklist.observe(&call.name, &call.input);
                }
            }
            // A compaction that the user asked for is answered with a page.
            Event::Compacted(receipt)
                if self.turn.is_compacting() && receipt.reason == EditReason::Manual => {}
            Event::Retrying { cause, wait_ms } => {
                let wait = elapsed(Duration::from_millis(wait_ms));
                // A repeated cause is shown once.
                let what = if self.turn.retry(&cause) { "still failing" } else { &cause };
                self.transcript.print(Block::Warning(&format!("{what}; retrying in {wait}")));
            }
            event => self.transcript.event(event, now),
        }
    }
}
