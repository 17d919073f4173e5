//! Words with related meanings in tool descriptions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::words::words;

/// The other words of all lines with this word: a query for a ticket may mean an issue.
pub(crate) fn related(word: &str) -> impl Iterator<Item = &'static str> {
    static TABLE: OnceLock<BTreeMap<String, BTreeSet<String>>> = OnceLock::new();
    let table = TABLE.get_or_init(table);
    table.get(word).into_iter().flatten().map(String::as_str)
}

/// Each line of the file has words with related meanings. A word may be in several lines.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let mut table: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in include_str!("related.txt").lines() {
        let group = words(line);
        for word in &group {
            let others = group.iter().filter(|other| *other != word).cloned();
            table.entry(word.clone()).or_default().extend(others);
        }
    }
    table
}

#[cfg(test)]
mod tests;
