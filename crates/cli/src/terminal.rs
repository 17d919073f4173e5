//! Writing to the terminal: colours only where somebody looks, bars, tables, and quiet on a closed pipe.

use std::io::{IsTerminal, Write};

/// How text is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    colour: bool,
}

impl Style {
    /// Colours when standard output is a terminal and `NO_COLOR` is not set (<https://no-color.org>).
    pub(crate) fn of_stdout() -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { colour: std::io::stdout().is_terminal() && !unwanted }
    }

    /// Colours or none, whatever the output is.
    pub(crate) fn with_colour(colour: bool) -> Self {
        Self { colour }
    }

    pub(crate) fn colours(self) -> bool {
        self.colour
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Writes a line to standard output. A reader that went away ends the program quietly, as for `cat`.
pub(crate) fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Text of other programs and files, fit to be shown: control characters become visible marks, so that nothing
/// in it can move the cursor, change the title or write the clipboard.
pub(crate) fn plain(text: &str) -> String {
    let shown = |letter: char| match letter {
        '\n' | '\t' => letter,
        letter if letter.is_control() => '\u{fffd}',
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => '\u{fffd}',
        letter => letter,
    };
    text.chars().map(shown).collect()
}

/// The first line of a text, cut to so many characters.
pub(crate) fn headline(text: &str, characters: usize) -> String {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let line = plain(first);
    if line.chars().count() <= characters {
        return line;
    }
    let mut cut: String = line.chars().take(characters.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

/// Rows with aligned columns: the first column to the left, all others to the right.
pub(crate) fn table(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let cell = |(column, text): (usize, &String)| {
        let width = widths.get(column).copied().unwrap_or(0);
        if column == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
    };
    rows.iter().map(|row| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned()).collect()
}
