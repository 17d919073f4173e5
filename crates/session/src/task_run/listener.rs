//! Observes a turn for its task: the model's text and its tool calls.

use std::sync::{Mutex, MutexGuard, PoisonError};

use throughline_agent::{Event, EventSink};
use throughline_task::TurnSeen;

use crate::answer_sink::AnswerSink;

/// Forwards every event, and collects what a task needs to know of a turn. Signals count in every answer of the turn, also
/// in those with tool calls.
#[derive(Debug)]
pub(super) struct Listener<'a> {
    shown: AnswerSink<'a>,
    observed: Mutex<Observed>,
}

#[derive(Debug, Default)]
struct Observed {
    seen: TurnSeen,
    /// The answer that is arriving. It may still be withdrawn.
    coming: String,
}

impl<'a> Listener<'a> {
    pub(super) fn new(sink: &'a dyn EventSink) -> Self {
        Self { shown: AnswerSink::new(sink), observed: Mutex::default() }
    }

    /// What was observed, without the stop reason.
    pub(super) fn seen(&self) -> TurnSeen {
        self.observed().seen.clone()
    }

    fn observed(&self) -> MutexGuard<'_, Observed> {
        self.observed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventSink for Listener<'_> {
    fn emit(&self, event: Event) {
        {
            let Observed { seen, coming } = &mut *self.observed();
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
        self.shown.emit(event);
    }
}
