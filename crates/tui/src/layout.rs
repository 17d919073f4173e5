//! Fitting lines to a width: wide letters count two columns, a letter with its marks stays one.

use ratatui_core::buffer::CellWidth;
use ratatui_core::text::StyledGrapheme;
use unicode_segmentation::UnicodeSegmentation;

use crate::line::{DIM, Line, Style};

/// Columns of a text.
pub(crate) fn width(text: &str) -> usize {
    text.graphemes(true).map(letter_width).sum()
}

/// Columns of a letter with its marks: as many cells as a picture gives it.
pub(crate) fn letter_width(letter: &str) -> usize {
    // A control character is never shown; what is shown in its place takes one.
    if letter.len() == 1 || letter.contains(char::is_control) { 1 } else { letter.cell_width().into() }
}

/// A letter with its style, while a line is taken apart.
#[derive(Debug, Clone, Copy)]
struct StyledLetter<'a> {
    text: &'a str,
    style: Style,
    width: usize,
}

impl StyledLetter<'_> {
    fn is_space(self) -> bool {
        self.text == " "
    }
}

fn letters(line: &Line) -> Vec<StyledLetter<'_>> {
    let letter =
        |StyledGrapheme { symbol: text, style }| StyledLetter { text, style, width: letter_width(text) };
    line.letters().map(letter).collect()
}

fn joined(letters: &[StyledLetter<'_>]) -> Line {
    let mut line = Line::blank();
    for letter in letters {
        line.add_clean(letter.text, letter.style);
    }
    line
}

/// Breaks a line between words, and inside a word that is longer than the width. It continues below the column that it names.
pub(crate) fn wrap(line: &Line, columns: usize) -> Vec<Line> {
    let columns = columns.max(1);
    let all = letters(line);
    if all.iter().map(|letter| letter.width).sum::<usize>() <= columns {
        return vec![line.clone()];
    }
    let hang = line.hang_in(columns);
    let mut lines = Vec::new();
    let mut rest = all.as_slice();
    loop {
        let start = if lines.is_empty() { 0 } else { hang };
        let (taken, next) = first_line(rest, columns - start);
        lines.push(continued(start, joined(taken), line));
        if next.is_empty() {
            return lines;
        }
        rest = next;
    }
}

/// A piece of a line, begun at this column.
fn continued(start: usize, piece: Line, line: &Line) -> Line {
    let mut out = Line::plain(" ".repeat(start));
    out.append(piece);
    out.on_ground_of(line)
}

/// The same for text that a user may copy: a word that is longer than the width is not broken. Its line is whole, so that a terminal
/// shows it as one, and a long address can be opened.
pub(crate) fn wrap_words(line: &Line, columns: usize) -> Vec<Line> {
    let columns = columns.max(1);
    if line.width() <= columns {
        return vec![line.clone()];
    }
    let all = letters(line);
    let mut lines = Vec::new();
    let mut rest = all.as_slice();
    while !rest.is_empty() {
        let word = rest.split(|letter| letter.is_space()).next().unwrap_or(rest);
        let is_narrow = word.iter().all(|letter| letter.width < 2);
        if is_narrow && word.iter().map(|letter| letter.width).sum::<usize>() > columns {
            lines.push(joined(word).on_ground_of(line).whole());
            rest = rest.get(word.len() + 1..).unwrap_or_default();
            continue;
        }
        let (taken, next) = first_line(rest, columns);
        lines.push(joined(taken).on_ground_of(line));
        rest = next;
    }
    lines
}

/// The letters of the first line, and those after the break.
fn first_line<'a, 'b>(
    letters: &'b [StyledLetter<'a>],
    columns: usize,
) -> (&'b [StyledLetter<'a>], &'b [StyledLetter<'a>]) {
    let mut used = 0;
    // Where the line may end, and where the next one would begin.
    let mut best: Option<(usize, usize)> = None;
    let mut last_space = false;
    for (at, letter) in letters.iter().enumerate() {
        if letter.is_space() {
            if !last_space && at > 0 {
                best = Some((at, at + 1));
            } else if let Some((_, next)) = &mut best {
                *next = at + 1;
            }
            last_space = true;
        } else {
            // Scripts with wide letters have no spaces: each letter may begin a line.
            if letter.width == 2 && at > 0 && !last_space {
                best = Some((at, at));
            }
            last_space = false;
        }
        if used + letter.width > columns && !letter.is_space() {
            let (end, next) = match best {
                Some((end, next)) if end > 0 => (end, next),
                // A letter that is wider than the line still gets a line.
                _ => (at.max(1), at.max(1)),
            };
            return (trimmed(letters, end, columns), letters.get(next..).unwrap_or_default());
        }
        used += letter.width;
    }
    (trimmed(letters, letters.len(), columns), &[])
}

/// The first `end` letters, without the spaces at their end that do not fit: they take no room.
fn trimmed<'a, 'b>(letters: &'b [StyledLetter<'a>], end: usize, columns: usize) -> &'b [StyledLetter<'a>] {
    let mut taken = letters.get(..end).unwrap_or(letters);
    let mut used: usize = taken.iter().map(|letter| letter.width).sum();
    while used > columns
        && let Some((last, before)) = taken.split_last()
        && last.is_space()
    {
        used -= last.width;
        taken = before;
    }
    taken
}

/// Breaks a line at the width, also inside words. It continues below the column that it names.
pub(crate) fn break_at_width(line: &Line, columns: usize) -> Vec<Line> {
    let columns = columns.max(1);
    let hang = line.hang_in(columns);
    let mut lines = Vec::new();
    let mut current = Line::blank();
    let (mut start, mut used) = (0, 0);
    for letter in letters(line) {
        if start + used + letter.width > columns && used > 0 {
            lines.push(continued(start, std::mem::take(&mut current), line));
            (start, used) = (hang, 0);
        }
        current.add_clean(letter.text, letter.style);
        used += letter.width;
    }
    lines.push(continued(start, current, line));
    lines
}

/// The start of a line that fits, with an ellipsis if it was cut.
pub(crate) fn cut(line: &Line, columns: usize) -> Line {
    if line.width() <= columns {
        return line.clone();
    }
    let mut out = Line::blank();
    let mut used = 0;
    for letter in letters(line) {
        if used + letter.width + 1 > columns {
            break;
        }
        out.add_clean(letter.text, letter.style);
        used += letter.width;
    }
    if columns > 0 {
        out.add("…", DIM);
    }
    out.on_ground_of(line)
}

/// The start of a text that fits, with an ellipsis if it was cut.
pub(crate) fn cut_text(text: &str, columns: usize) -> String {
    // A wide letter more than fits shows that there is more.
    cut(&Line::plain(start_of(text, columns + 2)), columns).text()
}

/// The start of a text that is not yet cleaned: all that these columns can show of it. What is cleaned becomes no narrower.
pub(crate) fn start_of(text: &str, columns: usize) -> &str {
    text.get(..fitting(columns, text.graphemes(true))).unwrap_or(text)
}

/// The start and the end of a text that fits, with an ellipsis between them. The end is the larger part.
pub(crate) fn cut_middle(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(1);
    let start = fitting(room / 3, text.graphemes(true));
    let end = text.len() - fitting(room - room / 3, text.graphemes(true).rev());
    format!("{}…{}", text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default())
}

/// Bytes of the letters that fit.
fn fitting<'t>(columns: usize, letters: impl Iterator<Item = &'t str>) -> usize {
    let mut used = 0;
    let fits = |letter: &&str| {
        used += letter_width(letter);
        used <= columns
    };
    letters.take_while(fits).map(str::len).sum()
}

/// Wraps a line with a hanging indent: `first` before the first line, `rest`, which should be as wide, before the others.
pub(crate) fn wrap_hanging(first: &Line, rest: &Line, line: &Line, columns: usize) -> Vec<Line> {
    hanging(first, rest, columns, |room| wrap(line, room))
}

/// The same with words that are never broken, as [`wrap_words`] does.
pub(crate) fn wrap_words_hanging(first: &Line, rest: &Line, line: &Line, columns: usize) -> Vec<Line> {
    hanging(first, rest, columns, |room| wrap_words(line, room))
}

fn hanging(first: &Line, rest: &Line, columns: usize, wrapped: impl FnOnce(usize) -> Vec<Line>) -> Vec<Line> {
    let room = columns.saturating_sub(first.width().max(rest.width())).max(1);
    let with_start = |(index, piece): (usize, Line)| {
        let is_whole = piece.is_whole();
        let mut out = if index == 0 { first.clone() } else { rest.clone() };
        out.append(piece);
        if is_whole { out.whole() } else { out }
    };
    wrapped(room).into_iter().enumerate().map(with_start).collect()
}

/// Minimum columns for the last column of a row of a table.
pub(crate) const LAST_COLUMN: usize = 14;

/// Wraps a row of a page: the rest is below the row's last column, which begins after two spaces or more. Where
/// that column would be too narrow, the rest is indented by two; a line without columns continues
/// below its text.
pub(crate) fn wrap_row(line: &Line, columns: usize) -> Vec<Line> {
    if line.width() <= columns {
        return vec![line.clone()];
    }
    let all = letters(line);
    let indent = all.iter().take_while(|letter| letter.is_space()).map(|letter| letter.width).sum::<usize>();
    let at = match last_column(&all) {
        Some(at) if at + LAST_COLUMN <= columns => at,
        Some(_) => indent + 2,
        None if line.text().trim_start().starts_with("- ") => indent + 2,
        None => indent,
    };
    let (first, rest) = first_line(&all, columns);
    let mut lines = vec![joined(first)];
    if !rest.is_empty() {
        let start = Line::plain(" ".repeat(at.min(columns.saturating_sub(1))));
        lines.extend(wrap_hanging(&start, &start, &joined(rest), columns));
    }
    lines
}

/// Narrower columns say nothing.
const NARROWEST: usize = 6;

/// The widths of a table's columns in this room: the widest ones give first. `None`: too narrow to be read.
pub(crate) fn narrowed(wanted: &[usize], room: usize) -> Option<Vec<usize>> {
    let mut widths = wanted.to_vec();
    while widths.iter().sum::<usize>() > room {
        let widest = widths.iter_mut().max()?;
        if *widest <= NARROWEST {
            return None;
        }
        *widest -= 1;
    }
    Some(widths)
}

/// The column at which the last column of a row begins, if it has one.
fn last_column(letters: &[StyledLetter<'_>]) -> Option<usize> {
    let (mut at, mut spaces, mut seen, mut found) = (0, 0, false, None);
    for letter in letters {
        if letter.is_space() {
            spaces += 1;
        } else {
            if spaces >= 2 && seen {
                found = Some(at);
            }
            (spaces, seen) = (0, true);
        }
        at += letter.width;
    }
    found
}

#[cfg(test)]
mod tests;
