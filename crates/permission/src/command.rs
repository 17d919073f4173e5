//! Command lines: what is in them, and which a pattern means.

mod computed;
mod parts;
mod pattern;
mod reader;
mod risk;

pub(crate) use parts::{Part, Parts, parts};
pub(crate) use pattern::CommandPattern;
pub(crate) use reader::read;
pub(crate) use risk::risks;

/// The name of a program without its folders.
pub(crate) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Whether a word sets a variable for the command behind it.
pub(crate) fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    !name.is_empty() && name.chars().all(letter) && !name.starts_with(|first: char| first.is_ascii_digit())
}

/// Words that a shell does not take as the name of a program when they stand first.
pub(crate) const RESERVED: [&str; 22] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in",
    "select", "function", "time", "coproc", "!", "{", "}", "[[", "]]",
];

#[cfg(test)]
mod tests;
