//! Reads the rows of the page: the number of a feature, and the crates that have a test of it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use super::number::Number;

/// The crates that a row names, without those that are planned.
pub(super) type Rows = BTreeMap<Number, Vec<String>>;

/// Marks a crate without a test yet.
const PLANNED: &str = "(planned)";

/// All rows of the page. Each number must be there once and have its two other cells filled.
pub(super) fn rows(page: &str) -> Result<Rows> {
    let mut rows = Rows::new();
    for (index, line) in page.lines().enumerate() {
        let Some(row) = line.trim().strip_prefix('|').and_then(|row| row.strip_suffix('|')) else { continue };
        // A bar inside a cell is written `\|` and ends nothing.
        let row = row.replace("\\|", "");
        let mut cells = row.split('|').map(str::trim);
        let Some(number) = cells.next().and_then(Number::parse) else { continue };
        let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        let [_what, place] = cells.as_slice() else {
            bail!("line {}: {number} needs the form `| number | what | where |`", index + 1);
        };
        if rows.insert(number, crates(place)).is_some() {
            bail!("line {}: {number} stands twice", index + 1);
        }
    }
    if rows.is_empty() {
        bail!("no row with a number in it");
    }
    Ok(rows)
}

/// The rows that are open on purpose: the last cell says so.
pub(super) fn planned(page: &str) -> BTreeSet<Number> {
    let row = |line: &str| {
        let cells = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        let number = Number::parse(cells.split('|').next()?.trim())?;
        cells.rsplit('|').next().is_some_and(|place| place.contains("planned")).then_some(number)
    };
    page.lines().filter_map(row).collect()
}

/// The names in backticks that are not planned.
fn crates(place: &str) -> Vec<String> {
    let named = place.split(',').map(str::trim).filter(|name| !name.ends_with(PLANNED));
    let named = named.filter_map(|name| name.strip_prefix('`')?.strip_suffix('`'));
    named.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
