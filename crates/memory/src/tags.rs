//! Tags: short words that a memo is found by.

use crate::error::MemoryError;

/// Maximum number of tags of a memo.
pub(crate) const MAX_TAGS: usize = 12;

/// Maximum characters of a tag.
pub(crate) const MAX_TAG_CHARS: usize = 40;

/// A tag in its one form: lower case, its words joined by `-`. Letters and digits of every script count, and `+`, `#`
/// and `.` stay, for names like `c++`, `c#` and `node.js`; everything else separates words.
///
/// # Errors
/// [`MemoryError::BadTag`] when nothing is left, or too much.
pub(crate) fn normalised_tag(text: &str) -> Result<String, MemoryError> {
    let mut tag = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() || matches!(letter, '+' | '#' | '.') {
            tag.push(letter);
        } else if !tag.is_empty() && !tag.ends_with('-') {
            tag.push('-');
        }
    }
    let tag = tag.trim_start_matches(['#', '-', '.']).trim_end_matches(['-', '.']);
    if !tag.contains(char::is_alphanumeric) || tag.chars().count() > MAX_TAG_CHARS {
        return Err(MemoryError::BadTag { tag: text.chars().take(MAX_TAG_CHARS * 2).collect() });
    }
    Ok(tag.to_owned())
}

/// Tags in their one form, each once, in the order given: lower case, words joined by `-`, up to 40 characters.
///
/// # Errors
/// [`MemoryError::BadTag`] for the first invalid one, [`MemoryError::TooManyTags`] for more than twelve.
pub fn normalised_tags<S: AsRef<str>>(texts: &[S]) -> Result<Vec<String>, MemoryError> {
    let mut tags: Vec<String> = Vec::new();
    for text in texts {
        let tag = normalised_tag(text.as_ref())?;
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    if tags.len() > MAX_TAGS {
        return Err(MemoryError::TooManyTags { count: tags.len() });
    }
    Ok(tags)
}

/// The tags that a memo had, and behind them the new ones, as far as there is room.
#[must_use]
pub fn merged_tags(had: &[String], new: &[String]) -> Vec<String> {
    let mut tags = had.to_vec();
    for tag in new {
        if tags.len() < MAX_TAGS && !tags.contains(tag) {
            tags.push(tag.clone());
        }
    }
    tags
}

#[cfg(test)]
mod tests;
