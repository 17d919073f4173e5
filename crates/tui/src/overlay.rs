//! What replaces the input: a picker, a question about a call, or a question of a server.

mod approvals;
mod forms;
mod held_key;
mod picker;
mod shield;

pub(crate) use approvals::{GivenAnswer, Question};
pub(crate) use forms::ServerQuestion;
pub(crate) use shield::Moment;

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent};

use crate::line::Line;
use crate::live::Live;
use crate::port::{Act, Picker};
use crate::program_status::ProgramState;
use approvals::{Approvals, KeyOutcome};
use forms::Forms;
use held_key::HeldKey;
use picker::{OpenPicker, PickerKey};

/// The open picker and the waiting questions. A picker is in front of them, and questions about calls are before those of servers.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    picker: Option<OpenPicker>,
    approvals: Approvals,
    forms: Forms,
    /// When the last key was pressed; `None`: it sent an input, so the user no longer types.
    typed_at: Option<Instant>,
    /// The key that answered the last question; `None`: another key was pressed since.
    held: Option<HeldKey>,
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
    pub(crate) fn key(&mut self, key: KeyEvent, columns: usize, moment: Moment) -> OverlayEffect {
        let before = self.typed_at.replace(moment.now);
        self.remove_cancelled();
        if self.held.as_mut().is_some_and(|held| held.repeats(key, moment.now)) {
            self.typed_at = before;
            return OverlayEffect::Ask(Vec::new());
        }
        self.held = None;
        if let Some(picker) = &mut self.picker {
            return match picker.key(key, moment) {
                PickerKey::Taken(acts) => OverlayEffect::Ask(acts),
                PickerKey::Closed(acts) => {
                    self.picker = None;
                    // What it leads to may be answered at once.
                    self.typed_at = None;
                    OverlayEffect::Ask(acts)
                }
                PickerKey::Swallowed => {
                    self.typed_at = before;
                    OverlayEffect::Ask(Vec::new())
                }
                PickerKey::NotMine => OverlayEffect::NotMine,
            };
        }
        let waiting = self.questions();
        let outcome = if self.approvals.is_empty() {
            self.forms.key(key, moment)
        } else {
            self.approvals.key(key, moment)
        };
        if outcome == KeyOutcome::Taken && self.questions() < waiting {
            self.held = Some(HeldKey::new(key, moment.now));
        }
        match outcome {
            KeyOutcome::Taken => OverlayEffect::Ask(Vec::new()),
            KeyOutcome::Stop => OverlayEffect::Interrupt,
            KeyOutcome::ShowAll => OverlayEffect::Print {
                tool: self.approvals.tool().unwrap_or_default().to_owned(),
                lines: self.approvals.full_lines(columns),
            },
            // The keys that answer a question, pressed too early: they neither send nor recall an input.
            KeyOutcome::NotMine if self.asks() && is_of_lists(key, moment) => {
                self.typed_at = before;
                OverlayEffect::Ask(Vec::new())
            }
            KeyOutcome::NotMine => OverlayEffect::NotMine,
        }
    }

    /// A paste. Returns false if it is for the input.
    pub(crate) fn paste(&mut self, text: &str, moment: Moment) -> bool {
        self.typed_at = Some(moment.now);
        match &mut self.picker {
            Some(picker) => picker.paste(text, moment),
            None if self.approvals.is_empty() => self.forms.paste(text, moment),
            None => self.approvals.paste(text, moment.now),
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

    /// A server asks something.
    pub(crate) fn ask_for_server(&mut self, question: ServerQuestion, now: Instant) {
        self.forms.ask(question, self.typed_at, now);
    }

    /// Removes the questions of cancelled calls.
    pub(crate) fn remove_cancelled(&mut self) {
        self.approvals.remove_cancelled();
        self.forms.remove_cancelled();
    }

    /// Opens a picker, in place of an open one.
    pub(crate) fn open(&mut self, picker: Picker, now: Instant) {
        self.picker = Some(OpenPicker::new(picker, self.typed_at, now));
    }

    /// The preview of a row of a picker.
    pub(crate) fn set_preview(&mut self, picker: &str, row: &str, text: &str) {
        if let Some(open) = &mut self.picker {
            open.set_preview(picker, row, text);
        }
    }

    /// Denies all calls that wait, and closes the questions of servers.
    pub(crate) fn deny_all(&mut self) {
        self.approvals.deny_all();
        self.forms.close_all();
    }

    /// What was drawn is on the terminal: from now on it can have been read.
    pub(crate) fn mark_seen(&mut self, now: Instant) {
        match (&mut self.picker, self.approvals.is_empty()) {
            (Some(picker), _) => picker.mark_seen(now),
            (None, true) => self.forms.mark_seen(now),
            (None, false) => self.approvals.mark_seen(now),
        }
    }

    /// Returns true if a question waits.
    pub(crate) fn asks(&self) -> bool {
        self.questions() > 0
    }

    /// How many questions wait.
    fn questions(&self) -> usize {
        self.approvals.len() + self.forms.len()
    }

    /// Returns true while keys are for the text in the input, although something is in front of it.
    pub(crate) fn leaves_keys_to_draft(&self, moment: Moment) -> bool {
        match (&self.picker, self.approvals.is_empty()) {
            (Some(picker), _) => picker.leaves_keys_to_draft(moment),
            (None, true) => self.forms.leaves_keys_to_draft(moment),
            (None, false) => self.approvals.leaves_keys_to_draft(moment),
        }
    }

    /// The call that is asked about.
    pub(crate) fn asked_call(&self) -> Option<&str> {
        self.approvals.call_id()
    }

    /// Takes what was answered to questions about calls since the last time.
    pub(crate) fn take_given(&mut self) -> Vec<(String, GivenAnswer)> {
        self.approvals.take_given()
    }

    /// What the program waits for, if it waits for the user.
    pub(crate) fn program_state(&self) -> Option<ProgramState> {
        if !self.approvals.is_empty() {
            return Some(ProgramState::Permission);
        }
        (self.picker.is_some() || self.asks()).then_some(ProgramState::Question)
    }

    /// The open picker in up to this many rows.
    pub(crate) fn draw_picker(&self, columns: usize, rows: usize, moment: Moment) -> Option<Live> {
        self.picker.as_ref().map(|picker| picker.draw(columns, rows, moment))
    }

    /// The first question in up to this many rows.
    pub(crate) fn draw_question(&self, columns: usize, rows: usize, moment: Moment) -> Live {
        if self.approvals.is_empty() {
            self.forms.draw(columns, rows, moment)
        } else {
            self.approvals.draw(columns, rows, moment)
        }
    }
}

/// Returns true for a key that moves or chooses in a list, and is not one of a text in the input: only Enter is both.
fn is_of_lists(key: KeyEvent, moment: Moment) -> bool {
    match key.code {
        KeyCode::Up | KeyCode::Down => true,
        KeyCode::Enter => !moment.has_draft,
        _ => false,
    }
}
