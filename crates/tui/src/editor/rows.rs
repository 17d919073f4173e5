//! A text in rows of a width, with the place of each grapheme: the cursor goes where the text is seen.

use unicode_segmentation::UnicodeSegmentation;

use crate::clean::visible;
use crate::layout::width;

/// Shown for a tab.
const TAB: &str = "    ";

/// A text in rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    /// The text of the rows.
    pub(crate) rows: Vec<String>,
    /// The row of the cursor.
    pub(crate) row: usize,
    /// The column of the cursor.
    pub(crate) column: usize,
    /// For each row the places in it: column and byte offset.
    places: Vec<Vec<(usize, usize)>>,
}

impl Rows {
    /// The byte offset at a place, or at the end of the row when that is shorter. `None`: there is no such row.
    pub(super) fn offset(&self, row: usize, column: usize) -> Option<usize> {
        let places = self.places.get(row)?;
        let place = places.iter().take_while(|(at, _)| *at <= column).last().or_else(|| places.first());
        place.map(|(_, offset)| *offset)
    }
}

/// Lays a text out, broken between words, and inside a word that is longer than a row. `cursor` is a byte offset in it.
pub(super) fn rows(text: &str, cursor: usize, columns: usize) -> Rows {
    // One column is for the cursor after the last grapheme.
    let columns = columns.saturating_sub(1).max(1);
    let mut out = Rows::default();
    let mut line = Vec::new();
    for (offset, letter) in text.grapheme_indices(true) {
        if matches!(letter, "\n" | "\r\n") {
            let used = out.add_line(&std::mem::take(&mut line), columns, cursor);
            out.mark(used.min(columns), offset, cursor);
        } else {
            line.push(Letter::of(offset, letter, columns));
        }
    }
    let used = out.add_line(&line, columns, cursor);
    if used > columns {
        out.next_row();
    }
    out.mark(if used > columns { 0 } else { used }, text.len(), cursor);
    out
}

/// A grapheme, and the text that shows it.
#[derive(Debug)]
struct Letter {
    offset: usize,
    shown: String,
    width: usize,
}

impl Letter {
    fn of(offset: usize, letter: &str, columns: usize) -> Self {
        let mut shown = if letter == "\t" { TAB.to_owned() } else { visible(letter) };
        if width(&shown) > columns {
            // Wider than the whole row.
            shown = "\u{fffd}".to_owned();
        }
        Self { offset, width: width(&shown), shown }
    }

    /// Returns true if a word may begin behind it.
    fn ends_word(&self) -> bool {
        self.shown.ends_with(' ')
    }
}

/// How many letters are in the first row. A space may take the column of the cursor.
fn first_row(letters: &[Letter], columns: usize) -> usize {
    let (mut used, mut best) = (0, None);
    let mut ends_word = false;
    for (at, letter) in letters.iter().enumerate() {
        let is_space = letter.shown == " ";
        // Scripts with wide letters have no spaces: each letter may begin a row.
        if at > 0 && (letter.width == 2 || ends_word) && !is_space {
            best = Some(at);
        }
        if at > 0 && used + letter.width > columns + usize::from(is_space) {
            return best.filter(|_| !is_space).unwrap_or(at);
        }
        used += letter.width;
        ends_word = letter.ends_word();
    }
    letters.len()
}

impl Rows {
    /// Adds a line in rows, and returns the columns of the last of them.
    fn add_line(&mut self, letters: &[Letter], columns: usize, cursor: usize) -> usize {
        let mut rest = letters;
        loop {
            let (row, next) = rest.split_at(first_row(rest, columns));
            self.next_row();
            let mut used = 0;
            for letter in row {
                self.mark(used, letter.offset, cursor);
                if let Some(shown) = self.rows.last_mut() {
                    shown.push_str(&letter.shown);
                }
                used += letter.width;
            }
            if next.is_empty() {
                return used;
            }
            rest = next;
        }
    }

    fn next_row(&mut self) {
        self.rows.push(String::new());
        self.places.push(Vec::new());
    }

    fn mark(&mut self, column: usize, offset: usize, cursor: usize) {
        if offset == cursor {
            self.row = self.rows.len() - 1;
            self.column = column;
        }
        if let Some(places) = self.places.last_mut() {
            places.push((column, offset));
        }
    }
}
