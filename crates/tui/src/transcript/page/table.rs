//! A table of a page that is too wide for the screen: its columns become narrower, and their cells are wrapped.

use std::ops::Range;

use crate::columns::{GAP, side_by_side};
use crate::layout::{LAST_COLUMN, letter_width, narrowed, wrap};
use crate::line::Line;

/// The table that begins with this header, and how many of the rows are its own. `None`: its last column has room, or the screen is
/// too narrow for its columns.
pub(super) fn table(rows: &[Line], columns: usize) -> Option<(usize, Vec<Line>)> {
    let mut gaps = gaps(rows.first()?);
    let mut count = 0;
    for row in rows.iter().take_while(|row| !row.is_empty()) {
        let Some(common) = gaps.iter().map(|gap| blank_part(row, gap)).collect() else { break };
        gaps = common;
        count += 1;
    }
    let rows = rows.get(..count)?;
    if gaps.last()?.end + LAST_COLUMN <= columns || rows.iter().all(|row| row.width() <= columns) {
        return None;
    }
    let starts = std::iter::once(0).chain(gaps.iter().map(|gap| gap.end));
    let ends = gaps.iter().map(|gap| gap.start).chain([usize::MAX]);
    let places: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| start..end).collect();
    let widest = |place: &Range<usize>| rows.iter().map(|row| part(row, place).width()).max().unwrap_or(0);
    let wanted: Vec<usize> = places.iter().map(widest).collect();
    let widths = narrowed(&wanted, columns.saturating_sub(gaps.len() * GAP))?;
    let cell = |row: &Line, at: usize, width: usize| {
        let cell = places.get(at).map(|place| part(row, place)).unwrap_or_default();
        // Numbers stay at the right of a column that has its width.
        let is_wide = wanted.get(at) == Some(&width);
        wrap(&if is_wide { cell } else { cell.without_start_spaces() }, width)
    };
    let drawn = |row: &Line| {
        let cells: Vec<Vec<Line>> =
            widths.iter().enumerate().map(|(at, width)| cell(row, at, *width)).collect();
        side_by_side(&cells, &widths, |_, _| 0)
    };
    Some((count, rows.iter().flat_map(drawn).collect()))
}

/// Where a header has two spaces or more between two names.
fn gaps(header: &Line) -> Vec<Range<usize>> {
    let text = header.text();
    let mut gaps = Vec::new();
    let mut blank = None;
    for (at, letter) in text.trim_end().chars().enumerate() {
        if letter == ' ' {
            blank.get_or_insert(at);
        } else if let Some(start) = blank.take().filter(|start| *start > 0 && at - start >= GAP) {
            gaps.push(start..at);
        }
    }
    gaps
}

/// The longest part of a gap that is blank in this row, too; `None`: none is wide enough.
fn blank_part(row: &Line, gap: &Range<usize>) -> Option<Range<usize>> {
    let mut free = vec![true; gap.len()];
    let mut column = 0;
    for letter in row.letters() {
        let end = column + letter_width(letter.symbol);
        for at in (column..end).filter(|at| gap.contains(at) && letter.symbol != " ") {
            free.get_mut(at - gap.start).into_iter().for_each(|free| *free = false);
        }
        column = end;
    }
    let mut best: Option<Range<usize>> = None;
    let mut at = gap.start;
    for run in free.chunk_by(|one, other| one == other) {
        let found = at..at + run.len();
        at = found.end;
        let is_longer = best.as_ref().is_none_or(|best| best.len() < found.len());
        if run.first() == Some(&true) && found.len() >= GAP && is_longer {
            best = Some(found);
        }
    }
    best
}

/// The part of a row in these columns, without the spaces at its end.
fn part(row: &Line, place: &Range<usize>) -> Line {
    let mut out = Line::blank();
    let mut column = 0;
    for letter in row.letters() {
        if place.contains(&column) {
            out.add_clean(letter.symbol, letter.style);
        }
        column += letter_width(letter.symbol);
    }
    out.without_end_spaces()
}
