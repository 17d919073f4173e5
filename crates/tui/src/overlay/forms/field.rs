//! A field while it is filled in.

use std::collections::BTreeSet;

use crossterm::event::{KeyCode, KeyEvent};
use serde_json::Value;
use throughline_tools::{FieldKind, FormChoice, FormField};

use crate::editor::Editor;

/// A field and what the user has entered.
#[derive(Debug)]
pub(super) struct FieldInput {
    pub(super) field: FormField,
    pub(super) entry: Entry,
    /// What is wrong with the entry.
    pub(super) fault: Option<String>,
    /// What was read of the entry; `None`: the field is left out, or is not filled in yet.
    value: Option<Value>,
}

/// What the user enters.
#[derive(Debug)]
pub(super) enum Entry {
    /// A text that is typed.
    Typed(Editor),
    /// One row of a list.
    Row {
        /// The rows.
        rows: Vec<ChoiceRow>,
        /// The row on which the user is.
        at: usize,
    },
    /// Marked rows of a list.
    Marked {
        /// The rows.
        rows: Vec<ChoiceRow>,
        /// The row on which the user is.
        at: usize,
        /// The marked rows.
        marked: BTreeSet<usize>,
    },
}

/// A row to choose.
#[derive(Debug)]
pub(super) struct ChoiceRow {
    pub(super) title: String,
    /// `None`: the field is left out.
    value: Option<Value>,
}

/// The effect of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKey {
    /// The entry may have changed.
    Stay,
    /// The field is filled in.
    Next,
}

impl FieldInput {
    pub(super) fn new(field: &FormField) -> Self {
        let row = |title: &str, value: Value| ChoiceRow { title: title.to_owned(), value: Some(value) };
        let rows_of = |choices: &[FormChoice]| -> Vec<ChoiceRow> {
            choices.iter().map(|choice| row(&choice.title, Value::from(choice.value.as_str()))).collect()
        };
        let one_of = |mut rows: Vec<ChoiceRow>| {
            if !field.required {
                rows.push(ChoiceRow { title: "leave it out".to_owned(), value: None });
            }
            let at = rows.iter().position(|row| row.value == field.default).unwrap_or(0);
            Entry::Row { rows, at }
        };
        let entry = match &field.kind {
            FieldKind::Text { .. } | FieldKind::Number { .. } => {
                let mut editor = Editor::default();
                editor.insert(&field.default.as_ref().map(|value| field.shown(value)).unwrap_or_default());
                Entry::Typed(editor)
            }
            FieldKind::YesNo => one_of(vec![row("yes", Value::from(true)), row("no", Value::from(false))]),
            FieldKind::OneOf(choices) => one_of(rows_of(choices)),
            FieldKind::AnyOf { choices, .. } => {
                let rows = rows_of(choices);
                let preset = field.default.as_ref().and_then(Value::as_array);
                let is_preset = |row: &ChoiceRow| {
                    preset
                        .is_some_and(|preset| row.value.as_ref().is_some_and(|value| preset.contains(value)))
                };
                let marked =
                    rows.iter().enumerate().filter(|(_, row)| is_preset(row)).map(|(index, _)| index);
                Entry::Marked { marked: marked.collect(), rows, at: 0 }
            }
        };
        Self { field: field.clone(), entry, fault: None, value: None }
    }

    /// What was entered, once the field has been left with Enter.
    pub(super) fn value(&self) -> Option<&Value> {
        self.value.as_ref()
    }

    /// The value as the user reads it.
    pub(super) fn shown(&self) -> Option<String> {
        self.value.as_ref().map(|value| self.field.shown(value))
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> FieldKey {
        if key.code == KeyCode::Enter {
            return self.enter();
        }
        self.fault = None;
        match &mut self.entry {
            Entry::Typed(editor) => editor.line_key(key),
            Entry::Row { rows, at } => {
                if let Some(digit) = digit(key, rows.len()) {
                    *at = digit;
                    return self.enter();
                }
                *at = moved(key, *at, rows.len());
            }
            Entry::Marked { rows, at, marked } => {
                let toggled = digit(key, rows.len()).or((key.code == KeyCode::Char(' ')).then_some(*at));
                if let Some(row) = toggled {
                    *at = row;
                    if !marked.remove(&row) {
                        marked.insert(row);
                    }
                }
                *at = moved(key, *at, rows.len());
            }
        }
        FieldKey::Stay
    }

    pub(super) fn paste(&mut self, text: &str) {
        if let Entry::Typed(editor) = &mut self.entry {
            editor.paste(&text.replace('\n', " "));
            self.fault = None;
        }
    }

    fn enter(&mut self) -> FieldKey {
        let read = match &self.entry {
            Entry::Typed(editor) => self.field.read(&editor.full_text()),
            Entry::Row { rows, at } => Ok(rows.get(*at).and_then(|row| row.value.clone())),
            Entry::Marked { marked, .. } if marked.is_empty() && !self.field.required => Ok(None),
            Entry::Marked { rows, marked, .. } => {
                let values = marked.iter().filter_map(|row| rows.get(*row)?.value.clone());
                let values = Value::Array(values.collect());
                self.field.check(&values).map(|()| Some(values))
            }
        };
        match read {
            Ok(value) => {
                self.value = value;
                FieldKey::Next
            }
            Err(fault) => {
                self.fault = Some(fault);
                FieldKey::Stay
            }
        }
    }
}

/// The row that a digit names.
fn digit(key: KeyEvent, rows: usize) -> Option<usize> {
    let KeyCode::Char(letter) = key.code else { return None };
    let row = usize::try_from(letter.to_digit(10)?).ok()?.checked_sub(1)?;
    (row < rows).then_some(row)
}

/// The row to which an arrow key leads, around the end.
fn moved(key: KeyEvent, at: usize, rows: usize) -> usize {
    let rows = rows.max(1);
    match key.code {
        KeyCode::Down | KeyCode::Tab => (at + 1) % rows,
        KeyCode::Up => (at + rows - 1) % rows,
        _ => at,
    }
}
