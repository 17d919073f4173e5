//! Draws a picker: its title, the search, the rows, what is known of the chosen one, and the keys.

use super::{Moment, OpenPicker};
use crate::clean::stripped;
use crate::layout::{cut_text, width, wrap};
use crate::line::{BOLD, CHOSEN, DIM, Line, PLAIN};
use crate::live::Live;
use crate::port::PickerRow;

impl OpenPicker {
    /// The picker in up to this many rows.
    pub(in crate::overlay) fn draw(&self, columns: usize, rows: usize, moment: Moment) -> Live {
        let found = self.found();
        let mut lines = Vec::new();
        let count = match (found.len(), self.picker.rows.len()) {
            _ if self.is_question() => String::new(),
            (found, all) if found == all => format!("  {all}"),
            (found, all) => format!("  {found} of {all}"),
        };
        lines.extend(wrap(&Line::styled(&self.picker.title, BOLD).then(count, DIM), columns));
        let (label, editor) = match &self.rename {
            Some(rename) => ("title: ", rename),
            None => ("search: ", &self.search),
        };
        let mut cursor = (lines.len(), 0);
        if !self.is_question() {
            let place = editor.rows(columns.saturating_sub(label.len()).max(2));
            let shown = place.rows.get(place.row).map_or("", String::as_str);
            cursor.1 = label.len() + place.column;
            lines.push(Line::styled(label, DIM).then(shown, PLAIN));
        }

        let mut preview = self.preview_lines(columns, rows);
        preview.extend(self.notes(columns, rows));
        let apart = usize::from(!self.is_question() && rows >= 12);
        let room = rows.saturating_sub(lines.len() + preview.len() + 1 + 2 * apart).max(1);
        let widths = self.widths(&found, columns);
        let header = !self.picker.columns.is_empty() && room > 3;
        if header {
            lines.extend((apart > 0).then(Line::blank));
            lines.push(Line::styled(format!("  {}", self.aligned(&self.picker.columns, &widths)), DIM));
        }
        let room = room.saturating_sub(usize::from(header)).max(1);
        let table = widths.iter().map(|width| width + 2).sum::<usize>();
        let chosen_width = if self.is_question() { 0 } else { table.min(columns) };
        let from = self.chosen.saturating_sub(room / 2).min(found.len().saturating_sub(room));
        for (index, row) in found.iter().enumerate().skip(from).take(room) {
            let letter = self.picker.letters.get(index).map_or(String::new(), |letter| format!("{letter}  "));
            let text = format!("{letter}{}", self.aligned(&row.cells, &widths));
            if self.is_question() && index == self.chosen {
                cursor.0 = lines.len();
            }
            lines.push(if index == self.chosen {
                let pad = chosen_width.saturating_sub(2 + width(&text));
                Line::styled(format!("› {text}{}", " ".repeat(pad)), CHOSEN)
            } else {
                Line::plain(format!("  {text}"))
            });
        }
        if found.is_empty() {
            lines.push(Line::styled("  nothing fits", DIM));
        }
        lines.extend(preview);
        if !self.is_question() && rows >= 12 {
            lines.push(Line::blank());
        }
        lines.push(Line::styled(cut_text(&format!("  {}", self.keys(moment)), columns), DIM));
        Live { lines, cursor: Some(cursor) }
    }

    fn keys(&self, moment: Moment) -> String {
        if self.leaves_keys_to_draft(moment) {
            return "up or down to answer · esc closes".to_owned();
        }
        if self.rename.is_some() {
            return "enter keeps the title · esc leaves it".to_owned();
        }
        let does = if self.is_question() { "chooses" } else { "opens" };
        let mut keys = format!("enter {does} · esc closes");
        if self.picker.previews {
            keys.push_str(" · tab preview");
        }
        if !self.picker.more.is_empty() {
            keys.push_str(&format!(" · ctrl+a {} more", self.picker.more.len()));
        }
        if self.picker.renames {
            keys.push_str(" · ctrl+r rename");
        }
        keys
    }

    fn preview_lines(&self, columns: usize, rows: usize) -> Vec<Line> {
        let Some(row) = self.row().filter(|_| self.preview) else { return Vec::new() };
        let room = (rows / 2).saturating_sub(2).max(1);
        let text = row.preview.as_deref().unwrap_or("…");
        let all: Vec<Line> = stripped(text)
            .lines()
            .flat_map(|line| wrap(&Line::plain(line), columns.saturating_sub(2)))
            .collect();
        let start = |line| {
            let mut out = Line::styled("│ ", DIM);
            Line::append(&mut out, line);
            out
        };
        all.into_iter().take(room).map(start).collect()
    }

    /// The widths of the columns: the first one takes what the others leave.
    fn widths(&self, found: &[&PickerRow], columns: usize) -> Vec<usize> {
        let rows = found.iter().map(|row| &row.cells).chain([&self.picker.columns]);
        let count = rows.clone().map(Vec::len).max().unwrap_or(0);
        let widest = |column: usize| {
            let cells = rows.clone().filter_map(|cells| cells.get(column));
            cells.map(|cell| width(cell)).max()
        };
        let mut widths: Vec<usize> = (0..count).map(|column| widest(column).unwrap_or(0)).collect();
        let room = columns.saturating_sub(3 + if self.picker.letters.is_empty() { 0 } else { 3 });
        // Columns at the end are left out where the title would be cut to nothing.
        loop {
            let others: usize = widths.iter().skip(1).map(|width| width + 2).sum();
            if widths.len() <= 1 || room.saturating_sub(others) >= 20.min(room) {
                let first = room.saturating_sub(others);
                if let Some(title) = widths.first_mut() {
                    *title = (*title).min(first);
                }
                return widths;
            }
            widths.pop();
        }
    }

    /// Cells in their columns; figures stand at the right of theirs.
    fn aligned(&self, cells: &[String], widths: &[usize]) -> String {
        let cell = |(index, (cell, columns)): (usize, (&String, &usize))| {
            let text = cut_text(&stripped(cell).replace('\n', " "), *columns);
            let free = " ".repeat(columns.saturating_sub(width(&text)));
            if self.picker.figures.contains(&index) {
                format!("{free}{text}")
            } else {
                format!("{text}{free}")
            }
        };
        let cells = cells.iter().zip(widths).enumerate().map(cell);
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }

    /// Lines about the chosen row, if there is room for them.
    fn notes(&self, columns: usize, rows: usize) -> Vec<Line> {
        let Some(row) = self.row().filter(|row| !self.preview && !row.notes.is_empty() && rows >= 12) else {
            return Vec::new();
        };
        let note = |note: &String| {
            let (name, text) = note.split_once("  ").unwrap_or(("", note));
            let text = stripped(text).replace('\n', " ");
            let line = Line::styled(format!("  {name}  "), DIM);
            let room = columns.saturating_sub(line.width());
            line.then(cut_text(&text, room), PLAIN)
        };
        std::iter::once(Line::blank()).chain(row.notes.iter().map(note)).collect()
    }
}
