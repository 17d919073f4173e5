//! Asks before something is deleted or overwritten.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use thiserror::Error;
use throughline_text::plain;

/// Why nothing may be deleted.
#[derive(Debug, Error)]
pub enum ConfirmError {
    /// There is no terminal to ask on.
    #[error("nothing deleted: this would permanently delete {0}; run it again with --yes to confirm")]
    NoTerminal(String),
    /// The answer is no.
    #[error("nothing deleted")]
    Refused,
    /// The question could not be asked.
    #[error("could not ask")]
    Io(#[from] io::Error),
}

/// Asks on the terminal whether to delete something permanently.
///
/// # Errors
/// The answer is no, or there is no terminal to ask on.
pub fn confirm(what: &str) -> Result<(), ConfirmError> {
    match ask(&format!("Permanently delete {what}?"))? {
        Some(true) => Ok(()),
        Some(false) => Err(ConfirmError::Refused),
        None => Err(ConfirmError::NoTerminal(what.to_owned())),
    }
}

/// Asks a question on the terminal. `None`: there is no terminal to ask on.
///
/// # Errors
/// The question cannot be written, or the answer cannot be read.
pub fn ask(question: &str) -> io::Result<Option<bool>> {
    let answer = ask_line(&format!("{question} [y/N]"))?;
    Ok(answer.map(|answer| matches!(answer.to_ascii_lowercase().as_str(), "y" | "yes")))
}

/// Asks for a line on the terminal, and returns it without white space around it. It is empty at the end of the input. `None`:
/// there is no terminal to ask on.
///
/// # Errors
/// As for [`ask`].
pub fn ask_line(question: &str) -> io::Result<Option<String>> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(None);
    }
    let mut out = io::stderr();
    write!(out, "{} ", plain(question)).and_then(|()| out.flush())?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(Some(answer.trim().to_owned()))
}
