//! Replacing a text in a text: exactly, and once unless all places are meant.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, json};

use super::line_ends::{dos, is_dos, newlines};
use super::near_miss::near_miss;
use super::regular::WHOLE;

const SAME: &str = "old_string and new_string are the same: nothing would change.";

/// One replacement, as the model asks for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replacement {
    pub(super) old_string: String,
    pub(super) new_string: String,
    #[serde(default)]
    pub(super) replace_all: bool,
}

/// Its arguments in a schema.
pub(super) fn properties() -> Value {
    json!({
        "old_string": { "type": "string", "description": "The text as it stands in the file." },
        "new_string": { "type": "string", "description": "The text to put in its place; may be empty." },
        "replace_all": { "type": "boolean", "description": "Change every place; only one without it." }
    })
}

/// The places that were changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) count: usize,
    /// Lines, from 1, of the first of them.
    lines: Vec<usize>,
}

impl Replacement {
    /// The text with the replacement made.
    ///
    /// # Errors
    /// Why it cannot be made, for the model.
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
        let (old, new) = self.fitting(text);
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

    /// Old and new text with the line ends of a file that has `\r\n` only, which a reader of it is not shown. When nothing but
    /// the file's line ends is to change, both are what is meant.
    fn fitting(&self, text: &str) -> (Cow<'_, str>, Cow<'_, str>) {
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
    /// More lines than this say less.
    const MOST: usize = 10;

    fn of(text: &str, wanted: &str) -> Self {
        let mut places = Self { count: 0, lines: Vec::new() };
        let (mut line, mut from) = (1, 0);
        for (at, _) in text.match_indices(wanted) {
            if places.count < Self::MOST {
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
