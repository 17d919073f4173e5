//! Patches inside arguments: the files that they name and how many lines they change.

use serde_json::Value;

use crate::change::{ChangeKind, FileChange, quoted};

/// Prefixes of patch lines that name a file, and the kind of change.
const FILES: &[(&str, ChangeKind)] = &[
    ("*** Update File: ", ChangeKind::Edited),
    ("*** Add File: ", ChangeKind::Created),
    ("*** Delete File: ", ChangeKind::Deleted),
    ("+++ b/", ChangeKind::Edited),
];

/// The changes of all patches among the texts of some arguments, one for each file, in order.
pub(crate) fn of_patches(input: &Value) -> Vec<FileChange> {
    let texts = input.as_object().into_iter().flat_map(|object| object.values()).filter_map(Value::as_str);
    let mut changes = Vec::new();
    for text in texts.filter(|text| FILES.iter().any(|(mark, _)| text.contains(mark))) {
        read(text, &mut changes);
    }
    changes
}

fn read(text: &str, changes: &mut Vec<FileChange>) {
    let mut at = None;
    let mut new_file = false;
    for line in text.lines() {
        let named = FILES.iter().find_map(|(mark, kind)| Some((line.strip_prefix(mark)?.trim(), *kind)));
        if let Some((path, kind)) = named.filter(|(path, _)| !path.is_empty()) {
            let kind = if new_file { ChangeKind::Created } else { kind };
            at = Some(change_of(changes, path, kind));
        } else if line.starts_with("--- ") {
            // The head of the next file in a unified diff; a new file has no old one.
            new_file = line.starts_with("--- /dev/null");
            at = None;
        } else if let Some(change) = at.and_then(|at| changes.get_mut(at)) {
            take(change, line);
        }
    }
}

/// Index of the change of that file; a new one at the end if it is missing.
fn change_of(changes: &mut Vec<FileChange>, path: &str, kind: ChangeKind) -> usize {
    if let Some(at) = changes.iter().position(|change| change.path == path) {
        return at;
    }
    changes.push(FileChange { path: path.to_owned(), kind, added: 0, removed: 0, place: None });
    changes.len() - 1
}

fn take(change: &mut FileChange, line: &str) {
    // The first new line tells more than the first old one.
    let (first, rest) = if let Some(rest) = line.strip_prefix('+') {
        change.added += 1;
        (change.added == 1, rest)
    } else if let Some(rest) = line.strip_prefix('-') {
        change.removed += 1;
        (false, rest)
    } else {
        return;
    };
    let telling = change.kind == ChangeKind::Edited && rest.chars().any(char::is_alphanumeric);
    if telling && (first || change.place.is_none()) {
        change.place = Some(quoted(rest.trim()));
    }
}
