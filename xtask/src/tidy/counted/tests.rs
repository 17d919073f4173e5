//! Findings against the counts that are allowed.

use super::super::baseline::Baseline;
use super::{Finding, RULES, Rule};

/// The paths that are printed and the summary, for a rule that finds one thing in each of these files.
#[track_caller]
fn check(baseline: &str, paths: &[&str], over: &[&str], summary: &[&str]) {
    let rule = Rule { name: "long", find: |_| Vec::new() };
    let finding =
        |path: &&str| Finding { path: (*path).to_owned(), line: 1, says: String::new(), warning: false };
    let outcome = rule.judge(paths.iter().map(finding).collect(), &Baseline::parse(baseline).unwrap());
    assert_eq!(outcome.over.iter().map(|finding| finding.path.as_str()).collect::<Vec<_>>(), over);
    assert_eq!(outcome.summary, summary);
}

#[test]
fn without_a_row_nothing_is_allowed() {
    check(
        "",
        &["crates/a/src/x.rs"],
        &["crates/a/src/x.rs"],
        &["long: a has 1, at most 0 allowed", "long: 1 left (`cargo xtask tidy --list long` shows them)"],
    );
    check("", &[], &[], &[]);
}

#[test]
fn only_crates_with_more_than_allowed_are_printed() {
    check(
        "long a 1\nlong b 1\n",
        &["crates/a/src/x.rs", "crates/b/src/y.rs", "crates/b/src/z.rs"],
        &["crates/b/src/y.rs", "crates/b/src/z.rs"],
        &["long: b has 2, at most 1 allowed", "long: 3 left (`cargo xtask tidy --list long` shows them)"],
    );
}

#[test]
fn counts_that_can_be_lowered_are_named() {
    check(
        "long a 2\n",
        &["crates/a/src/x.rs"],
        &[],
        &[
            "long: 1 left (`cargo xtask tidy --list long` shows them)",
            "long: 2 allowed: `cargo xtask tidy --lower` takes the lower counts",
        ],
    );
}

#[test]
fn every_rule_has_one_name() {
    let mut names: Vec<_> = RULES.iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RULES.len());
}
