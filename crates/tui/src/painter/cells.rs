//! The live part as cells, and the changed cells.

use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::Rect;
use ratatui_core::widgets::Widget;
use unicode_width::UnicodeWidthChar;

use super::pen::Pen;
use crate::layout::letter_width;
use crate::line::{Color, Line};

/// A cell that nothing is written to. It is no space: rows end where their text ends. Spaces after it would be copied with
/// it, and a terminal that becomes narrower would break them into more rows.
const UNWRITTEN: Cell = Cell::new("");

/// A cell at its column and row.
type Place<'a> = (u16, u16, &'a Cell);

/// A picture without text.
pub(super) fn blank(columns: u16, rows: u16) -> Buffer {
    Buffer::filled(Rect::new(0, 0, columns, rows), UNWRITTEN)
}

/// The picture of these lines. Rows of lines that are the same as in the last picture are taken from it.
pub(super) fn picture(lines: &[Line], columns: u16, last: &Buffer, last_lines: &[Line]) -> Buffer {
    let (mut picture, same) = if last.area.width == columns {
        (last.clone(), last_lines)
    } else {
        (blank(columns, 0), [].as_slice())
    };
    picture.resize(Rect::new(0, 0, columns, super::cells_of(lines.len())));
    for (index, (line, row)) in lines.iter().zip(picture.area.rows()).enumerate() {
        if same.get(index) != Some(line) {
            for place in row.positions() {
                if let Some(cell) = picture.cell_mut(place) {
                    *cell = UNWRITTEN;
                }
            }
            line.render(row, &mut picture);
        }
    }
    picture
}

/// The column after the text of a row.
pub(super) fn end_of_row(picture: &Buffer, row: u16) -> u16 {
    letters(picture, row, 0).last().map_or(0, |(column, _, cell)| column + columns_of(cell))
}

/// Writes what is not the same in the next picture, which is as wide.
pub(super) fn write_changes(pen: &mut Pen, before: &Buffer, next: &Buffer) {
    for row in before.diff(next).chunk_by(|one, other| one.1 == other.1) {
        write_row(pen, before, next, row);
    }
    if next.area.height < before.area.height {
        pen.go(next.area.height, 0);
        pen.empty();
    }
    for row in before.area.height..next.area.height {
        write_rest(pen, next, row, 0);
    }
}

/// Writes what changed in a row. Behind a letter of which terminals do not agree how wide it is, no column is sure: if
/// something changed there, the row is written again from that letter on, without a move.
fn write_row(pen: &mut Pen, before: &Buffer, next: &Buffer, changed: &[Place<'_>]) {
    let Some(&(_, row, _)) = changed.first() else { return };
    let sure = sure_columns(before, row).min(sure_columns(next, row));
    let alone = changed.iter().take_while(|(column, _, cell)| *column < sure && !cell.symbol().is_empty());
    let alone: Vec<Place<'_>> = alone.copied().collect();
    write(pen, &alone, |column, next| column + 1 == next);
    if let Some((column, ..)) = changed.get(alone.len()) {
        let from = sure.min(*column);
        pen.go(row, from);
        pen.empty_rest();
        write_rest(pen, next, row, from);
    }
}

/// Writes a row's text from a column on, over what is there.
fn write_rest(pen: &mut Pen, next: &Buffer, row: u16, from: u16) {
    pen.go(row, from);
    // Erased first: at the edge, the last letter would be erased with the rest.
    if let Some(ground) = ground_of(next, row) {
        pen.ground(ground);
    }
    let places: Vec<Place<'_>> = letters(next, row, from).collect();
    write(pen, &places, |_, _| true);
    pen.unsure();
}

/// Writes cells of a row, adjacent cells of one style together.
fn write(pen: &mut Pen, places: &[Place<'_>], joined: impl Fn(u16, u16) -> bool) {
    let together = |(column, _, cell): &Place<'_>, (next, _, other): &Place<'_>| {
        let same = (cell.fg, cell.bg, cell.modifier) == (other.fg, other.bg, other.modifier);
        same && joined(*column, *next)
    };
    for run in places.chunk_by(together) {
        let (Some((column, row, first)), Some((last, _, cell))) = (run.first(), run.last()) else { return };
        pen.go(*row, *column);
        let text: String = run.iter().map(|(_, _, cell)| cell.symbol()).collect();
        pen.text(&text, first.style(), last + columns_of(cell));
    }
}

/// The ground of a row, which its last cell has.
fn ground_of(picture: &Buffer, row: u16) -> Option<Color> {
    let cell = picture.cell((picture.area.width.checked_sub(1)?, row))?;
    Some(cell.bg).filter(|ground| *ground != Color::Reset)
}

/// The cells of a row's text from a column on.
pub(super) fn letters(picture: &Buffer, row: u16, from: u16) -> impl Iterator<Item = Place<'_>> {
    let mut next = from;
    std::iter::from_fn(move || {
        let cell = picture.cell((next, row)).filter(|cell| !cell.symbol().is_empty())?;
        let column = next;
        next += columns_of(cell);
        Some((column, row, cell))
    })
}

fn columns_of(cell: &Cell) -> u16 {
    super::cells_of(letter_width(cell.symbol())).max(1)
}

/// The columns of a row whose letters are one column wide on every terminal, up to the first other one.
fn sure_columns(picture: &Buffer, row: u16) -> u16 {
    let other = letters(picture, row, 0).find(|(_, _, cell)| !is_sure(cell.symbol()));
    other.map_or(picture.area.width, |(column, ..)| column)
}

/// Returns true if the letter is one column wide on every terminal: it has no combining marks and is neither wide nor
/// ambiguous (<https://www.unicode.org/reports/tr11/>).
fn is_sure(letter: &str) -> bool {
    if letter.len() == 1 {
        return true;
    }
    let mut letters = letter.chars();
    let only = letters.next().filter(|_| letters.next().is_none());
    only.is_some_and(|only| only.width() == Some(1) && only.width_cjk() == Some(1))
}
