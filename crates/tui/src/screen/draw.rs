//! Draws the live part: running work, the line, the input, and questions. It is never higher than the screen.

use std::time::Instant;

use super::{Exit, Screen};
use crate::ascii::in_ascii;
use crate::layout::wrap;
use crate::line::Line;
use crate::live::Live;
use crate::overlay::Moment;
use crate::status::hint_line;

/// Rows from which what is different is set apart by empty rows.
const ROOMY: usize = 13;
/// Rows from which the line is drawn.
const LINED: usize = 6;
/// Shown while the session ends.
const LEAVING: &str = "leaving… ctrl+c twice leaves without waiting";

impl Screen {
    /// The live part at this moment.
    pub(crate) fn draw(&self, now: Instant) -> Live {
        let bottom = self.bottom(now);
        let mut live = Live::default();
        live.extend(self.top(self.rows.saturating_sub(bottom.lines.len()), now));
        live.append(bottom);
        if self.ascii {
            live.lines = live.lines.into_iter().map(in_ascii).collect();
        }
        live.fit(self.columns, self.rows);
        live
    }

    /// Takes the lines that were finished since the last time, for the scrollback.
    pub(crate) fn take_printed(&mut self) -> Vec<Line> {
        let printed = self.transcript.take_printed();
        if !self.ascii {
            return printed;
        }
        // Some marks are longer in ASCII.
        let fitted = |line: Line| if line.is_whole() { vec![line] } else { wrap(&line, self.columns) };
        printed.into_iter().map(in_ascii).flat_map(fitted).collect()
    }

    /// What the turn does: the open part of the transcript, the activity with the checklist, the queue. Of what is too long, the
    /// end.
    fn top(&self, room: usize, now: Instant) -> Vec<Line> {
        let mut lines = self.transcript.draw(self.overlay.asked_call(), now);
        let activity = self.activity(now);
        let queue = self.composer.draw_queue(self.columns, self.turn.is_busy());
        let todo = self.checklist.draw(self.columns, self.rows, activity.is_some());
        let works = activity.is_some() || !queue.is_empty() || !todo.is_empty();
        if works && !(lines.is_empty() && self.transcript.is_empty()) {
            lines.push(Line::blank());
        }
        if activity.is_some() {
            lines.extend(activity);
            lines.extend(self.turn.trouble(self.columns));
        }
        lines.extend(todo);
        lines.extend(queue);
        let apart = !(works || self.overlay.asks()) && self.rows >= ROOMY;
        if apart && !(lines.is_empty() && self.transcript.is_empty()) {
            lines.push(Line::blank());
        }
        lines.split_off(lines.len().saturating_sub(room))
    }

    /// What a running turn does. While a question waits, nothing moves.
    fn activity(&self, now: Instant) -> Option<Line> {
        if self.overlay.asks() {
            return None;
        }
        let todo = self.checklist.progress();
        self.turn.activity(self.frame, self.transcript.doing(), todo, self.columns, now)
    }

    /// What the user works with: a picker, a question, or the input; and the line and the status.
    fn bottom(&self, now: Instant) -> Live {
        let (columns, room) = (self.columns, self.rows);
        let mut live = Live::default();
        let typed = usize::from(!self.composer.is_empty());
        let moment = self.moment(now);
        if let Some(picker) = self.overlay.draw_picker(columns, room.saturating_sub(typed).max(1), moment) {
            live.append(picker);
            live.append(self.draft(moment));
        } else if self.overlay.asks() {
            let below = 1 + typed + usize::from(room >= LINED);
            live.append(self.overlay.draw_question(columns, room.saturating_sub(below).max(1), moment));
            live.extend(self.line());
            live.append(self.draft(moment));
            let queues = self.overlay.leaves_keys_to_draft(moment) && self.turn.is_busy();
            live.extend([self.figures(queues)]);
        } else {
            live.extend(self.line());
            live.append(self.input(room.saturating_sub(live.lines.len())));
        }
        live
    }

    /// The text in the input in one row, while something is in front of it.
    fn draft(&self, moment: Moment) -> Live {
        if self.overlay.leaves_keys_to_draft(moment) {
            return self.composer.draw(self.columns, 1, false);
        }
        let row = moment.has_draft.then(|| self.composer.draw_dim(self.columns));
        Live { lines: row.into_iter().collect(), cursor: None }
    }

    /// The figures. `queues`: Enter queues what is typed.
    fn figures(&self, queues: bool) -> Line {
        self.status.figures(&self.composer.mode(), if queues { "enter queues" } else { "" }, self.columns)
    }

    /// The line above the input.
    fn line(&self) -> Option<Line> {
        (self.rows >= LINED).then(|| self.status.gauge(self.columns))
    }

    /// The input, and what is below it: candidates and keys, or the status.
    fn input(&self, room: usize) -> Live {
        let mut live = Live::default();
        let mut below = self.composer.draw_below(self.columns, room.saturating_sub(1));
        if below.is_empty() {
            below.push(self.foot());
        }
        let invite = !self.turn.is_busy();
        live.append(self.composer.draw(self.columns, room.saturating_sub(below.len()).max(1), invite));
        live.extend(below);
        live
    }

    /// The last row: the figures, or a hint.
    fn foot(&self) -> Line {
        let leaving = || (self.exit == Exit::Leaving).then(|| hint_line(LEAVING));
        let hint = || self.composer.search_hint().or_else(leaving).or_else(|| self.status.hint());
        hint().unwrap_or_else(|| self.figures(!self.composer.is_empty() && self.turn.is_busy()))
    }
}
