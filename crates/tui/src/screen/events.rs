//! Hands events of a turn to the turn, the transcript and the checklist.

use std::time::{Duration, Instant};

use throughline_agent::Event;
use throughline_conversation::WEB_SEARCH;

use super::Screen;
use crate::calls::{changed_lines, path};
use crate::transcript::Block;

impl Screen {
    /// Something happened in a turn.
    pub(super) fn event(&mut self, event: Event, now: Instant) {
        match event {
            Event::Answered { usage, .. } => {
                self.turn.count_answer(usage.map_or(0, |usage| usage.output));
                self.transcript.complete_answer(now);
            }
            Event::ToolFinished { call_id, name, is_error, output, offloaded, .. } => {
                let refused = is_error && self.transcript.is_refused(&call_id);
                if name == WEB_SEARCH {
                    self.turn.count_search();
                } else if refused {
                    self.turn.count_refused();
                } else if let Some(call) = self.transcript.call(&call_id) {
                    let lines = changed_lines(call.excerpt.as_deref(), &call.name, &call.input);
                    let changed = lines.map(|lines| (path(&call.input).unwrap_or_default(), lines));
                    self.turn.count_call(is_error, changed);
                    if !is_error {
                        self.checklist.observe(&call.name, &call.input);
                    }
                } else {
                    self.turn.count_call(is_error, None);
                }
                let stored = offloaded.map(|receipt| receipt.bytes);
                // What the provider runs passes no layer that shows its result.
                let result = (is_error || name == WEB_SEARCH).then_some(output.as_str());
                self.transcript.finish_call(&call_id, &name, result, is_error, stored, now);
            }
            // The live part shows it: a connection that breaks again and again fills no scrollback.
            Event::Retrying { cause, wait_ms } => {
                let due = now + Duration::from_millis(wait_ms);
                if !self.turn.retry(cause.clone(), Some(due)) {
                    self.transcript.print(Block::Warning(&format!("{cause}; trying again")));
                }
            }
            Event::Withdrawn { why } => {
                self.transcript.withdraw(&why);
                self.turn.retry(why, None);
            }
            event => {
                if matches!(event, Event::Text(_) | Event::Thinking(_)) {
                    self.turn.hear();
                }
                self.transcript.event(event, now);
            }
        }
    }
}
