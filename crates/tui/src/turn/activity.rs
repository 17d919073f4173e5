//! The line about a running turn.

use std::time::Instant;

use super::{Outcome, Phase, Turn};
use crate::calls::elapsed;
use crate::line::{BOLD, Color, DIM, Line, PLAIN};
use crate::status::short_number;

/// The frames of the spinner.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠧", "⠇", "⠏"];

impl Turn {
    /// What the session does. `frame` counts the frames of the spinner; `asks`: a call waits for the user. `None`: no turn runs.
    pub(crate) fn activity(&self, frame: usize, asks: bool, now: Instant) -> Option<Line> {
        let Self::Running(turn) = self else { return None };
        let interrupted = turn.outcome == Outcome::Interrupted;
        let what = match turn.phase {
            _ if interrupted => "stopping",
            Phase::Compacting => "compacting",
            Phase::Working if asks => "waiting for you",
            Phase::Working => "working",
        };
        let mark = SPINNER.get(frame % SPINNER.len()).copied().unwrap_or("●");
        let mut line = Line::styled(format!("{mark} "), PLAIN.fg(Color::Cyan)).then(what, BOLD);
        line.add(format!(" {}", elapsed(now.saturating_duration_since(turn.since))), DIM);
        if turn.output > 0 {
            line.add(format!(" · ↓ {}", short_number(turn.output)), DIM);
        }
        if !interrupted && !asks {
            line.add(" · esc to interrupt", DIM);
        }
        Some(line)
    }
}
