//! Words of a command line for a POSIX shell.

use std::path::Path;

/// Quotes a text as one word.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+,:=@%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// An option with a path and a leading space; empty without a path.
#[must_use]
pub fn shell_option(name: &str, path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| format!(" {name} {}", shell_word(&path.display().to_string())))
}

#[cfg(test)]
mod tests;
