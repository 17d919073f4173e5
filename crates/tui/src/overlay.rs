//! What replaces the input: a picker, or a question about a call.

mod approvals;
mod picker;

pub(crate) use approvals::Question;

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent};

use crate::line::Line;
use crate::live::Live;
use crate::port::{Act, Picker};
use crate::program_status::ProgramState;
use approvals::{Approvals, KeyOutcome};
use picker::OpenPicker;

/// The open picker and the waiting questions. A picker is in front of them.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    picker: Option<OpenPicker>,
    approvals: Approvals,
    /// When the last key was pressed; `None`: it sent an input, so the user no longer types.
    typed_at: Option<Instant>,
}

/// What a key leads to.
#[derive(Debug)]
pub(crate) enum OverlayEffect {
    /// The key is for the input.
    NotMine,
    /// The session is asked for these.
    Ask(Vec<Act>),
    /// The turn is interrupted.
    Interrupt,
    /// All of what this tool would do is printed.
    Print { tool: String, lines: Vec<Line> },
}

impl Overlay {
    /// A key was pressed.
    pub(crate) fn key(&mut self, key: KeyEvent, columns: usize, now: Instant) -> OverlayEffect {
        let before = self.typed_at.replace(now);
        self.approvals.remove_cancelled();
        if let Some(picker) = &mut self.picker {
            let (acts, closed) = picker.key(key);
            if closed {
                self.picker = None;
            }
            return OverlayEffect::Ask(acts);
        }
        match self.approvals.key(key, now) {
            KeyOutcome::Taken => OverlayEffect::Ask(Vec::new()),
            KeyOutcome::Stop => OverlayEffect::Interrupt,
            KeyOutcome::ShowAll => OverlayEffect::Print {
                tool: self.approvals.tool().unwrap_or_default().to_owned(),
                lines: self.approvals.full_lines(columns),
            },
            // A user who was typing when the question appeared may type a little longer, but sends nothing.
            KeyOutcome::NotMine if !self.approvals.is_empty() && key.code == KeyCode::Enter => {
                self.typed_at = before;
                OverlayEffect::Ask(Vec::new())
            }
            KeyOutcome::NotMine => OverlayEffect::NotMine,
        }
    }

    /// A paste. Returns false if it is for the input.
    pub(crate) fn paste(&mut self, text: &str, now: Instant) -> bool {
        self.typed_at = Some(now);
        match &mut self.picker {
            Some(picker) => {
                picker.paste(text);
                true
            }
            None => self.approvals.paste(text, now),
        }
    }

    /// An input was sent: a question that comes now may be answered at once.
    pub(crate) fn end_typing(&mut self) {
        self.typed_at = None;
    }

    /// A call needs approval.
    pub(crate) fn ask(&mut self, question: Question, now: Instant) {
        self.approvals.ask(question, self.typed_at, now);
    }

    /// Removes the questions of cancelled calls.
    pub(crate) fn remove_cancelled(&mut self) {
        self.approvals.remove_cancelled();
    }

    /// Opens a picker, in place of an open one.
    pub(crate) fn open(&mut self, picker: Picker) {
        self.picker = Some(OpenPicker::new(picker));
    }

    /// The preview of a row of a picker.
    pub(crate) fn set_preview(&mut self, picker: &str, row: &str, text: &str) {
        if let Some(open) = &mut self.picker {
            open.set_preview(picker, row, text);
        }
    }

    /// Denies all calls that wait.
    pub(crate) fn deny_all(&mut self) {
        self.approvals.deny_all();
    }

    /// What was drawn is on the terminal: from now on it can have been read.
    pub(crate) fn mark_seen(&mut self, now: Instant) {
        if self.picker.is_none() {
            self.approvals.mark_seen(now);
        }
    }

    /// Returns true if a question waits.
    pub(crate) fn asks(&self) -> bool {
        !self.approvals.is_empty()
    }

    /// The call that is asked about.
    pub(crate) fn asked_call(&self) -> Option<&str> {
        self.approvals.call_id()
    }

    /// What the program waits for, if it waits for the user.
    pub(crate) fn program_state(&self) -> Option<ProgramState> {
        let question = self.picker.as_ref().map(|_| ProgramState::Question);
        if self.asks() { Some(ProgramState::Permission) } else { question }
    }

    /// The open picker in up to this many rows.
    pub(crate) fn draw_picker(&self, columns: usize, rows: usize) -> Option<Live> {
        self.picker.as_ref().map(|picker| picker.draw(columns, rows))
    }

    /// The first question in up to this many rows.
    pub(crate) fn draw_question(&self, columns: usize, rows: usize, now: Instant) -> Live {
        self.approvals.draw(columns, rows, now)
    }
}
