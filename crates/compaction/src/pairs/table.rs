//! The rows of a table with a header.

use super::Pair;

/// A longer cell is text.
const LONGEST: usize = 80;
/// Fewer columns are no table, more are not read.
const COLUMNS: std::ops::RangeInclusive<usize> = 2..=8;
/// Rows that a table has at least.
const ROWS: usize = 2;

/// How the cells of a line are separated.
#[derive(Debug, Clone, Copy)]
enum Form {
    Bars,
    Tabs,
    Commas,
    Blanks,
}

/// The pairs of the table that begins with the first of the lines, and how many lines it has. The first cell of a row and the
/// name of a column are the key; with two columns the first cell is.
pub(super) fn rows(lines: &[(usize, &str)]) -> Option<(usize, Vec<Pair>)> {
    let (_, first) = lines.first()?;
    let form = [Form::Bars, Form::Tabs, Form::Commas, Form::Blanks]
        .into_iter()
        .find(|form| cells(first, *form).is_some_and(|cells| cells.iter().all(|cell| is_heading(cell))))?;
    let header = cells(first, form)?;
    let rows = lines.iter().skip(1).map_while(|(at, line)| {
        let row = cells(line, form)?;
        (row.len() == header.len()).then_some((*at, *line, row))
    });
    let rows: Vec<_> = rows.collect();
    let count = rows.len() + 1;
    let mut found = Vec::new();
    let mut of_rows = 0;
    for (at, line, row) in rows.into_iter().filter(|(.., row)| !is_rule(row)) {
        of_rows += 1;
        let Some((name, values)) = row.split_first() else { continue };
        for (heading, value) in header.iter().skip(1).zip(values) {
            if name.is_empty() || value.is_empty() {
                continue;
            }
            let key = if header.len() == 2 { (*name).to_owned() } else { format!("{name} {heading}") };
            found.push(Pair { key, value: (*value).to_owned(), at: at..at + line.len() });
        }
    }
    (of_rows >= ROWS && !found.is_empty()).then_some((count, found))
}

fn cells(line: &str, form: Form) -> Option<Vec<&str>> {
    let line = line.trim();
    let cells: Vec<&str> = match form {
        Form::Bars => line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect(),
        Form::Tabs => line.split('\t').map(str::trim).collect(),
        Form::Commas => line.split(',').map(str::trim).collect(),
        Form::Blanks => line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect(),
    };
    let fits = |cell: &&str| cell.len() <= LONGEST && !cell.contains(['{', '}', '(', ')', ';']);
    (COLUMNS.contains(&cells.len()) && cells.iter().all(fits)).then_some(cells)
}

/// A heading is one or two words: other lines with commas or blanks in them are text.
fn is_heading(cell: &str) -> bool {
    let words = cell.split_whitespace().count();
    (1..=2).contains(&words)
        && cell
            .chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ' ' | '%' | '.' | '#'))
        && cell.starts_with(char::is_alphabetic)
}

/// The line under a header: `|---|:--|`.
fn is_rule(row: &[&str]) -> bool {
    row.iter()
        .all(|cell| !cell.is_empty() && cell.chars().all(|letter| matches!(letter, '-' | ':' | '=' | '+')))
}
