//! One value as text.

use std::borrow::Cow;

use throughline_text::cut_end;

use crate::answer::Cell;

/// Maximum characters of a column's name: a model may name one by a whole text.
const NAME_CHARS: usize = 100;

/// What is shown of a value.
#[derive(Debug)]
pub(super) struct Cut<'a> {
    /// The text to show.
    pub(super) text: Cow<'a, str>,
    /// Characters of the value that it shows.
    pub(super) shown: usize,
    /// Characters of the whole value.
    pub(super) chars: usize,
}

/// As much of a value as fits.
pub(super) fn cut(cell: &Cell, chars: usize, bytes: usize) -> Cut<'_> {
    match cell {
        Cell::Text { text, chars: all } => {
            let end = text.char_indices().nth(chars).map_or(text.len(), |(end, _)| end);
            let mut part = cut_end(text, end.min(bytes));
            if part.is_empty() {
                part = first_char(text);
            }
            Cut { text: Cow::Borrowed(part), shown: part.chars().count(), chars: *all }
        }
        _ => Cut { text: short(cell), shown: 0, chars: 0 },
    }
}

/// A value of one line.
pub(super) fn short(cell: &Cell) -> Cow<'_, str> {
    match cell {
        Cell::Null => Cow::Borrowed("NULL"),
        Cell::Integer(number) => Cow::Owned(number.to_string()),
        Cell::Real(number) => Cow::Owned(real(*number)),
        Cell::Text { text, .. } if text.is_empty() => Cow::Borrowed("''"),
        Cell::Text { text, .. } => Cow::Borrowed(text),
        Cell::Blob { bytes } => Cow::Owned(format!("(blob of {bytes} bytes; use hex() or CAST(… AS TEXT))")),
    }
}

/// A text next to its column's name: verbatim if it is one line, else between two marks. A mark is a line that
/// the text does not have.
pub(super) fn quoted(text: &str) -> Cow<'_, str> {
    if text.is_empty() {
        return Cow::Borrowed("''");
    }
    if !text.contains(['\n', '\r']) {
        return Cow::Borrowed(text);
    }
    let mut mark = "END".to_owned();
    while text.lines().any(|line| line == mark) {
        mark.push('_');
    }
    Cow::Owned(format!("<<{mark}\n{text}\n{mark}"))
}

/// A column's name on one line.
pub(super) fn name(name: &str) -> String {
    let end = name.char_indices().nth(NAME_CHARS).map_or(name.len(), |(end, _)| end);
    let line: String = cut_end(name, end).replace(['\n', '\r'], " ");
    if end < name.len() { format!("{line}…") } else { line }
}

/// The expression that gives what follows after this many characters of a column.
pub(super) fn next_part(column: &str, shown: usize) -> String {
    if let Some((inner, start)) = paged(column) {
        return format!("substr({inner}, {}, {shown})", start.saturating_add(shown));
    }
    let plain = !column.is_empty() && column.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let inner = if plain { column } else { "…" };
    format!("substr({inner}, {}, {shown})", shown.saturating_add(1))
}

/// The column and the start of `substr(column, start, …)`.
fn paged(column: &str) -> Option<(&str, usize)> {
    let inner = column.strip_prefix("substr(").or_else(|| column.strip_prefix("SUBSTR("))?;
    let mut parts = inner.strip_suffix(')')?.split(',').map(str::trim);
    let (name, start) = (parts.next()?, parts.next()?.parse().ok()?);
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    (plain && start > 0 && parts.count() <= 1).then_some((name, start))
}

/// A number as SQLite writes it: at most 15 significant digits.
fn real(number: f64) -> String {
    let rounded = format!("{number:.14e}").parse().unwrap_or(number);
    format!("{rounded:?}")
}

fn first_char(text: &str) -> &str {
    let end = text.chars().next().map_or(0, char::len_utf8);
    cut_end(text, end)
}
