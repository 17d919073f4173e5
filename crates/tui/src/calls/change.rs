//! Renders what a call would change or run.

use serde_json::Value;

use crate::clean::visible;
use crate::diff::{added, counts, numbered, unified};
use crate::line::{DIM, Line, PLAIN};
use crate::palette::{BAD, GOOD};
use crate::port::EditExcerpt;

/// The path that a call names, on one line.
pub(crate) fn path(input: &Value) -> Option<String> {
    let path = input.get("path").and_then(Value::as_str)?;
    Some(visible(path).replace('\n', "\u{240a}").replace('\t', "\u{2409}"))
}

/// What a call would change or run, for a word about it: the whole command, or the difference, in its place in the file and
/// with the numbers of the lines if that is known. Nothing is left out but a path that a title names.
pub(crate) fn changes_in(excerpt: Option<&EditExcerpt>, name: &str, input: &Value) -> Vec<Line> {
    let edits = edits(input);
    let mut lines = Vec::new();
    let mut shown = Vec::new();
    let placed =
        |excerpt: &EditExcerpt| numbered(excerpt.first_line, &visible(&excerpt.old), &visible(&excerpt.new));
    if let Some(content) = written(name, input) {
        lines.extend(excerpt.map_or_else(|| added(&visible(content)), placed));
        shown.push("content");
    } else if !edits.is_empty() {
        // An excerpt is of one edit, or of all in a list.
        let excerpt = excerpt.filter(|_| edits.len() == 1 || Edit::read(input).is_none());
        lines.extend(excerpt.map_or_else(|| unplaced(&edits), placed));
        if Edit::read(input).is_some() {
            shown.extend(Edit::KEYS);
        }
        if several(input).all(Edit::is_all_of) {
            shown.push("edits");
        }
    } else if let Some(command) = input.get("command").and_then(Value::as_str) {
        lines.extend(visible(command).lines().map(Line::plain));
        shown.push("command");
    } else {
        let pretty = serde_json::to_string_pretty(input).unwrap_or_default();
        return visible(&pretty).lines().map(Line::plain).collect();
    }
    if path(input).is_some() {
        shown.push("path");
    }
    let others = input.as_object().into_iter().flatten();
    for (key, value) in others.filter(|(key, _)| !shown.contains(&key.as_str())) {
        let text = format!("{key}: {value}");
        lines.extend(visible(&text).lines().map(|line| Line::styled(line, DIM)));
    }
    lines
}

/// Edits of which it is not known where they are in the file.
fn unplaced(edits: &[Edit<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        if index > 0 {
            lines.push(Line::styled("  ⋯", DIM));
        }
        lines.extend(unified(&visible(edit.old), &visible(edit.new)));
        if edit.everywhere {
            lines.push(Line::styled("  (in every place)", DIM));
        }
    }
    lines
}

/// A text that is replaced.
#[derive(Debug, Clone, Copy)]
struct Edit<'a> {
    old: &'a str,
    new: &'a str,
    everywhere: bool,
}

impl<'a> Edit<'a> {
    const KEYS: [&'static str; 3] = ["old_string", "new_string", "replace_all"];

    /// `None`: it is no edit, or says more than can be shown as one.
    fn read(input: &'a Value) -> Option<Self> {
        let text = |key: &str| input.get(key).and_then(Value::as_str);
        let everywhere = match input.get("replace_all") {
            Some(everywhere) => everywhere.as_bool()?,
            None => false,
        };
        Some(Self { old: text("old_string")?, new: text("new_string")?, everywhere })
    }

    /// How many lines come and go in the file. Where a text leaves without a line break at its start or end, what is around it
    /// stays as one line; a line break at its start alone ends a line that stays.
    fn counts(&self) -> (usize, usize) {
        let (plus, minus) = counts(self.old, self.new);
        match (self.new.is_empty(), self.old.starts_with('\n'), self.old.ends_with('\n')) {
            (true, false, false) => (plus + 1, minus),
            (true, true, false) => (plus, minus.saturating_sub(1)),
            _ => (plus, minus),
        }
    }

    /// Returns true if the input is one edit and nothing else.
    fn is_all_of(input: &'a Value) -> bool {
        let keys = || input.as_object().into_iter().flatten();
        Self::read(input).is_some() && keys().all(|(key, _)| Self::KEYS.contains(&key.as_str()))
    }
}

fn several(input: &Value) -> impl Iterator<Item = &Value> {
    input.get("edits").and_then(Value::as_array).into_iter().flatten()
}

fn edits(input: &Value) -> Vec<Edit<'_>> {
    std::iter::once(input).chain(several(input)).filter_map(Edit::read).collect()
}

/// The content of a file that is written as a whole.
fn written<'a>(name: &str, input: &'a Value) -> Option<&'a str> {
    input.get("content").and_then(Value::as_str).filter(|_| name == "write_file")
}

/// How many lines come and go; `None`: the call changes no file. Without an excerpt, what the arguments alone say.
pub(crate) fn changed_lines(
    excerpt: Option<&EditExcerpt>,
    name: &str,
    input: &Value,
) -> Option<(usize, usize)> {
    let content = written(name, input);
    let edits = edits(input);
    if content.is_none() && edits.is_empty() {
        return None;
    }
    if let Some(excerpt) = excerpt {
        return Some(excerpt.changed);
    }
    let counted = edits.iter().map(Edit::counts);
    let of_edits = || counted.fold((0, 0), |sum, edit| (sum.0 + edit.0, sum.1 + edit.1));
    Some(content.map_or_else(of_edits, |content| (content.lines().count(), 0)))
}

/// The size of a change as a title has it; `None`: the call changes no file.
pub(crate) fn size_of_change(excerpt: Option<&EditExcerpt>, name: &str, input: &Value) -> Option<Line> {
    let (plus, minus) = changed_lines(excerpt, name, input)?;
    let size = plus_minus(plus, minus);
    Some(match excerpt.map_or(1, |excerpt| excerpt.places) {
        0 | 1 => size,
        places => size.then(format!(" in {places} places"), DIM),
    })
}

/// Lines that come and go, with their colours.
pub(crate) fn plus_minus(plus: usize, minus: usize) -> Line {
    let mut line = Line::styled(format!("+{plus}"), PLAIN.fg(GOOD));
    if minus > 0 {
        line.add(format!(" −{minus}"), PLAIN.fg(BAD));
    }
    line
}
