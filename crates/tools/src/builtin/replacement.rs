//! Exact replacement of one text by another, once unless every occurrence is asked for.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, json};

use super::line_endings::{dos, is_dos, newlines};
use super::near_miss::near_miss;
use super::regular::WHOLE;

const SAME: &str = "old_string and new_string are the same: nothing would change.";

/// One replacement, as a call requests it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replacement {
    pub(super) old_string: String,
    pub(super) new_string: String,
    #[serde(default)]
    pub(super) replace_all: bool,
}

/// The schema of its fields.
pub(super) fn properties() -> Value {
    json!({
        "old_string": { "type": "string", "description": "The exact text in the file." },
        "new_string": { "type": "string", "description": "The text to put in its place; may be empty." },
        "replace_all": { "type": "boolean", "description": "Change every place; only one without it." }
    })
}

/// The occurrences that were replaced.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) count: usize,
    /// Line numbers, from 1, of the first [`Self::MAX_LINES`] occurrences.
    lines: Vec<usize>,
}

impl Replacement {
    /// Returns the text with the replacement made, and where it was made.
    ///
    /// # Errors
    /// The reason for the model why it cannot be made.
    pub(super) fn apply(&self, text: &str, path: &str) -> Result<(String, Places), String> {
        let Self { old_string: old, new_string: new, replace_all } = self;
        if old.is_empty() {
            return Err(
                "old_string is empty. Name the text to replace; write_file writes a whole file.".to_owned()
            );
        }
        if old == new {
            return Err(SAME.to_owned());
        }
        let (old, new) = self.with_line_endings_of(text);
        if old == new {
            return Err(format!("{SAME} The lines of {path} end with \\r\\n already."));
        }
        let places = Places::of(text, &old);
        match places.count {
            0 => Err(format!("old_string is not in {path}. {}", near_miss(text, &self.old_string))),
            1 => replaced(text, &old, &new, places),
            _ if *replace_all => replaced(text, &old, &new, places),
            count => Err(format!(
                "old_string stands {count} times in {path}, {places}. Add lines around it until it is unique, or set replace_all."
            )),
        }
    }

    /// Converts the old and the new text to `\r\n` if the file uses nothing else, because `read_file` does not show it. An
    /// edit that changes line endings alone is taken literally.
    fn with_line_endings_of(&self, text: &str) -> (Cow<'_, str>, Cow<'_, str>) {
        let Self { old_string, new_string, .. } = self;
        if !is_dos(text) {
            return (old_string.into(), new_string.into());
        }
        let (old, new) = (dos(old_string), dos(new_string));
        if old == new && old == *old_string {
            return (old_string.into(), new_string.into());
        }
        (old.into(), new.into())
    }
}

fn replaced(text: &str, old: &str, new: &str, places: Places) -> Result<(String, Places), String> {
    let grown = new.len().saturating_sub(old.len()).saturating_mul(places.count);
    if text.len().saturating_add(grown) as u64 > WHOLE {
        let most = WHOLE / (1024 * 1024);
        return Err(format!(
            "The file would become larger than {most} MiB, more than file tools write. Use shell."
        ));
    }
    Ok((text.replace(old, new), places))
}

impl Places {
    /// Maximum number of line numbers that are listed.
    const MAX_LINES: usize = 10;

    fn of(text: &str, wanted: &str) -> Self {
        let mut places = Self { count: 0, lines: Vec::new() };
        let (mut line, mut from) = (1, 0);
        for (at, _) in text.match_indices(wanted) {
            if places.count < Self::MAX_LINES {
                line += text.get(from..at).map_or(0, newlines);
                from = at;
                places.lines.push(line);
            }
            places.count += 1;
        }
        places
    }
}

impl std::fmt::Display for Places {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers: Vec<String> = self.lines.iter().map(usize::to_string).collect();
        let word = if self.count == 1 { "line" } else { "lines" };
        let more = if self.count > self.lines.len() { " and more" } else { "" };
        write!(f, "{word} {}{more}", numbers.join(", "))
    }
}
