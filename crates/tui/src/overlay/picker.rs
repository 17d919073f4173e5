//! An open picker: rows, a search, a preview, and a new title for a row.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::clean::stripped;
use crate::editor::Editor;
use crate::layout::{cut_text, width, wrap};
use crate::line::{BOLD, CHOSEN, DIM, Line, PLAIN};
use crate::live::Live;
use crate::port::{Act, Picker, PickerRow};

/// An open picker.
#[derive(Debug)]
pub(super) struct OpenPicker {
    picker: Picker,
    search: Editor,
    /// Index among the rows that match the search.
    chosen: usize,
    preview: bool,
    rename: Option<Editor>,
}

impl OpenPicker {
    pub(super) fn new(picker: Picker) -> Self {
        let mut search = Editor::default();
        search.insert(&picker.search);
        Self { picker, search, chosen: 0, preview: false, rename: None }
    }

    fn found(&self) -> Vec<&PickerRow> {
        let query = self.search.text().to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let fits = |row: &&PickerRow| {
            let text = format!("{} {}", row.cells.join(" "), row.id).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        self.picker.rows.iter().filter(fits).collect()
    }

    /// Returns true if it is a question with a few answers, in which there is nothing to search.
    fn is_question(&self) -> bool {
        self.picker.columns.is_empty()
    }

    fn row(&self) -> Option<&PickerRow> {
        self.found().get(self.chosen).copied()
    }

    /// The preview of a row, if this is the picker.
    pub(super) fn set_preview(&mut self, picker: &str, row: &str, text: &str) {
        if picker == self.picker.id
            && let Some(row) = self.picker.rows.iter_mut().find(|found| found.id == row)
        {
            row.preview = Some(text.to_owned());
        }
    }

    fn request_preview(&self) -> Vec<Act> {
        match self.row() {
            Some(row) if self.preview && row.preview.is_none() => {
                vec![Act::Preview { picker: self.picker.id.clone(), row: row.id.clone() }]
            }
            _ => Vec::new(),
        }
    }

    /// Handles a key. Returns true if the picker is closed.
    pub(super) fn key(&mut self, key: KeyEvent) -> (Vec<Act>, bool) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if self.rename.is_some() {
            return (self.rename_key(key, control), false);
        }
        let picker = self.picker.id.clone();
        match key.code {
            KeyCode::Esc => return (vec![Act::PickerClosed { picker }], true),
            KeyCode::Char('c') if control => return (vec![Act::PickerClosed { picker }], true),
            KeyCode::Enter => {
                let Some(row) = self.row().map(|row| row.id.clone()) else { return (Vec::new(), false) };
                return (vec![Act::Picked { picker, row }], true);
            }
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Char('p') if control => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => self.chosen += 1,
            KeyCode::Char('n') if control => self.chosen += 1,
            KeyCode::PageUp => self.chosen = self.chosen.saturating_sub(10),
            KeyCode::PageDown => self.chosen += 10,
            KeyCode::Char('r') if control && self.picker.renames => {
                let title = self.row().and_then(|row| row.cells.first().cloned());
                if let Some(title) = title {
                    let mut rename = Editor::default();
                    rename.insert(&title.replace('\n', " "));
                    self.rename = Some(rename);
                }
            }
            KeyCode::Tab if self.picker.previews => self.preview = !self.preview,
            KeyCode::Char('a') if control => {
                self.picker.rows.append(&mut self.picker.more);
            }
            KeyCode::Char('u') if control => {
                self.search.clear();
                self.chosen = 0;
            }
            KeyCode::Char(letter) if !control && !self.is_question() => {
                self.search.insert(letter.encode_utf8(&mut [0; 4]));
                self.chosen = 0;
            }
            KeyCode::Backspace => {
                self.search.backspace();
                self.chosen = 0;
            }
            _ => {}
        }
        self.chosen = self.chosen.min(self.found().len().saturating_sub(1));
        (self.request_preview(), false)
    }

    fn rename_key(&mut self, key: KeyEvent, control: bool) -> Vec<Act> {
        let Some(rename) = &mut self.rename else { return Vec::new() };
        match key.code {
            KeyCode::Esc => self.rename = None,
            KeyCode::Char('c') if control => self.rename = None,
            KeyCode::Enter => {
                let title = rename.text().trim().to_owned();
                self.rename = None;
                let id = self.row().map(|row| row.id.clone());
                let row = id.and_then(|id| self.picker.rows.iter_mut().find(|row| row.id == id));
                if let (Some(row), false) = (row, title.is_empty()) {
                    if let Some(cell) = row.cells.first_mut() {
                        cell.clone_from(&title);
                    }
                    let row = row.id.clone();
                    return vec![Act::Renamed { picker: self.picker.id.clone(), row, title }];
                }
            }
            KeyCode::Backspace => rename.backspace(),
            KeyCode::Left => rename.left(),
            KeyCode::Right => rename.right(),
            KeyCode::Home => rename.home(),
            KeyCode::End => rename.end(),
            KeyCode::Char('u') if control => rename.clear(),
            KeyCode::Char(letter) if !control => rename.insert(letter.encode_utf8(&mut [0; 4])),
            _ => {}
        }
        Vec::new()
    }

    /// A paste: words of the search, or of the title.
    pub(super) fn paste(&mut self, text: &str) {
        let text: String =
            text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let is_question = self.is_question();
        match &mut self.rename {
            Some(rename) => rename.insert(&text),
            None if is_question => {}
            None => {
                self.search.insert(text.trim());
                self.chosen = 0;
            }
        }
    }

    /// The picker in up to this many rows.
    pub(super) fn draw(&self, columns: usize, rows: usize) -> Live {
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
            let text = self.aligned(&row.cells, &widths);
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
        lines.push(Line::styled(cut_text(&format!("  {}", self.keys()), columns), DIM));
        Live { lines, cursor: Some(cursor) }
    }

    fn keys(&self) -> String {
        if self.rename.is_some() {
            return "enter keeps the title · esc leaves it".to_owned();
        }
        let mut keys = "enter opens · esc".to_owned();
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
        let room = columns.saturating_sub(3);
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
