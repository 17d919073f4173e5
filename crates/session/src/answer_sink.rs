//! The events of a turn as a person reads them: without the documents that the model writes into its answers.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use throughline_agent::{Event, EventSink};
use throughline_documents::ShownText;

/// Forwards every event. Of the texts of an answer, blocks of STATE and the scratchpad are left out; the log has them.
pub struct AnswerSink<'a> {
    sink: &'a dyn EventSink,
    text: Mutex<ShownText>,
}

impl<'a> AnswerSink<'a> {
    /// Forwards to this sink.
    pub fn new(sink: &'a dyn EventSink) -> Self {
        Self { sink, text: Mutex::default() }
    }
}

impl fmt::Debug for AnswerSink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerSink").finish_non_exhaustive()
    }
}

impl EventSink for AnswerSink<'_> {
    fn emit(&self, event: Event) {
        let rest = {
            let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
            match &event {
                Event::Text(part) => {
                    let shown = text.push(part);
                    drop(text);
                    if !shown.is_empty() {
                        self.sink.emit(Event::Text(shown));
                    }
                    return;
                }
                Event::Withdrawn { .. } => {
                    *text = ShownText::default();
                    String::new()
                }
                Event::Answered { .. } | Event::NotAnswered { .. } | Event::TurnEnded { .. } => text.finish(),
                _ => String::new(),
            }
        };
        if !rest.is_empty() {
            self.sink.emit(Event::Text(rest));
        }
        self.sink.emit(event);
    }
}

#[cfg(test)]
mod tests;
