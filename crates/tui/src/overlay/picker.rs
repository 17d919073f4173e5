//! An open picker: rows, a search, a preview, and a new title for a row.

mod draw;

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::shield::{Moment, Shield};
use crate::editor::Editor;
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
    shield: Shield,
    /// When it first appeared on the screen. One that the user asked for needs no time to be read.
    seen: Option<Instant>,
}

/// What a key leads to.
#[derive(Debug)]
pub(super) enum PickerKey {
    /// The session is asked for these.
    Taken(Vec<Act>),
    /// The same, and the picker is closed.
    Closed(Vec<Act>),
    /// Enter of a user who is still typing: it does nothing.
    Swallowed,
    /// The key is for the input.
    NotMine,
}

impl OpenPicker {
    /// Opens a picker. `typed`: when the last key was pressed.
    pub(super) fn new(picker: Picker, typed: Option<Instant>, now: Instant) -> Self {
        let mut search = Editor::default();
        search.insert(&picker.search);
        let mut shield = Shield::default();
        shield.raise(typed, now);
        Self { picker, search, chosen: 0, preview: false, rename: None, shield, seen: None }
    }

    /// It is on the terminal.
    pub(super) fn mark_seen(&mut self, now: Instant) {
        self.seen.get_or_insert(now);
    }

    /// Returns true while keys are for the input.
    fn is_shielded(&self, moment: Moment) -> bool {
        if self.picker.unasked {
            self.shield.holds(self.seen, moment)
        } else {
            self.shield.holds_typing(moment.now)
        }
    }

    /// Returns true while keys are for the text in the input.
    pub(super) fn leaves_keys_to_draft(&self, moment: Moment) -> bool {
        self.picker.unasked && self.shield.holds_draft(moment)
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

    /// Handles a key.
    pub(super) fn key(&mut self, key: KeyEvent, moment: Moment) -> PickerKey {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if self.rename.is_some() {
            return PickerKey::Taken(self.rename_key(key, control));
        }
        let closes = key.code == KeyCode::Esc || (key.code == KeyCode::Char('c') && control);
        if closes {
            return PickerKey::Closed(vec![Act::PickerClosed { picker: self.picker.id.clone() }]);
        }
        if self.picker.unasked && self.shield.is_entered_by(key, self.seen, moment) {
            return PickerKey::Taken(Vec::new());
        }
        if self.is_shielded(moment) {
            self.shield.extend(moment.now);
            return if key.code == KeyCode::Enter { PickerKey::Swallowed } else { PickerKey::NotMine };
        }
        if let KeyCode::Char(letter) = key.code
            && !control
            && let Some(row) = self.row_of(letter)
        {
            return PickerKey::Closed(vec![Act::Picked { picker: self.picker.id.clone(), row }]);
        }
        if key.code == KeyCode::Enter {
            let Some(row) = self.row().map(|row| row.id.clone()) else { return PickerKey::Taken(Vec::new()) };
            return PickerKey::Closed(vec![Act::Picked { picker: self.picker.id.clone(), row }]);
        }
        PickerKey::Taken(self.row_key(key, control))
    }

    /// The row that a letter or a digit chooses.
    fn row_of(&self, letter: char) -> Option<String> {
        let by_letter = self.picker.letters.iter().position(|own| letter.to_lowercase().eq([*own]));
        let by_number = || letter.to_digit(10)?.checked_sub(1).map(|number| number as usize);
        let at = by_letter.or_else(by_number).filter(|at| *at < self.picker.letters.len())?;
        self.picker.rows.get(at).map(|row| row.id.clone())
    }

    /// A key that moves in the rows, searches them, or changes how they are shown.
    fn row_key(&mut self, key: KeyEvent, control: bool) -> Vec<Act> {
        match key.code {
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
        self.request_preview()
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
            _ => rename.line_key(key),
        }
        Vec::new()
    }

    /// A paste: words of the search, or of the title. Returns false if it is for the input.
    pub(super) fn paste(&mut self, text: &str, moment: Moment) -> bool {
        if self.is_shielded(moment) {
            self.shield.extend(moment.now);
            return false;
        }
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
        true
    }
}
