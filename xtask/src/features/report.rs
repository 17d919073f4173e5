//! Compares promised numbers with named ones, for a reader: a line for each group, then what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::markers::Named;
use super::number::Number;
use super::page::Rows;

/// How many numbers stand on one line of the list.
const PER_LINE: usize = 12;

/// A message for each marker that names a number that the page does not promise.
pub(super) fn unknown(promised: &BTreeSet<Number>, named: &[Named]) -> Vec<String> {
    let strangers = named.iter().filter(|named| !promised.contains(&named.number));
    strangers.map(|named| format!("{}: {} is not in docs/features.md", named.place, named.number)).collect()
}

/// A message for each crate of a row that has no test of that number.
pub(super) fn misplaced(rows: &Rows, named: &[Named]) -> Vec<String> {
    let mut messages = Vec::new();
    for (number, crates) in rows {
        let has_test = |name: &str| {
            let folder = format!("crates/{name}/");
            named.iter().any(|named| named.number == *number && named.place.starts_with(&folder))
        };
        for name in crates.iter().filter(|name| !has_test(name)) {
            messages.push(format!(
                "docs/features.md: {number} names `{name}`, which has no test of it: name the crate that has, or mark it (planned)"
            ));
        }
    }
    messages
}

/// The report, without a last newline.
pub(super) fn text(promised: &BTreeSet<Number>, named: &[Named], only_missing: bool) -> String {
    let tested: BTreeSet<_> = named.iter().map(|named| named.number).collect();
    let missing: Vec<_> = promised.difference(&tested).map(ToString::to_string).collect();
    let listed: Vec<_> = missing.chunks(PER_LINE).map(|chunk| format!("  {}", chunk.join(" "))).collect();
    if only_missing {
        return listed.join("\n");
    }
    let mut groups = BTreeMap::<u8, (usize, usize)>::new();
    for number in promised {
        let (done, total) = groups.entry(number.group).or_default();
        *done += usize::from(tested.contains(number));
        *total += 1;
    }
    let mut text = String::new();
    for (group, (done, total)) in &groups {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "S{group}  {done:>3}/{total}");
    }
    let _ = write!(text, "all {:>3}/{}", promised.len() - missing.len(), promised.len());
    if !listed.is_empty() {
        let _ = write!(text, "\nno test yet:\n{}", listed.join("\n"));
    }
    text
}

#[cfg(test)]
mod tests;
