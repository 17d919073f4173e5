//! Writes to the terminal: colours only on a terminal, tables, and a quiet end on a closed pipe.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use throughline_text::{escaped_json, plain};
use throughline_tools::ProcessGroup;

/// True once the terminal is closed.
static GONE: AtomicBool = AtomicBool::new(false);

/// Ignores failed writes from now on, because the terminal is closed.
pub fn ignore_lost_output() {
    GONE.store(true, Ordering::SeqCst);
}

/// Ends the program and all processes that it started, at once.
pub fn leave(code: i32) -> ! {
    ProcessGroup::end_all();
    std::process::exit(code)
}

/// The style of printed text.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    colour: bool,
}

impl Style {
    /// Colours when standard output is a terminal and `NO_COLOR` is not set (<https://no-color.org>).
    #[must_use]
    pub fn of_stdout() -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { colour: std::io::stdout().is_terminal() && !unwanted }
    }

    /// Colours or not, for any output.
    #[must_use]
    pub fn with_colour(colour: bool) -> Self {
        Self { colour }
    }

    /// Returns true if text gets colours.
    #[must_use]
    pub fn colours(self) -> bool {
        self.colour
    }

    /// Faint text.
    #[must_use]
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Bold text.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Text with the code of an SGR attribute, such as `32` for green.
    #[must_use]
    pub fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Writes a line to standard output. A closed pipe ends the program quietly, as for `cat`; any other failure, such as a
/// full disk, ends it with an error.
pub fn line(text: &str) {
    match write(&format!("{text}\n")) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => leave(0),
        Err(error) => {
            complain_of_output(&error);
            leave(1);
        }
    }
}

/// Writes to standard output, for callers that cannot end at once on failure.
///
/// # Errors
/// The text cannot be written, and the terminal is not known to be closed.
pub fn write(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(_) if GONE.load(Ordering::SeqCst) => Ok(()),
        written => written,
    }
}

/// Reports on standard error that output was lost.
pub fn complain_of_output(error: &std::io::Error) {
    complain(&format!("could not write to standard output: {error}"));
}

/// Writes an error in one line to standard error. A failure to write it is ignored.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "error: {}", plain(&text.replace('\n', " ")));
}

/// Writes a notice to standard error: standard output is for the answer.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", plain(text));
}

/// Writes JSON to standard output.
///
/// # Errors
/// The value is not JSON, such as a map whose keys are no texts.
pub fn json(value: &impl serde::Serialize) -> serde_json::Result<()> {
    line(&escaped_json(&serde_json::to_string_pretty(value)?, |_| false));
    Ok(())
}

/// Aligns the columns of rows, headers first: numbers to the right, all else to the left.
#[must_use]
pub fn table(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let is_number = |text: &String| text == "-" || text.starts_with(|letter: char| letter.is_ascii_digit());
    let numbers = |column: usize| rows.iter().skip(1).filter_map(|row| row.get(column)).all(is_number);
    let columns: Vec<(usize, bool)> = (0..columns).map(|column| (width(column), numbers(column))).collect();
    let cell = |(column, text): (usize, &String)| {
        let Some((width, is_number)) = columns.get(column) else { return text.clone() };
        // Format strings cannot pad to more than 65,535 columns.
        let space = " ".repeat(width.saturating_sub(text.chars().count()));
        if *is_number && column > 0 { format!("{space}{text}") } else { format!("{text}{space}") }
    };
    rows.iter()
        .map(|row| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned())
        .collect()
}
