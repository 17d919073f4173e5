//! Lines that begin with `/`: commands of the session, not messages to the model.

mod error;
mod grammar;
mod groups;
mod rows;
mod words;

use clap::FromArgMatches as _;

use throughline_text::nearest_name;

pub use error::SlashError;
pub use grammar::{AgentsCommand, JobsCommand, McpCommand, PermissionsCommand, ScreenCommand, Slash};
pub use rows::{CommandUsage, help, help_with, rows, without_screen};

/// Returns true if a line is meant as a command: `/` and a word at its very start, or one of a plugin or a folder (`/PLUGIN:NAME`). A
/// path (`/etc/hosts is empty`) is not.
pub fn is_command(line: &str) -> bool {
    let word = line.split_whitespace().next().filter(|word| line.starts_with(word));
    word.and_then(|word| word.strip_prefix('/')).is_some_and(|name| {
        let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'-' || byte == b'_';
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| letter(byte) || byte.is_ascii_digit());
        let has_colon = name.contains(':') && name.split(':').all(is_word);
        has_colon || !name.is_empty() && name.bytes().all(letter)
    })
}

/// Parses a command.
///
/// # Errors
/// [`SlashError`], which says what can be written instead.
pub fn parse(line: &str) -> Result<Slash, SlashError> {
    let (name, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    let grammar = grammar::grammar();
    let Some(command) = name.strip_prefix('/').and_then(|name| grammar.find_subcommand(name)) else {
        return Err(SlashError::Unknown { name: name.to_owned(), instead: instead(name) });
    };
    let usage = rows::usage(command);
    // Free text is passed on as typed, quotes included.
    let is_text = command.get_positionals().any(clap::Arg::is_trailing_var_arg_set);
    let rest =
        if is_text { rest.split_whitespace().map(str::to_owned).collect() } else { words::split(rest) };
    let words = std::iter::once(command.get_name().to_owned()).chain(rest);
    let parsed =
        grammar.clone().try_get_matches_from(words).and_then(|matches| Slash::from_arg_matches(&matches));
    parsed.map_err(|error| SlashError::usage(&error, usage))
}

/// Returns true if a line names no command of the program: it may name a prompt.
pub fn is_unknown(line: &str) -> bool {
    matches!(parse(line), Err(SlashError::Unknown { .. }))
}

/// The nearest command to an unknown one, or how all are listed.
fn instead(name: &str) -> String {
    let words = rows::words();
    match nearest_name(name, words.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near}?"),
        None => "/help lists them.".to_owned(),
    }
}

#[cfg(test)]
mod page;
#[cfg(test)]
mod tests;
