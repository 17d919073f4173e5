//! Draws the input, and what is below it.

use super::Composer;
use crate::calls::bounded;
use crate::clean::{stripped, visible};
use crate::layout::{cut_text, width, wrap};
use crate::line::{BOLD, CHOSEN, Color, DIM, Line, PLAIN};
use crate::live::Live;

/// Precedes an input.
pub(crate) const PROMPT: &str = "› ";
/// Maximum candidates on the screen.
const CANDIDATES: usize = 8;
/// The keys, for the screen.
const KEYS: &str = include_str!("../keys.txt");

/// Columns of the text of the input.
pub(super) fn text_columns(columns: usize) -> usize {
    columns.saturating_sub(width(PROMPT)).max(2)
}

impl Composer {
    /// The input in up to this many rows. `invite`: an empty input says what it is for.
    pub(crate) fn draw(&self, columns: usize, room: usize, invite: bool) -> Live {
        if let Some(search) = &self.search {
            let mut line = Line::styled("search: ", DIM).then(visible(&search.query), BOLD);
            let column = line.width();
            if let Some(found) = search.found(&self.history) {
                line.add(format!("  {}", visible(found).replace('\n', " ⏎ ")), PLAIN);
            }
            return Live { lines: vec![line], cursor: Some((0, column)) };
        }
        let rows = self.editor.rows(text_columns(columns));
        let indent = width(PROMPT);
        // The rows around the cursor are shown.
        let from = (rows.row + 1).saturating_sub(room);
        let mut lines = Vec::new();
        for (index, row) in rows.rows.iter().enumerate().skip(from).take(room) {
            let mut line = match index {
                0 => Line::styled(PROMPT, BOLD.fg(Color::Cyan)),
                _ => Line::plain(" ".repeat(indent)),
            };
            if invite && self.editor.is_empty() {
                line.add("Describe a task", DIM);
            }
            line.add_clean(row, PLAIN);
            lines.push(line);
        }
        Live { lines, cursor: Some((rows.row - from, indent + rows.column)) }
    }

    /// The input in one dim row, while a question has its place.
    pub(crate) fn draw_dim(&self, columns: usize) -> Line {
        let text = visible(self.editor.text()).replace('\n', " ⏎ ");
        Line::styled(cut_text(&format!("{PROMPT}{text}"), columns), DIM)
    }

    /// The row that replaces the figures while earlier inputs are searched.
    pub(crate) fn search_hint(&self) -> Option<Line> {
        let search = self.search.as_ref()?;
        let none = !search.query.is_empty() && search.found(&self.history).is_none();
        let text =
            if none { "nothing found" } else { "enter sends · tab edits · ctrl+r older · esc leaves" };
        Some(Line::styled(text, DIM))
    }

    /// What is below the input in place of the figures: the keys, or candidates for completion. May be empty.
    pub(crate) fn draw_below(&self, columns: usize, room: usize) -> Vec<Line> {
        if self.keys_shown {
            let lines = KEYS.lines().flat_map(|line| wrap(&Line::styled(line, DIM), columns)).collect();
            return bounded(lines, room.saturating_sub(1));
        }
        let Some(completion) = self.completer.open() else { return Vec::new() };
        let room = room.min(CANDIDATES);
        let from = (completion.selected + 1).saturating_sub(room);
        let widest = completion.candidates.iter().map(|candidate| width(&candidate.label)).max().unwrap_or(0);
        let labels = widest.min(columns / 2);
        let shown = completion.candidates.iter().enumerate().skip(from).take(room);
        shown
            .map(|(index, candidate)| {
                let label = stripped(&candidate.label).replace('\n', " ");
                let room = if candidate.about.is_empty() { columns.saturating_sub(2) } else { labels };
                let label = cut_text(&label, room);
                let free = labels.saturating_sub(width(&label));
                let style = if index == completion.selected { CHOSEN } else { PLAIN };
                let about = stripped(&candidate.about).replace('\n', " ");
                Line::styled(format!("  {label}"), style).then(format!("{}  {about}", " ".repeat(free)), DIM)
            })
            .collect()
    }
}
