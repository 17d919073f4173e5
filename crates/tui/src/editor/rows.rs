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

/// Lays a text out. `cursor` is a byte offset in it.
pub(super) fn rows(text: &str, cursor: usize, columns: usize) -> Rows {
    // One column is for the cursor after the last grapheme.
    let columns = columns.saturating_sub(1).max(1);
    let mut out = Rows { rows: vec![String::new()], places: vec![Vec::new()], ..Rows::default() };
    let mut used = 0;
    for (offset, letter) in text.grapheme_indices(true) {
        let newline = matches!(letter, "\n" | "\r\n");
        let mut shown = if letter == "\t" { TAB.to_owned() } else { visible(letter) };
        if width(&shown) > columns {
            // Wider than the whole row.
            shown = "\u{fffd}".to_owned();
        }
        let wide = if newline { 0 } else { width(&shown) };
        if used + wide > columns && used > 0 {
            out.next_row();
            used = 0;
        }
        out.mark(used, offset, cursor);
        if newline {
            out.next_row();
            used = 0;
        } else {
            if let Some(row) = out.rows.last_mut() {
                row.push_str(&shown);
            }
            used += wide;
        }
    }
    out.mark(used, text.len(), cursor);
    out
}

impl Rows {
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
