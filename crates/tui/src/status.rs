//! The last row: the figures of the session, or a hint about a key instead.

mod figures;
mod gauge;
mod parts;

use std::time::{Duration, Instant};

pub(crate) use figures::short_number;
pub use figures::{PRICE_UNKNOWN, dollars_in_line};
pub(crate) use gauge::bar;
pub use parts::StatusPart;

use crate::layout::cut_text;
use crate::line::{Line, PLAIN};
use crate::palette::WAIT;
use crate::port::{StatusLine, TurnCost};
use crate::program_status::ProgramState;

/// Time in which a key that must be pressed twice is pressed again.
const TWICE: Duration = Duration::from_secs(2);
/// Time in which a mode that was changed stands out.
const FRESH: Duration = Duration::from_secs(3);
/// Maximum columns of the title of the window.
const TITLE_COLUMNS: usize = 60;

/// What is said about a key, until the next key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Hint {
    #[default]
    None,
    /// Ctrl+C was pressed at this time; again, it leaves.
    LeaveAgain(Instant),
    /// Esc was pressed at this time; again, it opens the list of turns.
    RewindAgain(Instant),
    /// There is no checklist to show.
    NoChecklist,
}

impl Hint {
    fn text(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::LeaveAgain(_) => Some("ctrl+c again to leave"),
            Self::RewindAgain(_) => Some("esc again to go back to an earlier turn"),
            Self::NoChecklist => Some("the model has written no checklist yet"),
        }
    }

    /// When the first of two keys was pressed.
    fn since(self) -> Option<Instant> {
        match self {
            Self::LeaveAgain(since) | Self::RewindAgain(since) => Some(since),
            Self::None | Self::NoChecklist => None,
        }
    }

    /// Returns true if Ctrl+C now is the second one.
    pub(crate) fn is_second_leave(self, now: Instant) -> bool {
        matches!(self, Self::LeaveAgain(_)) && !self.is_over(now)
    }

    /// Returns true if Esc now is the second one.
    pub(crate) fn is_second_rewind(self, now: Instant) -> bool {
        matches!(self, Self::RewindAgain(_)) && !self.is_over(now)
    }

    fn is_over(self, now: Instant) -> bool {
        self.since().is_some_and(|since| now.saturating_duration_since(since) >= TWICE)
    }
}

/// The figures and the hint.
#[derive(Debug, Default)]
pub(crate) struct Status {
    figures: StatusLine,
    hint: Hint,
    /// When the mode was changed, while that is news.
    changed: Option<Instant>,
    /// The parts of the figures; `None`: the usual ones.
    parts: Option<Vec<StatusPart>>,
}

impl Status {
    pub(crate) fn set_figures(&mut self, figures: StatusLine, now: Instant) {
        if !self.figures.mode.is_empty() && self.figures.mode != figures.mode {
            self.changed = Some(now);
        }
        self.figures = figures;
    }

    /// Sets the parts that the figures have from now on.
    pub(crate) fn set_parts(&mut self, parts: Vec<StatusPart>) {
        self.parts = Some(parts);
    }

    /// Tokens of the effective window, if they are known.
    pub(crate) fn window_tokens(&self) -> Option<u64> {
        self.figures.window_tokens
    }

    /// What the turn cost.
    pub(crate) fn turn_cost(&self) -> TurnCost {
        self.figures.turn
    }

    pub(crate) fn set_hint(&mut self, hint: Hint) {
        self.hint = hint;
    }

    /// Removes the hint, because another key was pressed.
    pub(crate) fn take_hint(&mut self) -> Hint {
        std::mem::take(&mut self.hint)
    }

    /// Returns true while something changes with time: a second key is waited for, or the mode is new.
    pub(crate) fn is_timed(&self) -> bool {
        self.hint.since().is_some() || self.changed.is_some()
    }

    /// Removes the hint about a second key, and the news of a mode, when their time is over. Returns true if something was removed.
    pub(crate) fn expire(&mut self, now: Instant) -> bool {
        let is_old =
            self.changed.take_if(|changed| now.saturating_duration_since(*changed) >= FRESH).is_some();
        let is_over = self.hint.is_over(now);
        if is_over {
            self.hint = Hint::None;
        }
        is_over || is_old
    }

    /// The figures, with `keys` at their right in place of model and branch if there are some. `input`: the mode of the input; may be
    /// empty.
    pub(crate) fn figures(&self, input: &str, keys: &str, columns: usize) -> Line {
        // A command alone has nothing to show before its first output, and when it has failed.
        let is_silent =
            |parts: &&[StatusPart]| *parts == [StatusPart::Command] && self.figures.command.is_none();
        let parts = self.parts.as_deref().filter(|parts| !is_silent(parts)).unwrap_or(&StatusPart::USUAL);
        figures::line(&self.figures, parts, input, keys, self.changed.is_some(), columns)
    }

    /// The line above the input.
    pub(crate) fn gauge(&self, columns: usize) -> Line {
        gauge::gauge(&self.figures, columns)
    }

    /// The hint, if there is one.
    pub(crate) fn hint(&self) -> Option<Line> {
        self.hint.text().map(hint_line)
    }

    /// The title of the terminal's window.
    pub(crate) fn title(&self, state: ProgramState) -> String {
        let mark = match state {
            ProgramState::Permission | ProgramState::Question => "? ",
            ProgramState::Working => "● ",
            ProgramState::Idle | ProgramState::Done => "",
        };
        let title = crate::clean::stripped(&self.figures.title).replace('\n', " ");
        let title = if title.trim().is_empty() { "throughline".to_owned() } else { title };
        crate::clean::one_line(&format!("{mark}{}", cut_text(&title, TITLE_COLUMNS)), 0)
    }
}

/// A hint, which replaces the figures.
pub(crate) fn hint_line(text: &str) -> Line {
    Line::styled(text, PLAIN.fg(WAIT))
}
