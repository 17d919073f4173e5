//! The state of the screen: what the session sent, what the user typed, and what is shown now.
//!
//! It is a value. Time, size and events come in as arguments; what leaves are lines for the scrollback ([`Screen::printed`]),
//! lines of the live part ([`Screen::draw`]) and acts for the session.

mod draw;
mod editing;
mod events;
mod keys;
mod printing;
mod shows;
mod submit;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::calls::RunningCall;
use crate::composer::{Completion, History, Search};
use crate::editor::Editor;
use crate::line::Line;
use crate::markdown::Stream;
use crate::overlay::{Approvals, OpenPicker};
use crate::port::{Act, CommandInfo, StatusLine, TurnState};
use crate::program_status::ProgramState;

/// Time in which a second Ctrl+C quits, and a second Esc goes back.
const TWICE: Duration = Duration::from_secs(2);

/// What kind of thing was printed last: between two kinds stands an empty line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    User,
    Answer,
    Call,
    Notice,
}

/// Thinking in progress.
#[derive(Debug)]
struct Thinking {
    text: String,
    since: Instant,
}

/// The live part of the screen: lines that are no wider than the screen, and the place of the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Live {
    pub(crate) lines: Vec<Line>,
    /// Row and column from the first line on; `None`: no cursor is shown.
    pub(crate) cursor: Option<(usize, usize)>,
}

/// The state of the screen.
#[derive(Debug)]
pub(crate) struct Screen {
    columns: usize,
    rows: usize,
    printed: Vec<Line>,
    last: Kind,

    stream: Stream,
    thinking: Option<Thinking>,
    calls: Vec<RunningCall>,
    turn: TurnState,
    /// When the turn began that runs.
    since: Option<Instant>,
    /// Whether something was sent that the session is not done with.
    busy: bool,
    interrupted: bool,
    /// Whether a turn ran.
    worked: bool,
    /// Whether something went wrong in the turn that runs.
    failed: bool,
    /// Why the newest request was tried again; empty: it was not.
    retried: String,
    /// Output tokens of the turn that runs.
    output: u64,
    queue: VecDeque<String>,
    /// Inputs that were queued when a turn was interrupted or failed: the user decides whether they are sent.
    paused: VecDeque<String>,

    input: Editor,
    history: History,
    search: Option<Search>,
    commands: Vec<CommandInfo>,
    files: Vec<String>,
    /// What stood behind the `@` when paths were asked for last.
    asked_files: Option<String>,
    completion: Option<Completion>,
    /// Completion was closed, and stays closed until the text changes.
    dismissed: bool,
    approvals: Approvals,
    choice: Option<OpenPicker>,
    status: StatusLine,
    hint: String,
    keys_shown: bool,
    /// When Ctrl+C was pressed last.
    break_at: Option<Instant>,
    /// When Esc was pressed last, if nothing was to be stopped.
    escape_at: Option<Instant>,
    typed_at: Option<Instant>,
    /// The newest checklist of the model, and whether it is shown above the input.
    plan: Vec<Line>,
    plan_shown: bool,
    leaving: bool,
    abandoned: bool,
    ended: bool,
    spin: usize,
}

impl Screen {
    /// An empty screen of this size.
    pub(crate) fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns: columns.max(1),
            rows: rows.max(1),
            printed: Vec::new(),
            last: Kind::Nothing,
            stream: Stream::default(),
            thinking: None,
            calls: Vec::new(),
            turn: TurnState::Idle,
            since: None,
            busy: false,
            interrupted: false,
            worked: false,
            failed: false,
            retried: String::new(),
            output: 0,
            queue: VecDeque::new(),
            paused: VecDeque::new(),
            input: Editor::default(),
            history: History::default(),
            search: None,
            commands: Vec::new(),
            files: Vec::new(),
            asked_files: None,
            completion: None,
            dismissed: false,
            approvals: Approvals::default(),
            choice: None,
            status: StatusLine::default(),
            hint: String::new(),
            keys_shown: false,
            break_at: None,
            escape_at: None,
            typed_at: None,
            plan: Vec::new(),
            plan_shown: false,
            leaving: false,
            abandoned: false,
            ended: false,
            spin: 0,
        }
    }

    /// The terminal has another size.
    pub(crate) fn resize(&mut self, columns: usize, rows: usize) {
        self.columns = columns.max(1);
        self.rows = rows.max(1);
    }

    /// Takes the lines that are finished since the last time: they belong into the scrollback.
    pub(crate) fn printed(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.printed)
    }

    /// What [`Screen::draw`] gave is on the terminal: from here on it can have been read.
    pub(crate) fn painted(&mut self, now: Instant) {
        if self.choice.is_none() {
            self.approvals.painted(now);
        }
    }

    /// Returns true if the screen changes with time alone.
    pub(crate) fn ticks(&self) -> bool {
        let waits_for_second_key = self.break_at.is_some() || self.escape_at.is_some();
        self.turn != TurnState::Idle || !self.approvals.is_empty() || waits_for_second_key
    }

    /// Advances the spinner. Returns true if something else changed.
    pub(crate) fn tick(&mut self, now: Instant) -> bool {
        self.spin = self.spin.wrapping_add(1);
        self.approvals.tidy();
        let is_over = |at: Option<Instant>| at.is_some_and(|at| now.saturating_duration_since(at) >= TWICE);
        if !is_over(self.break_at) && !is_over(self.escape_at) {
            return false;
        }
        (self.break_at, self.escape_at) = (None, None);
        if !self.leaving {
            self.hint.clear();
        }
        true
    }

    /// Returns true if the session has ended.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// Returns true if the user quit without waiting for the session.
    pub(crate) fn abandoned(&self) -> bool {
        self.abandoned
    }

    /// The state of the program for the terminal.
    pub(crate) fn program_state(&self) -> ProgramState {
        if !self.approvals.is_empty() {
            ProgramState::Permission
        } else if self.choice.is_some() {
            ProgramState::Question
        } else if self.busy || self.turn != TurnState::Idle {
            ProgramState::Working
        } else if self.worked {
            ProgramState::Done
        } else {
            ProgramState::Idle
        }
    }

    /// The title of the terminal's window.
    pub(crate) fn title(&self) -> String {
        let mark = match self.program_state() {
            ProgramState::Permission | ProgramState::Question => "? ",
            ProgramState::Working => "● ",
            ProgramState::Idle | ProgramState::Done => "",
        };
        let title = crate::clean::stripped(&self.status.title).replace('\n', " ");
        let title = if title.trim().is_empty() { "throughline".to_owned() } else { title };
        crate::clean::one_line(&format!("{mark}{}", crate::layout::cut_text(&title, 60)), 0)
    }

    /// Goes through what waits for the user to leave: two quick breaks.
    fn leave(&mut self) -> Vec<Act> {
        if self.leaving {
            self.abandoned = true;
            return Vec::new();
        }
        self.leaving = true;
        self.hint = "leaving… ctrl+c twice leaves without waiting".to_owned();
        self.approvals.deny_all();
        vec![Act::Quit]
    }
}

#[cfg(test)]
mod tests;
