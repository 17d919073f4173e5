//! The line about a running turn.

use std::time::Instant;

use super::{Outcome, Phase, Turn};
use crate::calls::elapsed;
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::palette::{ACCENT, MEMORY};
use crate::status::short_number;

/// The frames of the spinner.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠧", "⠇", "⠏"];

impl Turn {
    /// What the session does. `frame` counts the frames of the spinner; `doing`: what the turn is seen to do; `todo`: the
    /// current item of the checklist, and how many are done. `None`: no turn runs.
    pub(crate) fn activity(
        &self,
        frame: usize,
        doing: String,
        todo: Option<(String, String)>,
        now: Instant,
    ) -> Option<Line> {
        let Self::Running(turn) = self else { return None };
        let interrupted = turn.outcome == Outcome::Interrupted;
        let mut facts = Vec::new();
        let (what, stop) = match turn.phase {
            _ if interrupted => ("stopping".to_owned(), None),
            Phase::Compacting => ("compacting".to_owned(), Some("esc keeps everything")),
            Phase::Working => {
                let label = todo.map(|(item, progress)| {
                    facts.push(progress);
                    item
                });
                (label.unwrap_or(doing), Some("esc stops"))
            }
        };
        facts.push(elapsed(now.saturating_duration_since(turn.since)));
        if turn.output > 0 {
            facts.push(format!("{} tokens", short_number(turn.output)));
        }
        facts.extend(turn.retrying.clone());
        facts.extend(stop.map(str::to_owned));
        let mark = SPINNER.get(frame % SPINNER.len()).copied().unwrap_or("●");
        let colour = if turn.phase == Phase::Compacting { MEMORY } else { ACCENT };
        let line = Line::styled(format!("{mark} "), PLAIN.fg(colour)).then(what, BOLD);
        Some(line.then(format!(" {}", facts.join(" · ")), DIM))
    }
}
