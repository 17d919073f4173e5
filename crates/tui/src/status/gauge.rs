//! The line above the input: the window, drawn to scale.
//!
//! Heavy is used, solid what the last request had from the cache and dashed what was paid in full; thin is free; a mark stands
//! where the next compaction happens.

use super::figures::short_number;
use crate::layout::width;
use crate::line::{Color, DIM, Line, PLAIN, Style};
use crate::palette::{ACCENT, MEMORY, WAIT};
use crate::port::StatusLine;

/// From this width on the mark has a label.
const LABELLED: usize = 100;
/// Percent of the window before the compaction at which the used part warns.
pub(super) const NEAR: u64 = 10;

const CACHED: &str = "━";
const PAID: &str = "╍";
const FREE: &str = "─";
const POINT: &str = "┿";

/// The line in this width. A window of which nothing is known is a thin rule.
pub(super) fn gauge(status: &StatusLine, columns: usize) -> Line {
    let (Some(window), Some(used)) =
        (status.window_tokens.filter(|window| *window > 0), status.context_tokens)
    else {
        return Line::styled(FREE.repeat(columns), DIM);
    };
    let scale = Scale { window, columns };
    let heavy = scale.columns_of(used);
    let solid = heavy * usize::try_from(status.cached_percent.unwrap_or(0).min(100)).unwrap_or(0) / 100;
    let colour = if is_near(status) { WAIT } else { ACCENT };
    let point = status.compacts_at.filter(|point| *point < window).map(|point| scale.place_of(point));
    let mut line = Line::blank();
    let mut pieces = Pieces { line: &mut line, at: 0, point };
    pieces.add(CACHED, solid, PLAIN.fg(colour));
    pieces.add(PAID, heavy - solid, PLAIN.fg(colour));
    if let Some((label, from)) = label(status, point, heavy, columns) {
        pieces.add(FREE, from - heavy, DIM);
        pieces.add_text(&label);
    }
    let rest = columns.saturating_sub(pieces.at);
    pieces.add(FREE, rest, DIM);
    line
}

/// Returns true if the next compaction is less than a tenth of the window away.
pub(super) fn is_near(status: &StatusLine) -> bool {
    let (Some(window), Some(used)) = (status.window_tokens, status.context_tokens) else { return false };
    let point = status.compacts_at.unwrap_or(window);
    used.saturating_add(window.saturating_mul(NEAR) / 100) >= point
}

/// The label of the mark and the column at which it begins, where there is room for it in the free part.
fn label(status: &StatusLine, point: Option<usize>, heavy: usize, columns: usize) -> Option<(String, usize)> {
    let label = format!(" compacts at {} ", short_number(status.compacts_at?));
    let from = point?.checked_sub(width(&label) + 1)?;
    (columns >= LABELLED && from > heavy).then_some((label, from))
}

/// The window on this many columns.
#[derive(Debug, Clone, Copy)]
struct Scale {
    window: u64,
    columns: usize,
}

impl Scale {
    /// Columns that tokens take: at least one for any, and all of them only when the window is full.
    fn columns_of(self, tokens: u64) -> usize {
        let columns = (tokens.min(self.window) * self.columns as u64 + self.window / 2) / self.window;
        usize::try_from(columns).unwrap_or(self.columns).max(usize::from(tokens > 0)).min(self.columns)
    }

    /// The column in which these tokens are reached.
    fn place_of(self, tokens: u64) -> usize {
        let place = tokens * self.columns as u64 / self.window;
        usize::try_from(place).unwrap_or(self.columns).min(self.columns.saturating_sub(1))
    }
}

/// Puts pieces one behind the other, with the mark in its column.
struct Pieces<'a> {
    line: &'a mut Line,
    at: usize,
    point: Option<usize>,
}

impl Pieces<'_> {
    fn add(&mut self, piece: &str, count: usize, style: Style) {
        for _ in 0..count {
            if self.point == Some(self.at) {
                self.line.add(POINT, PLAIN.fg(MEMORY));
            } else {
                self.line.add(piece, style);
            }
            self.at += 1;
        }
    }

    fn add_text(&mut self, text: &str) {
        self.line.add(text, DIM);
        self.at += width(text);
    }
}

/// What is used of a window as a bar of one colour, for a compaction: before it or after it.
pub(crate) fn bar(tokens: u64, window: u64, columns: usize, colour: Color) -> Line {
    let heavy = Scale { window: window.max(1), columns }.columns_of(tokens);
    Line::styled(CACHED.repeat(heavy), PLAIN.fg(colour)).then(FREE.repeat(columns - heavy), DIM)
}

#[cfg(test)]
mod tests;
