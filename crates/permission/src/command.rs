//! Command lines: their parts, and the patterns that match them.

mod evaluated;
mod options;
mod parts;
mod pattern;
mod plain;
mod reading;
mod risk;

pub(crate) use parts::{CommandPart, LineParts, is_expanded, parts};
pub(crate) use pattern::CommandPattern;
pub(crate) use plain::parse_plain;
pub(crate) use reading::only_reads;
pub(crate) use risk::risks;

/// The name of a program without its path.
pub(crate) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Returns true if a word sets a variable for the command that follows.
pub(crate) fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    !name.is_empty() && name.chars().all(letter) && !name.starts_with(|first: char| first.is_ascii_digit())
}

/// Keywords of shells, which are not program names at the start of a command.
pub(crate) const RESERVED: [&str; 22] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in",
    "select", "function", "time", "coproc", "!", "{", "}", "[[", "]]",
];

#[cfg(test)]
mod tests;
