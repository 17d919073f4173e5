//! Wrapped cells next to each other.

use crate::line::{Line, PLAIN};

/// Spaces between two columns.
pub(crate) const GAP: usize = 2;

/// The lines of a row of wrapped cells. `before`: the spaces in front of a cell, by its column and the room that it leaves.
pub(crate) fn side_by_side(
    cells: &[Vec<Line>],
    widths: &[usize],
    before: impl Fn(usize, usize) -> usize,
) -> Vec<Line> {
    let height = cells.iter().map(Vec::len).max().unwrap_or(1);
    let line = |at: usize| {
        let mut line = Line::blank();
        let mut start: usize = 0;
        for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
            if let Some(cell) = cell.get(at).filter(|cell| !cell.is_empty()) {
                let start = start + before(column, width.saturating_sub(cell.width()));
                line.add(" ".repeat(start.saturating_sub(line.width())), PLAIN);
                line.append(cell.clone());
            }
            start += width + GAP;
        }
        line
    };
    (0..height).map(line).collect()
}
