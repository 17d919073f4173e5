//! Shows text that may be taller than the terminal.

use std::env::VarError;
use std::io::{IsTerminal, Write};
use std::process::Stdio;

use crate::output::line;
use crate::shell::shell;

/// Shows a text in a pager, which leaves nothing of it on the screen when it ends; without a pager it is printed. The text must be safe
/// for a terminal, see [`throughline_text::plain`].
pub fn open(text: &str) {
    if !paged(text, "R") {
        line(text.trim_end_matches('\n'));
    }
}

/// Prints a text: through a pager if standard output is a terminal and the text is taller than it, else plainly.
/// The text must be safe for a terminal, see [`throughline_text::plain`].
pub fn show(text: &str) {
    let tall = height().is_some_and(|(rows, columns)| rows_of(text, columns) >= rows);
    // Quit if all fits, and leave the text on the screen.
    if !(tall && paged(text, "FRX")) {
        line(text.trim_end_matches('\n'));
    }
}

/// Rows and columns of the terminal that standard output is.
fn height() -> Option<(usize, usize)> {
    let out = std::io::stdout();
    if !out.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(&out).ok()?;
    let known = size.ws_row > 0 && size.ws_col > 0;
    known.then(|| (usize::from(size.ws_row), usize::from(size.ws_col)))
}

/// Rows of a text on a terminal that wraps long lines.
fn rows_of(text: &str, columns: usize) -> usize {
    text.lines().map(|line| line.chars().count().div_ceil(columns.max(1)).max(1)).sum()
}

/// Shows the text in a pager. `less`: the options of `less` if the user has set none. Returns false if there is no pager.
fn paged(text: &str, less: &str) -> bool {
    let named = std::env::var("PAGER").ok().filter(|pager| !pager.trim().is_empty());
    let pager = named.unwrap_or_else(|| "less".to_owned());
    let Some(mut command) = shell() else { return false };
    command.arg("-c").arg(&pager).stdin(Stdio::piped());
    match std::env::var("LESS") {
        // Colours would be shown as codes.
        Ok(own) if text.contains('\u{1b}') && !own.contains(['R', 'r']) => {
            command.env("LESS", format!("{own} -R"));
        }
        Ok(_) | Err(VarError::NotUnicode(_)) => {}
        Err(VarError::NotPresent) => {
            command.env("LESS", less);
        }
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut input) = child.stdin.take() {
        // The user may leave the pager early.
        let _ = input.write_all(text.as_bytes());
    }
    // The shell exits with 127 if the pager does not exist.
    child.wait().is_ok_and(|status| status.code() != Some(127))
}

#[cfg(test)]
mod tests;
