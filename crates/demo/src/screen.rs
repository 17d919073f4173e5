//! Prints the events of the demo's turns.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use throughline_agent::{Event, EventSink};
use throughline_terminal::window_bar;
use throughline_terminal::{Style, line};
use throughline_text::{group_thousands, headline, plain};

/// Prints events. A worker also prints lines that begin with `@`, for the process that watches it.
#[derive(Debug)]
pub(super) struct Screen {
    style: Style,
    worker: bool,
    pace: Duration,
    text: Mutex<String>,
    unsaved: Mutex<Option<String>>,
}

/// Cells of the window's bar.
const BAR: usize = 32;

impl Screen {
    pub(super) fn new(style: Style, worker: bool, pace: Duration) -> Self {
        Self { style, worker, pace, text: Mutex::default(), unsaved: Mutex::default() }
    }

    /// Why the newest records are not in the log, while that is so.
    pub(super) fn unsaved(&self) -> Option<String> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn user(&self, text: &str) {
        line("");
        line(&format!("{}  {}", self.style.bold("you   "), text));
    }

    fn say(&self, label: &str, colour: &str, text: &str) {
        line(&format!("{}  {}", self.style.paint(colour, &format!("{label:<6}")), plain(text)));
    }

    fn take_text(&self) -> String {
        let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *text)
    }

    fn show(&self, event: Event) {
        match event {
            Event::Window { figures, .. } => {
                line(&format!("        {}", window_bar::short(&figures, BAR, self.style)));
            }
            Event::Text(more) => {
                self.text.lock().unwrap_or_else(PoisonError::into_inner).push_str(&more);
            }
            Event::Answered { .. } => {
                let text = self.take_text();
                if !text.is_empty() {
                    self.say("model", "36", &text);
                }
                std::thread::sleep(self.pace);
            }
            Event::ToolStarted { name, input, call_id } => {
                if self.worker {
                    line(&format!("@tool {call_id}"));
                }
                self.say("→", "33", &format!("{name} {}", headline(&input.to_string(), 90)));
            }
            Event::ToolFinished { name, bytes, offloaded, is_error, .. } => {
                let failed = if is_error { ", failed" } else { "" };
                let bytes = group_thousands(bytes);
                let stored = offloaded.map_or(String::new(), |receipt| {
                    format!(
                        ", stored as {}; the model sees {}",
                        receipt.stored,
                        group_thousands(receipt.shown)
                    )
                });
                self.say("←", "33", &format!("{name}: {bytes} bytes{failed}{stored}"));
            }
            other => self.show_engine(other),
        }
    }

    fn show_engine(&self, event: Event) {
        match event {
            Event::Compacted(receipt) => {
                let pays = receipt
                    .pays_back_after
                    .map_or(String::new(), |after| format!(", pays back after {after} requests"));
                let text = format!(
                    "compacted {} → {} tokens, {} → {} messages by {}{pays}",
                    group_thousands(receipt.before_tokens),
                    group_thousands(receipt.after_tokens),
                    receipt.before_messages,
                    receipt.after_messages,
                    receipt.strategies.join(", "),
                );
                self.say("engine", "35", &text);
            }
            Event::NotCompacted { why } => self.say("engine", "35", &format!("not compacted: {why}")),
            Event::ToolsChanged { why, active, deferred } => {
                self.say("engine", "35", &format!("{active} tools sent, {deferred} deferred ({why})"));
            }
            Event::Note(note) => self.say("engine", "35", &format!("tells the model: {note}")),
            Event::SnapshotSaved { covers } => {
                self.say("engine", "35", &format!("snapshot saved, up to record {covers}"));
            }
            Event::Retrying { cause, wait_ms } => {
                self.say("engine", "31", &format!("{cause}; trying again in {wait_ms} ms"));
            }
            Event::Degraded(note) => {
                self.say(
                    "engine",
                    "31",
                    &format!("{} failed: {} ({})", note.subsystem, note.fallback, note.cause),
                );
            }
            Event::Acknowledged { seq } if self.worker => line(&format!("@ack {seq}")),
            _ => {}
        }
    }
}

impl EventSink for Screen {
    fn emit(&self, event: Event) {
        match &event {
            Event::Acknowledged { .. } => *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = None,
            Event::Degraded(note) if note.subsystem == "log" => {
                *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = Some(note.cause.clone());
            }
            _ => {}
        }
        self.show(event);
    }
}
