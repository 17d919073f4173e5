//! Showing text that may be taller than the terminal.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use crate::terminal::line;

/// Prints a text: through a pager when standard output is a terminal and the text is taller than it, else plainly.
/// The text must be fit for a terminal already, see [`crate::terminal::plain`].
pub(crate) fn show(text: &str) {
    let tall = height().is_some_and(|(rows, columns)| rows_of(text, columns) >= rows);
    if !(tall && paged(text)) {
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

/// Rows that a text takes on a terminal that breaks long lines.
fn rows_of(text: &str, columns: usize) -> usize {
    text.lines().map(|line| line.chars().count().div_ceil(columns.max(1)).max(1)).sum()
}

/// Whether a pager has shown the text.
fn paged(text: &str) -> bool {
    let named = std::env::var("PAGER").ok().filter(|pager| !pager.trim().is_empty());
    let pager = named.unwrap_or_else(|| "less".to_owned());
    let mut command = Command::new("sh");
    command.arg("-c").arg(&pager).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // Ends at once when all fits after all, and leaves the text on the screen.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut input) = child.stdin.take() {
        // Who leaves the pager early has seen enough.
        let _ = input.write_all(text.as_bytes());
    }
    // The shell ends with 127 when there is no such pager, and nothing was shown.
    child.wait().is_ok_and(|status| status.code() != Some(127))
}

#[cfg(test)]
mod tests {
    use super::rows_of;

    #[test]
    fn long_lines_take_several_rows() {
        assert_eq!(rows_of("", 80), 0);
        assert_eq!(rows_of("one\n\ntwo\n", 80), 3);
        assert_eq!(rows_of(&"x".repeat(161), 80), 3);
        assert_eq!(rows_of("ééé", 1), 3);
    }
}
