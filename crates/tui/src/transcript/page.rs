//! The answer to a command as lines: its own line breaks, tables that fit the screen, and the colours of the marks that it uses.

mod table;

use crate::clean::stripped;
use crate::layout::wrap_row;
use crate::line::{BOLD, DIM, Line, PLAIN, Style};
use crate::palette::{ACCENT, MEMORY};
use table::table;

pub(super) fn page(title: &str, text: &str, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    if !title.trim().is_empty() {
        lines.push(Line::styled(stripped(title).replace('\n', " "), BOLD));
    }
    let text = stripped(text);
    let rows: Vec<Line> = text.trim_end().lines().map(row).collect();
    let mut rest = rows.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        let found = if is_header(&first.text()) { table(rest, columns) } else { None };
        if let Some((count, drawn)) = found {
            lines.extend(drawn);
            rest = rest.get(count..).unwrap_or_default();
        } else {
            lines.extend(wrap_row(first, columns));
            rest = behind;
        }
    }
    lines
}

/// A row of a page. The header of a table is quiet; parts of the window and what the engine does have their colours.
fn row(text: &str) -> Line {
    if is_header(text) {
        return Line::styled(text, DIM);
    }
    let mut line = Line::blank();
    let mut from = 0;
    let mut last = None;
    for (at, letter) in text.char_indices() {
        let style = style_of(letter);
        if last.is_some_and(|last| last != style) {
            line.add(text.get(from..at).unwrap_or_default(), last.unwrap_or(PLAIN));
            from = at;
        }
        last = Some(style);
    }
    line.then(text.get(from..).unwrap_or_default(), last.unwrap_or(PLAIN))
}

/// Returns true for the names of a table's columns: capital letters, in two columns or more.
fn is_header(text: &str) -> bool {
    let words = text.trim().split("  ").filter(|word| !word.trim().is_empty()).count();
    let capital = |letter: char| letter.is_uppercase() || !letter.is_alphabetic();
    words > 1 && text.chars().any(char::is_alphabetic) && text.chars().all(capital)
}

fn style_of(letter: char) -> Style {
    match letter {
        '━' | '╍' | '▪' => PLAIN.fg(ACCENT),
        '◆' | '┿' => PLAIN.fg(MEMORY),
        '─' => DIM,
        _ => PLAIN,
    }
}
