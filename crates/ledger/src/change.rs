//! The change of one file by one call, as its arguments show it.

use serde_json::Value;

use crate::lines::bounded;

/// The kind of change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    /// A part of it is another.
    Edited,
    /// Written as a whole. Only the result may show whether it existed before.
    Written,
    /// It did not exist before.
    Created,
    /// It is gone.
    Deleted,
}

/// A change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileChange {
    pub(crate) path: String,
    pub(crate) kind: ChangeKind,
    /// Lines that are new.
    pub(crate) added: u64,
    /// Lines that are gone.
    pub(crate) removed: u64,
    /// Where: its lines, or the first line that is another.
    pub(crate) place: Option<String>,
}

/// Argument names for a text that is replaced, with the names of what replaces it.
const REPLACED: &[(&str, &str)] = &[
    ("old_string", "new_string"),
    ("oldString", "newString"),
    ("old_str", "new_str"),
    ("oldText", "newText"),
    ("old_text", "new_text"),
];
/// Argument names for a whole file.
const WHOLE: &[&str] = &["content", "file_text"];
/// Argument names for lines that are put in.
const INSERTED: &[&str] = &["insert_text", "new_str", "new_string", "text", "replacement_text", "code_edit"];

/// The change of a call that names a path.
pub(crate) fn of_arguments(path: &str, input: &Value, created: bool) -> FileChange {
    let mut change = FileChange {
        path: path.to_owned(),
        kind: ChangeKind::Edited,
        added: 0,
        removed: 0,
        place: place(input),
    };
    let several = input.get("edits").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut replaces = false;
    for (old, new) in std::iter::once(input).chain(several).filter_map(replacement) {
        replaces = true;
        let (added, removed, first) = difference(old, new);
        change.added += added;
        change.removed += removed;
        change.place = change.place.or(first);
    }
    let text = |keys: &[&str]| keys.iter().find_map(|key| input.get(*key)?.as_str()).map(lines_of);
    if !replaces {
        if let Some(lines) = text(WHOLE) {
            (change.kind, change.added, change.place) = (ChangeKind::Written, lines, None);
        } else if let Some(lines) = text(INSERTED) {
            change.added = lines;
        }
    }
    if created {
        change.kind = ChangeKind::Created;
    }
    change
}

fn replacement(edit: &Value) -> Option<(&str, &str)> {
    REPLACED.iter().find_map(|(old, new)| {
        let new = edit.get(*new)?.as_str()?;
        Some((edit.get(*old)?.as_str()?, new))
    })
}

/// Lines added and removed, and the first changed one. Common lines at start and end are ignored.
fn difference(old: &str, new: &str) -> (u64, u64, Option<String>) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let shorter = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(|(a, b)| a == b).count();
    let inner = |lines: &[&str]| lines.len() - start - end;
    let telling = |lines: &[&str]| {
        let changed = lines.iter().skip(start).take(inner(lines));
        changed.map(|line| line.trim()).find(|line| line.chars().any(char::is_alphanumeric)).map(quoted)
    };
    (inner(&new) as u64, inner(&old) as u64, telling(&new).or_else(|| telling(&old)))
}

/// A line of a file as quoted in a line about the file.
pub(crate) fn quoted(line: &str) -> String {
    const MAX_BYTES: usize = 60;
    format!("\"{}\"", bounded(line, MAX_BYTES).replace('"', "'"))
}

fn lines_of(text: &str) -> u64 {
    text.lines().count() as u64
}

/// The lines that the arguments name themselves.
fn place(input: &Value) -> Option<String> {
    let number = |keys: &[&str]| keys.iter().find_map(|key| input.get(*key)?.as_u64());
    let first = number(&["start_line", "startLine", "insert_line", "line", "line_number"])?;
    Some(match number(&["end_line", "endLine"]) {
        Some(last) if last != first => format!("lines {first}-{last}"),
        _ => format!("line {first}"),
    })
}
