//! Rules over the whole tree. What they find is compared with the counts of `baseline.txt`: a rule without rows there
//! allows nothing.

use std::collections::BTreeMap;

use super::baseline::Baseline;
use super::sources::{Sources, crate_of};
use super::{Finding, cycles, dialect, functions, hub, inline_tests, mocks, policy_free, unused};

/// A rule with a name for the baseline and the command line.
pub(super) struct Rule {
    /// Its name.
    pub(super) name: &'static str,
    find: fn(&Sources<'_>) -> Vec<Finding>,
}

/// All rules of this kind.
pub(super) const RULES: &[Rule] = &[
    Rule { name: "dialect", find: dialect::find },
    Rule { name: "unused", find: unused::find },
    Rule { name: "mocks", find: mocks::find },
    Rule { name: "policy-free", find: policy_free::find },
    Rule { name: "long-functions", find: functions::long },
    Rule { name: "tuple-parameters", find: functions::tuples },
    Rule { name: "inline-tests", find: inline_tests::find },
    Rule { name: "lib-hub", find: hub::find },
    Rule { name: "cycles", find: cycles::find },
];

/// What one rule found, against what it may find.
pub(super) struct Outcome {
    /// Findings of the crates that have more than allowed.
    pub(super) over: Vec<Finding>,
    /// One line for each of those crates, then one for what is left in all.
    pub(super) summary: Vec<String>,
}

impl Rule {
    /// Everything that the rule finds.
    pub(super) fn findings(&self, sources: &Sources<'_>) -> Vec<Finding> {
        (self.find)(sources)
    }

    /// Compares the findings with the baseline.
    pub(super) fn judge(&self, findings: Vec<Finding>, baseline: &Baseline) -> Outcome {
        let name = self.name;
        let counts = by_crate(&findings);
        let is_over = |krate: &str, count: usize| count > baseline.limit(name, krate);
        let mut summary: Vec<_> = counts
            .iter()
            .filter(|(krate, count)| is_over(krate, **count))
            .map(|(krate, count)| {
                format!("{name}: {krate} has {count}, at most {} allowed", baseline.limit(name, krate))
            })
            .collect();
        let (found, total) = (findings.len(), baseline.total(name));
        if found > 0 {
            summary.push(format!("{name}: {found} left (`cargo xtask tidy --list {name}` shows them)"));
        }
        if found < total {
            summary
                .push(format!("{name}: {total} allowed: `cargo xtask tidy --lower` takes the lower counts"));
        }
        let over_crates: Vec<_> = counts
            .into_iter()
            .filter(|(krate, count)| is_over(krate, *count))
            .map(|(krate, _)| krate.to_owned())
            .collect();
        let over = findings
            .into_iter()
            .filter(|finding| over_crates.iter().any(|krate| krate == crate_of(&finding.path)))
            .collect();
        Outcome { over, summary }
    }
}

/// How many findings each crate has.
pub(super) fn by_crate(findings: &[Finding]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(crate_of(&finding.path)).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests;
