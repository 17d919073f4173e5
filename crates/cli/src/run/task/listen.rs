//! Listening to a turn: everything that the model says in it, and what it does.

use std::sync::{Mutex, MutexGuard, PoisonError};

use throughline_agent::{Event, EventSink};
use throughline_task::TurnSeen;

use crate::run::report::Report;

/// Hands every event on, and keeps what a task wants to know of a turn. Signals count in every answer of the turn, also
/// in those that call tools.
#[derive(Debug)]
pub(super) struct Listener<'a> {
    report: &'a Report,
    heard: Mutex<Heard>,
}

#[derive(Debug, Default)]
struct Heard {
    seen: TurnSeen,
    /// The answer that is coming in. It may still be withdrawn.
    coming: String,
}

impl<'a> Listener<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        Self { report, heard: Mutex::default() }
    }

    /// What was seen; the stop is not among it.
    pub(super) fn seen(&self) -> TurnSeen {
        self.heard().seen.clone()
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventSink for Listener<'_> {
    fn emit(&self, event: Event) {
        {
            let Heard { seen, coming } = &mut *self.heard();
            match &event {
                Event::Text(text) => coming.push_str(text),
                Event::Withdrawn { .. } => coming.clear(),
                Event::Answered { .. } => {
                    seen.text.push_str(coming);
                    seen.text.push('\n');
                    coming.clear();
                }
                Event::ToolStarted { .. } => seen.calls += 1,
                Event::Compacted(_) => seen.compacted = true,
                _ => {}
            }
        }
        self.report.emit(event);
    }
}
