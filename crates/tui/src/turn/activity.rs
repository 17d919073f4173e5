//! The line about a running turn.

use std::time::{Duration, Instant};

use super::{Outcome, Phase, Retry, RunningTurn, Turn};
use crate::calls::{elapsed, whole_seconds};
use crate::clean::stripped;
use crate::layout::{cut_text, width, wrap_hanging};
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::palette::{ACCENT, MEMORY, WAIT};
use crate::status::short_number;

/// Rows of the cause of a retry.
const CAUSE_ROWS: usize = 3;
/// Columns of what the turn does, where there is little room.
const LEAST_WORDS: usize = 12;
/// The frames of the spinner.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠧", "⠇", "⠏"];

impl Turn {
    /// What the session does. `frame` counts the frames of the spinner; `doing`: what the turn is seen to do; `todo`: the
    /// current item of the checklist, which is cut where the figures need the room, and how many are done. `None`: no turn runs.
    pub(crate) fn activity(
        &self,
        frame: usize,
        doing: String,
        todo: Option<(String, String)>,
        columns: usize,
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
        facts.extend(turn.retry.as_ref().map(|retry| retry.wait(now)));
        facts.extend(stop.map(str::to_owned));
        let mark = SPINNER.get(frame % SPINNER.len()).copied().unwrap_or("●");
        let colour = if turn.phase == Phase::Compacting { MEMORY } else { ACCENT };
        let (mark, facts) =
            (Line::styled(format!("{mark} "), PLAIN.fg(colour)), format!(" {}", facts.join(" · ")));
        let room = columns.saturating_sub(mark.width() + width(&facts)).max(LEAST_WORDS);
        Some(mark.then(cut_text(&what, room), BOLD).then(facts, DIM))
    }

    /// Why the request is sent again; empty: it is not.
    pub(crate) fn trouble(&self, columns: usize) -> Vec<Line> {
        let Self::Running(RunningTurn { retry: Some(retry), .. }) = self else { return Vec::new() };
        let cause = Line::styled(stripped(&retry.cause).replace('\n', " "), DIM);
        let first = Line::plain("  ").then("! ", PLAIN.fg(WAIT));
        let mut lines = wrap_hanging(&first, &Line::plain("    "), &cause, columns);
        lines.truncate(CAUSE_ROWS);
        lines
    }
}

impl Retry {
    /// When it is sent.
    fn wait(&self, now: Instant) -> String {
        let left = self.due.map_or(Duration::ZERO, |due| due.saturating_duration_since(now));
        match left.as_millis().div_ceil(1_000) {
            0 => "trying again".to_owned(),
            seconds => {
                let left = Duration::from_secs(seconds.try_into().unwrap_or(u64::MAX));
                format!("trying again in {}", whole_seconds(left))
            }
        }
    }
}
