//! Draws the live part: running work, the input, and questions. It is never higher than the screen.

use std::time::Instant;

use super::{Exit, Screen};
use crate::line::Line;
use crate::live::Live;
use crate::status::hint_line;

/// Rows from which the input is set apart from the transcript.
const ROOMY: usize = 13;
/// Shown while the session ends.
const LEAVING: &str = "leaving… ctrl+c twice leaves without waiting";

impl Screen {
    /// The live part at this moment.
    pub(crate) fn draw(&self, now: Instant) -> Live {
        let bottom = self.bottom(now);
        let mut live = Live::default();
        live.extend(self.top(self.rows.saturating_sub(bottom.lines.len()), now));
        live.append(bottom);
        live.fit(self.columns, self.rows);
        live
    }

    /// What the turn does: the open part of the transcript, the activity, the queue. Of what is too long, the end.
    fn top(&self, room: usize, now: Instant) -> Vec<Line> {
        let mut lines = self.transcript.draw(now);
        let activity = self.turn.activity(self.frame, self.overlay.asks(), now);
        let queue = self.composer.draw_queue(self.columns, self.turn.is_busy());
        if activity.is_some() || !queue.is_empty() {
            lines.push(Line::blank());
        }
        lines.extend(activity);
        lines.extend(queue);
        lines.split_off(lines.len().saturating_sub(room))
    }

    /// What the user works with: a picker, a question, or the input; and the status.
    fn bottom(&self, now: Instant) -> Live {
        let (columns, mut room) = (self.columns, self.rows);
        let mut live = Live::default();
        // An empty row, and no rule: a terminal that becomes narrower breaks every line that was as wide as it, and pushes others
        // out of reach.
        if self.rows >= ROOMY && !self.transcript.is_empty() {
            live.extend([Line::blank()]);
            room -= 1;
        }
        if let Some(picker) = self.overlay.draw_picker(columns, room) {
            live.append(picker);
        } else if self.overlay.asks() {
            let typed = usize::from(!self.composer.is_empty());
            live.append(self.overlay.draw_question(columns, room.saturating_sub(1 + typed).max(1), now));
            live.extend((typed > 0).then(|| self.composer.draw_dim(columns)));
            live.extend([self.status.figures("", columns)]);
        } else {
            live.append(self.input(room));
        }
        live
    }

    /// The checklist, the input, and what is below it: candidates and keys, or the status.
    fn input(&self, mut room: usize) -> Live {
        let mut live = Live::default();
        live.extend(self.checklist.draw(self.columns, self.rows));
        room = room.saturating_sub(live.lines.len());
        let mut below = self.composer.draw_below(self.columns, room.saturating_sub(2));
        if below.is_empty() {
            below.push(self.foot());
        }
        let invite = self.turn.is_fresh() && self.transcript.ends_with_notice();
        live.append(self.composer.draw(self.columns, room.saturating_sub(1 + below.len()).max(1), invite));
        live.extend(below);
        live
    }

    /// The last row: the figures, or a hint.
    fn foot(&self) -> Line {
        let leaving = || (self.exit == Exit::Leaving).then(|| hint_line(LEAVING));
        let hint = || self.composer.search_hint().or_else(leaving).or_else(|| self.status.hint());
        hint().unwrap_or_else(|| {
            let queues = !self.composer.is_empty() && self.turn.is_busy();
            self.status.figures(if queues { "enter queues" } else { "? for keys" }, self.columns)
        })
    }
}
