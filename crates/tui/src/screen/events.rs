//! Hands events of a turn to the turn, the transcript and the checklist.

use std::time::{Duration, Instant};

use throughline_agent::Event;

use super::Screen;
use crate::calls::{changed_lines, elapsed, path};
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
                if let Some((name, input)) = self.transcript.call(&call_id) {
                    let changed =
                        changed_lines(name, input).map(|lines| (path(input).unwrap_or_default(), lines));
                    self.turn.count_call(is_error, changed);
                    if !is_error {
                        self.checklist.observe(name, input);
                    }
                } else {
                    self.turn.count_call(is_error, None);
                }
                let stored = offloaded.map(|receipt| receipt.bytes);
                self.transcript.finish_call(&call_id, &name, is_error.then_some(&output), stored, now);
            }
            Event::Retrying { cause, wait_ms } => {
                // A repeated cause is shown once; when it is tried again is said by the activity.
                if self.turn.retry(&cause, &elapsed(Duration::from_millis(wait_ms))) {
                    self.transcript.print(Block::Warning(&format!("{cause}; trying again")));
                }
            }
            event => self.transcript.event(event, now),
        }
    }
}
