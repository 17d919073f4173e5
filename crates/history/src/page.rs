//! Formats an answer for the model: exact text where possible, and at every cut how to continue.

mod cell;

use std::fmt::Write as _;

use throughline_text::group_thousands;

use self::cell::Cut;
use crate::answer::{Cell, QueryAnswer};

/// Characters of a cell next to others, so that one long text does not hide the rest.
const CELL_CHARS: usize = 4_000;

/// Characters of a cell up to which a row fits a line of a table.
const SHORT: usize = 160;

/// How much an answer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize {
    /// Bytes of values. The lines that say how to continue are extra.
    pub bytes: usize,
}

impl Default for PageSize {
    fn default() -> Self {
        Self { bytes: 32 * 1024 }
    }
}

/// An answer, ready for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryPage {
    /// The text. A lone value that fits is exactly the value.
    pub text: String,
    /// Whether everything that the query found is in it.
    pub complete: bool,
}

impl QueryAnswer {
    /// The answer as text.
    ///
    /// A lone value is shown verbatim. Short values make a table, one line a row. Otherwise each row is a block of
    /// `column: value`, and a text of several lines stands between `<<END` and `END`, not indented and not escaped,
    /// so that it can be copied.
    #[must_use]
    pub fn page(&self, size: PageSize) -> QueryPage {
        let mut page = Page { answer: self, size, out: String::new(), shown: 0, cut: false };
        match self.rows.as_slice() {
            [] => page.out.push_str("no rows"),
            [row] if row.len() == 1 => page.lone(row),
            rows if rows.iter().flatten().all(fits_line) => page.table(),
            _ => page.blocks(),
        }
        page.finish()
    }
}

struct Page<'a> {
    answer: &'a QueryAnswer,
    size: PageSize,
    out: String,
    /// Rows that are in `out`.
    shown: usize,
    /// Whether a cell was cut.
    cut: bool,
}

impl Page<'_> {
    fn lone(&mut self, row: &[Cell]) {
        self.shown = 1;
        let Some(cell) = row.first() else { return };
        if matches!(cell, Cell::Text { chars: 0, .. }) {
            self.out.push_str("(empty text)");
            return;
        }
        let cut = cell::cut(cell, usize::MAX, self.size.bytes);
        self.out.push_str(&cut.text);
        self.say_continuation(row, 0, &cut);
    }

    fn table(&mut self) {
        let names: Vec<_> = self.answer.columns.iter().map(|name| cell::name(name)).collect();
        self.out.push_str(&names.join(" | "));
        for row in &self.answer.rows {
            let cells: Vec<_> = row.iter().map(cell::short).collect();
            let line = cells.join(" | ");
            if self.shown > 0 && self.out.len().saturating_add(line.len()) > self.size.bytes {
                break;
            }
            self.out.push('\n');
            self.out.push_str(&line);
            self.shown += 1;
        }
    }

    fn blocks(&mut self) {
        let lone = self.answer.rows.len() == 1;
        for row in &self.answer.rows {
            let long = row.iter().filter(|cell| !fits_line(cell)).count().max(1);
            let share = self.size.bytes / long;
            let chars = if lone { usize::MAX } else { CELL_CHARS };
            let cuts: Vec<Cut> = row.iter().map(|cell| cell::cut(cell, chars, share)).collect();
            let bytes: usize = cuts.iter().map(|cut| cut.text.len()).sum();
            if self.shown > 0 && self.out.len().saturating_add(bytes) > self.size.bytes {
                break;
            }
            if self.shown > 0 {
                self.out.push('\n');
            }
            self.shown += 1;
            let _ = write!(self.out, "-- row {}", self.shown);
            for (index, (name, cut)) in self.answer.columns.iter().zip(&cuts).enumerate() {
                let _ = write!(self.out, "\n{}: {}", cell::name(name), cell::quoted(&cut.text));
                self.say_continuation(row, index, cut);
            }
        }
    }

    /// After a cell that was cut: what is shown, and the query that shows what follows.
    fn say_continuation(&mut self, row: &[Cell], column: usize, cut: &Cut) {
        if cut.shown >= cut.chars {
            return;
        }
        self.cut = true;
        let name = self.answer.columns.get(column).map_or("", String::as_str);
        let next = cell::next_part(name, cut.shown);
        let id = self.answer.columns.iter().position(|name| name.eq_ignore_ascii_case("id"));
        let from = match id.and_then(|place| row.get(place)) {
            Some(Cell::Integer(id)) => format!("SELECT {next} FROM messages WHERE id = {id}"),
            _ => next,
        };
        let (shown, all) = (group_thousands(cut.shown as u64), group_thousands(cut.chars as u64));
        let _ = write!(self.out, "\n[characters 1–{shown} of {all}; continue with {from}]");
    }

    fn finish(mut self) -> QueryPage {
        let (shown, rows) = (self.shown, self.answer.rows.len());
        let more = if self.answer.more { " or more" } else { "" };
        if shown < rows {
            let _ = write!(
                self.out,
                "\n[rows 1–{shown} of {rows}{more} fit the page; select less, shorten texts with \
                 substr(content, 1, 200), or continue with LIMIT {shown} OFFSET {shown}]"
            );
        } else if self.answer.more {
            let _ = write!(
                self.out,
                "\n[{rows} rows, and there are more; narrow the query with WHERE, or continue with LIMIT {rows} OFFSET \
                 {rows}]"
            );
        }
        if let Some(seq) = self.answer.unread {
            let _ = write!(self.out, "\n[the log is damaged: rows up to seq {seq} may be missing]");
        }
        let complete = !self.cut && shown == rows && !self.answer.more && self.answer.unread.is_none();
        QueryPage { text: self.out, complete }
    }
}

fn fits_line(cell: &Cell) -> bool {
    match cell {
        Cell::Text { text, chars } => {
            let plain = text.trim() == text && !text.contains(['\n', '\r']) && !text.contains(" | ");
            // A truncated one needs a line that says how to continue.
            *chars <= SHORT && plain && text.chars().count() >= *chars
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests;
