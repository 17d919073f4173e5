//! Draws the input, and what is below it.

use super::Composer;
use super::menu::menu;
use crate::calls::bounded;
use crate::clean::visible;
use crate::layout::{cut_text, start_of, width, wrap};
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::live::Live;
use crate::palette::ACCENT;

/// Precedes an input.
pub(crate) const PROMPT: &str = "› ";
/// What an empty input is for.
const INVITATION: &str = "Ask for a change, / for commands, ? for keys";
/// The keys, for the screen.
const KEYS: &str = include_str!("../keys.txt");

/// Columns of the text of the input.
pub(super) fn text_columns(columns: usize) -> usize {
    columns.saturating_sub(width(PROMPT)).max(2)
}

/// Adds a row of the text, with the paths that it attaches in the colour of places.
fn add_text(line: &mut Line, row: &str) {
    for word in row.split_inclusive(' ') {
        let is_path = word.starts_with('@') && word.trim_end().len() > 1;
        line.add_clean(word, if is_path { PLAIN.fg(ACCENT) } else { PLAIN });
    }
}

impl Composer {
    /// The input in up to this many rows. `invite`: an empty input says what it is for.
    pub(crate) fn draw(&self, columns: usize, room: usize, invite: bool) -> Live {
        if let Some(search) = &self.search {
            let mut line = Line::styled("search: ", DIM).then(visible(&search.query), BOLD);
            let column = line.width();
            if let Some(found) = search.found(&self.history) {
                line.add(format!("  {}", visible(start_of(found, columns)).replace('\n', " ⏎ ")), PLAIN);
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
                0 => Line::styled(PROMPT, BOLD.fg(ACCENT)),
                _ => Line::plain(" ".repeat(indent)),
            };
            if invite && self.editor.is_empty() {
                line.add(cut_text(INVITATION, text_columns(columns)), DIM);
            }
            add_text(&mut line, row);
            lines.push(line);
        }
        Live { lines, cursor: Some((rows.row - from, indent + rows.column)) }
    }

    /// The input in one dim row, while a question has its place.
    pub(crate) fn draw_dim(&self, columns: usize) -> Line {
        let text = visible(start_of(self.editor.text(), columns)).replace('\n', " ⏎ ");
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
            return bounded(lines, room.saturating_sub(1), 0);
        }
        self.completer.open().map_or_else(Vec::new, |completion| menu(completion, columns, room))
    }
}
