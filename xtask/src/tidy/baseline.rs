//! How many findings of a rule each crate still has. The numbers only go down; a crate without a row has none.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result};

/// Where the numbers stand, seen from the workspace root.
pub(super) const FILE: &str = "xtask/src/tidy/baseline.txt";

const HEADER: &str =
    "# Findings that are left, as `rule crate count`. `cargo xtask tidy --lower` writes lower counts.\n";

/// Counts by rule and crate.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Baseline(BTreeMap<(String, String), usize>);

impl Baseline {
    /// Reads rows of `rule crate count`; lines that start with `#` are comments.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut counts = BTreeMap::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let row: Vec<_> = line.split_whitespace().collect();
            let (key, count) = match row.as_slice() {
                [rule, name, count] => {
                    (((*rule).to_owned(), (*name).to_owned()), count.parse::<usize>().ok())
                }
                _ => Default::default(),
            };
            let count = count.with_context(|| format!("{FILE}: `{line}` is not `rule crate count`"))?;
            counts.insert(key, count);
        }
        Ok(Self(counts))
    }

    /// How many findings of the rule the crate may have.
    pub(super) fn limit(&self, rule: &str, name: &str) -> usize {
        self.0.get(&(rule.to_owned(), name.to_owned())).copied().unwrap_or(0)
    }

    /// The sum of the limits of a rule.
    pub(super) fn total(&self, rule: &str) -> usize {
        self.0.iter().filter(|((row, _), _)| row == rule).map(|(_, count)| count).sum()
    }

    /// Takes what was found where it is less.
    pub(super) fn lower(&mut self, rule: &str, found: &BTreeMap<&str, usize>) {
        for ((row, name), count) in &mut self.0 {
            if row == rule {
                *count = (*count).min(found.get(name.as_str()).copied().unwrap_or(0));
            }
        }
        self.0.retain(|_, count| *count > 0);
    }

    /// The text of the file.
    pub(super) fn text(&self) -> String {
        let mut text = HEADER.to_owned();
        for ((rule, name), count) in &self.0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{rule} {name} {count}");
        }
        text
    }
}

#[cfg(test)]
mod tests;
