//! Reads the numbers that the page promises: the first cell of each row.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use super::number::Number;

/// All numbers of the page. Each must stand once and have its two other cells filled.
pub(super) fn numbers(page: &str) -> Result<BTreeSet<Number>> {
    let mut numbers = BTreeSet::new();
    for (index, line) in page.lines().enumerate() {
        let Some(row) = line.trim().strip_prefix('|').and_then(|row| row.strip_suffix('|')) else { continue };
        // A bar inside a cell is written `\|` and ends nothing.
        let row = row.replace("\\|", "");
        let mut cells = row.split('|').map(str::trim);
        let Some(number) = cells.next().and_then(Number::parse) else { continue };
        if cells.filter(|cell| !cell.is_empty()).count() != 2 {
            bail!("line {}: {number} needs the form `| number | what | where |`", index + 1);
        }
        if !numbers.insert(number) {
            bail!("line {}: {number} stands twice", index + 1);
        }
    }
    if numbers.is_empty() {
        bail!("no row with a number in it");
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests;
