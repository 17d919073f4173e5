//! The screen of a session: it hands keys and messages to its parts, and puts the parts together to one picture.
//!
//! It is a value. Time, size and events come in as arguments; what leaves are lines for the scrollback
//! ([`Screen::take_printed`]), the live part ([`Screen::draw`]) and acts for the session.

mod draw;
mod events;
mod keys;
mod receipt;
mod shows;

use std::time::Instant;

use crate::checklist::Checklist;
use crate::composer::Composer;
use crate::overlay::{Moment, Overlay};
use crate::port::Act;
use crate::program_status::ProgramState;
use crate::status::{Status, StatusPart};
use crate::transcript::{Block, Transcript};
use crate::turn::Turn;

/// Whether the screen is being left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Exit {
    #[default]
    Stay,
    /// The user leaves; the session is asked to end.
    Leaving,
    /// The user leaves without waiting for the session.
    Abandoned,
    /// The session has ended.
    Ended,
}

/// The state of the screen.
#[derive(Debug)]
pub(crate) struct Screen {
    columns: usize,
    rows: usize,
    transcript: Transcript,
    turn: Turn,
    composer: Composer,
    overlay: Overlay,
    checklist: Checklist,
    status: Status,
    exit: Exit,
    /// Frames of the spinner so far.
    frame: usize,
    /// Marks are drawn in ASCII.
    ascii: bool,
}

impl Screen {
    /// An empty screen of this size.
    pub(crate) fn new(columns: usize, rows: usize) -> Self {
        let (columns, rows) = (columns.max(1), rows.max(1));
        Self {
            columns,
            rows,
            transcript: Transcript::new(columns),
            turn: Turn::default(),
            composer: Composer::default(),
            overlay: Overlay::default(),
            checklist: Checklist::default(),
            status: Status::default(),
            exit: Exit::default(),
            frame: 0,
            ascii: false,
        }
    }

    /// Marks are drawn in ASCII from now on.
    pub(crate) fn use_ascii(&mut self) {
        self.ascii = true;
    }

    /// Sets the parts of the status line.
    pub(crate) fn set_status_parts(&mut self, parts: Vec<StatusPart>) {
        self.status.set_parts(parts);
    }

    /// Adds the inputs of earlier sessions, oldest first.
    pub(crate) fn add_history(&mut self, inputs: Vec<String>) {
        self.composer.add_history(inputs);
    }

    /// The terminal has another size.
    pub(crate) fn resize(&mut self, columns: usize, rows: usize) {
        self.columns = columns.max(1);
        self.rows = rows.max(1);
        self.transcript.resize(self.columns);
    }

    /// What [`Screen::draw`] returned is on the terminal: from now on it can have been read.
    pub(crate) fn painted(&mut self, now: Instant) {
        self.overlay.mark_seen(now);
    }

    /// Returns true if the screen changes with time alone.
    pub(crate) fn ticks(&self) -> bool {
        self.turn.is_running() || self.overlay.asks() || self.status.is_timed()
    }

    /// Advances the spinner. Returns true if something else changed.
    pub(crate) fn tick(&mut self, now: Instant) -> bool {
        self.frame = self.frame.wrapping_add(1);
        self.overlay.remove_cancelled();
        self.status.expire(now)
    }

    /// Returns true if the session has ended.
    pub(crate) fn ended(&self) -> bool {
        self.exit == Exit::Ended
    }

    /// Returns true if the user left without waiting for the session.
    pub(crate) fn abandoned(&self) -> bool {
        self.exit == Exit::Abandoned
    }

    /// This moment, for what is in front of the input.
    fn moment(&self, now: Instant) -> Moment {
        Moment { now, has_draft: !self.composer.is_empty() }
    }

    /// The state of the program, for the terminal.
    pub(crate) fn program_state(&self) -> ProgramState {
        self.overlay.program_state().unwrap_or(self.turn.program_state())
    }

    /// The title of the terminal's window.
    pub(crate) fn title(&self) -> String {
        self.status.title(self.program_state())
    }

    /// Sends a text as if it had been typed, or queues it while a turn runs. White space at its end is left out: completions add it.
    pub(crate) fn submit(&mut self, text: &str) -> Vec<Act> {
        let text = text.trim_end();
        if text.is_empty() {
            return Vec::new();
        }
        self.status.take_hint();
        let mut acts = vec![Act::Entered(text.to_owned())];
        if let Some(text) = self.composer.accept(text.to_owned(), self.turn.is_busy()) {
            acts.push(self.send(text));
        }
        acts
    }

    /// Queues a text that is sent once the session waits for its user: what it says of itself stands above.
    pub(crate) fn queue_first(&mut self, text: &str) -> Option<Act> {
        let text = Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())?;
        self.composer.accept(text.clone(), true);
        Some(Act::Entered(text))
    }

    /// Inputs that were queued and not sent, oldest first.
    pub(crate) fn unsent(&self) -> Vec<String> {
        self.composer.unsent()
    }

    fn send(&mut self, text: String) -> Act {
        self.transcript.print(Block::User(&text));
        if !self.composer.is_anytime(&text) {
            self.turn.send();
        }
        Act::Submit(text)
    }

    /// Interrupts the turn. Queued inputs are paused.
    fn interrupt(&mut self) -> Vec<Act> {
        self.composer.pause_queue();
        if self.turn.interrupt() { vec![Act::Interrupt] } else { Vec::new() }
    }

    /// The user leaves; a second time, without waiting for the session.
    fn leave(&mut self) -> Vec<Act> {
        if self.exit != Exit::Stay {
            self.exit = Exit::Abandoned;
            return Vec::new();
        }
        self.exit = Exit::Leaving;
        self.overlay.deny_all();
        vec![Act::Quit]
    }
}

#[cfg(test)]
mod tests;
