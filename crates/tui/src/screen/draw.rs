//! Draws the live part: running work, the input, and questions. It is never higher than the screen.

use std::time::Instant;

use super::{Live, Screen};
use crate::calls::{bounded, elapsed};
use crate::clean::{stripped, visible};
use crate::layout::{chop, cut, cut_text, width, wrap};
use crate::line::{BOLD, CHOSEN, Color, DIM, Line, Modifier, PLAIN};
use crate::port::TurnState;
use crate::status;

/// Precedes the input.
const PROMPT: &str = "› ";
/// Most completion items on the screen.
const ITEMS: usize = 8;
/// Most queued inputs on the screen.
const QUEUED: usize = 3;
/// The frames of the spinner.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠧", "⠇", "⠏"];
/// The keys, for the screen.
const KEYS: &str = include_str!("../keys.txt");

impl Screen {
    pub(super) fn input_columns(&self) -> usize {
        self.columns.saturating_sub(width(PROMPT)).max(2)
    }

    /// The live part at this moment.
    pub(crate) fn draw(&self, now: Instant) -> Live {
        let (bottom, cursor) = self.bottom(now, self.rows);
        let top = self.top(now, self.rows.saturating_sub(bottom.len()));
        let above = top.len();
        let mut lines: Vec<Line> = top.into_iter().chain(bottom).collect();
        let mut cursor = cursor.map(|(row, column)| (row + above, column));
        // Whatever does not fit is taken from the top, where the older things are.
        let over = lines.len().saturating_sub(self.rows);
        lines.drain(..over);
        for line in &mut lines {
            *line = cut(line, self.columns);
        }
        if let Some((row, column)) = &mut cursor {
            *row = row.saturating_sub(over).min(lines.len().saturating_sub(1));
            *column = (*column).min(self.columns.saturating_sub(1));
        }
        Live { lines, cursor }
    }

    /// What the turn does: the open end of the answer, running calls, what waits.
    fn top(&self, now: Instant, room: usize) -> Vec<Line> {
        let mut work = Vec::new();
        for call in &self.calls {
            work.extend(call.lines(now, self.columns));
        }
        if let Some(thinking) = &self.thinking {
            let text = stripped(&thinking.text);
            let newest = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
            let line = format!("∴ {}", newest.replace("**", ""));
            work.push(Line::styled(cut_text(&line, self.columns), DIM.add_modifier(Modifier::ITALIC)));
        }
        let mut foot = Vec::new();
        foot.extend(self.activity(now));
        foot.extend(self.queued());
        let mut open = Vec::new();
        for line in self.stream.open(self.columns) {
            open.extend(if line.is_whole() { chop(&line, self.columns) } else { vec![line] });
        }
        let mut lines: Vec<Line> = Vec::new();
        if !open.is_empty() {
            if self.begins_apart() {
                lines.push(Line::blank());
            }
            lines.extend(open);
        } else if !work.is_empty() && self.last != super::Kind::Call {
            lines.push(Line::blank());
        }
        lines.extend(work);
        if !foot.is_empty() {
            lines.push(Line::blank());
            lines.extend(foot);
        }
        // The end is what is new.
        let over = lines.len().saturating_sub(room);
        lines.drain(..over);
        lines
    }

    /// The first inputs that wait for the end of the turn, or for the user.
    fn queued(&self) -> Vec<Line> {
        let paused = self.paused.iter().map(|text| ("paused", text));
        let waiting = self.queue.iter().map(|text| ("waits", text));
        let line = |(state, text): (&str, &String)| {
            let text = visible(text).replace('\n', " ⏎ ");
            Line::styled(cut_text(&format!("  {state}: {text}"), self.columns), DIM)
        };
        let mut lines: Vec<Line> = paused.chain(waiting).take(QUEUED).map(line).collect();
        let more = (self.paused.len() + self.queue.len()).saturating_sub(QUEUED);
        if more > 0 {
            lines.push(Line::styled(format!("  … {more} more"), DIM));
        }
        if !self.paused.is_empty() && !self.works() {
            lines.push(Line::styled("  enter sends them one by one · ↑ edits the newest", DIM));
        }
        lines
    }

    /// Returns true if the open end of the answer follows another block.
    fn begins_apart(&self) -> bool {
        !matches!(self.last, super::Kind::Nothing | super::Kind::Answer)
    }

    fn activity(&self, now: Instant) -> Option<Line> {
        let what = match self.turn {
            TurnState::Idle => return None,
            _ if self.interrupted => "stopping",
            TurnState::Compacting => "compacting",
            TurnState::Working if !self.approvals.is_empty() => "waiting for you",
            TurnState::Working => "working",
        };
        let mark = SPINNER.get(self.spin % SPINNER.len()).copied().unwrap_or("●");
        let mut line = Line::styled(format!("{mark} "), PLAIN.fg(Color::Cyan)).then(what, BOLD);
        if let Some(since) = self.since {
            line.add(format!(" {}", elapsed(now.saturating_duration_since(since))), DIM);
        }
        if self.output > 0 {
            line.add(format!(" · ↓ {}", status::short_number(self.output)), DIM);
        }
        if !self.interrupted && self.approvals.is_empty() {
            line.add(" · esc to interrupt", DIM);
        }
        Some(line)
    }

    /// What the user works with: a question, a picker, or the input, and the line of figures.
    fn bottom(&self, now: Instant, room: usize) -> (Vec<Line>, Option<(usize, usize)>) {
        // Where there is room, what the user works with keeps away from what stands above. There is no rule: a terminal that
        // becomes narrower breaks every line that was as wide as it, and pushes others out of reach.
        let mut lines = Vec::new();
        if self.rows > 12 && self.last != super::Kind::Nothing {
            lines.push(Line::blank());
        }
        let above = lines.len();
        let hint = if self.approvals.is_empty() { self.hint() } else { "" };
        let status = status::line(&self.status, hint, self.columns);
        if let Some(choice) = &self.choice {
            let (rows, (row, column)) = choice.lines(self.columns, room.saturating_sub(above));
            lines.extend(rows);
            return (lines, Some((row + above, column)));
        }
        if !self.approvals.is_empty() {
            let typed = if self.input.is_empty() { 0 } else { 1 };
            let (rows, cursor) =
                self.approvals.lines(self.columns, room.saturating_sub(1 + above + typed).max(1), now);
            lines.extend(rows);
            if typed > 0 {
                let text = visible(self.input.text()).replace('\n', " ⏎ ");
                lines.push(Line::styled(cut_text(&format!("{PROMPT}{text}"), self.columns), DIM));
            }
            lines.push(status);
            return (lines, cursor.map(|(row, column)| (row + above, column)));
        }
        let plan = self.plan_lines(room);
        let above = above + plan.len();
        lines.extend(plan);
        let below = self.below(room.saturating_sub(2 + above));
        let (input, (row, column)) =
            self.input_lines(room.saturating_sub(1 + above + below.len().max(1)).max(1));
        let place = (lines.len() + row, column);
        lines.extend(input);
        if below.is_empty() {
            lines.push(self.foot(status));
        } else {
            lines.extend(below);
        }
        (lines, Some(place))
    }

    /// The checklist, in a third of the room at most.
    fn plan_lines(&self, room: usize) -> Vec<Line> {
        if !self.plan_shown {
            return Vec::new();
        }
        let lines = self.plan.iter().flat_map(|line| wrap(line, self.columns)).collect();
        bounded(lines, (room / 3).max(1))
    }

    /// The line of figures, or in its place what was just said about a key.
    fn foot(&self, status: Line) -> Line {
        match &self.search {
            Some(search) => {
                let none = !search.query.is_empty() && search.found(&self.history).is_none();
                let found = if none {
                    "nothing found"
                } else {
                    "enter sends · tab edits · ctrl+r older · esc leaves"
                };
                Line::styled(found, DIM)
            }
            None if !self.hint.is_empty() => Line::styled(&self.hint, PLAIN.fg(Color::Yellow)),
            None => status,
        }
    }

    fn hint(&self) -> &'static str {
        if !self.input.is_empty() && self.works() { "enter queues" } else { "? for keys" }
    }

    /// The input in so many rows at most, and the place of the cursor.
    fn input_lines(&self, room: usize) -> (Vec<Line>, (usize, usize)) {
        if let Some(search) = &self.search {
            let mut line = Line::styled("search: ", DIM).then(visible(&search.query), BOLD);
            let column = line.width();
            if let Some(found) = search.found(&self.history) {
                line.add(format!("  {}", visible(found).replace('\n', " ⏎ ")), PLAIN);
            }
            return (vec![line], (0, column));
        }
        let rows = self.input.rows(self.input_columns());
        let indent = width(PROMPT);
        // The rows around the cursor are shown.
        let from = (rows.row + 1).saturating_sub(room);
        let mut lines = Vec::new();
        for (index, row) in rows.rows.iter().enumerate().skip(from).take(room) {
            let mut line = match index {
                0 => Line::styled(PROMPT, BOLD.fg(Color::Cyan)),
                _ => Line::plain(" ".repeat(indent)),
            };
            let fresh = matches!(self.last, super::Kind::Nothing | super::Kind::Notice);
            if fresh && self.input.is_empty() && !self.worked && !self.busy {
                line.add("Describe a task", DIM);
            }
            line.add_clean(row, PLAIN);
            lines.push(line);
        }
        (lines, (rows.row - from, indent + rows.column))
    }

    /// What stands below the input in place of the figures: things to complete with, or the keys.
    fn below(&self, room: usize) -> Vec<Line> {
        if self.keys_shown {
            let lines = KEYS.lines().flat_map(|line| wrap(&Line::styled(line, DIM), self.columns)).collect();
            return bounded(lines, room.saturating_sub(1));
        }
        let Some(completion) = &self.completion else { return Vec::new() };
        let room = room.min(ITEMS);
        let from = (completion.chosen + 1).saturating_sub(room);
        let widest = completion.items.iter().map(|item| width(&item.label)).max().unwrap_or(0);
        let labels = widest.min(self.columns / 2);
        let shown = completion.items.iter().enumerate().skip(from).take(room);
        shown
            .map(|(index, item)| {
                let label = stripped(&item.label).replace('\n', " ");
                let room = if item.about.is_empty() { self.columns.saturating_sub(2) } else { labels };
                let label = cut_text(&label, room);
                let free = labels.saturating_sub(width(&label));
                let style = if index == completion.chosen { CHOSEN } else { PLAIN };
                let about = stripped(&item.about).replace('\n', " ");
                Line::styled(format!("  {label}"), style).then(format!("{}  {about}", " ".repeat(free)), DIM)
            })
            .collect()
    }
}
