//! Which tools go first.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::{Expect, expect};
use serde_json::json;
use throughline_conversation::{ToolDefinition, ToolOrigin};
use throughline_testkit::WordCounter;

use super::{Facts, plan};

/// A tool of 15 tokens.
fn tool(name: &str, origin: ToolOrigin) -> ToolDefinition {
    let input_schema = json!({"type": "object"});
    ToolDefinition { name: name.to_owned(), description: "x".to_owned(), input_schema, origin }
}

fn catalogue() -> Vec<ToolDefinition> {
    use ToolOrigin::{Builtin, Mcp, Skill};
    [("m3", Mcp), ("b1", Builtin), ("s1", Skill), ("m1", Mcp), ("m2", Mcp), ("s2", Skill), ("b2", Builtin)]
        .map(|(name, origin)| tool(name, origin))
        .to_vec()
}

fn planned(tools: &[ToolDefinition], used: &[(&str, u64)], pinned: &[&str], fit: u64) -> String {
    let last_used: BTreeMap<String, u64> =
        used.iter().map(|(name, turn)| ((*name).to_owned(), *turn)).collect();
    let pinned: BTreeSet<&str> = pinned.iter().copied().collect();
    let facts = Facts { catalogue: tools, last_used: &last_used, pinned: &pinned, budget: fit * 15 };
    let names: Vec<&str> = plan(&facts, &WordCounter).iter().map(|one| one.tool.name.as_str()).collect();
    names.join(" ")
}

fn check(used: &[(&str, u64)], pinned: &[&str], after: &Expect) {
    let rows: Vec<String> =
        (0..=7).rev().map(|fit| format!("{fit}: {}\n", planned(&catalogue(), used, pinned, fit))).collect();
    after.assert_eq(&rows.concat());
}

// S3-16
#[test]
fn mcp_goes_before_skills_and_built_in_tools_never() {
    check(
        &[],
        &[],
        &expect![[r#"
        7: b1 b2 s1 s2 m1 m2 m3
        6: b1 b2 s1 s2 m2 m3
        5: b1 b2 s1 s2 m3
        4: b1 b2 s1 s2
        3: b1 b2 s2
        2: b1 b2
        1: b1 b2
        0: b1 b2
    "#]],
    );
}

// S3-16
#[test]
fn the_longest_unused_goes_first() {
    check(
        &[("m1", 9), ("m2", 4), ("s1", 1)],
        &[],
        &expect![[r#"
        7: b1 b2 s1 s2 m1 m2 m3
        6: b1 b2 s1 s2 m1 m2
        5: b1 b2 s1 s2 m1
        4: b1 b2 s1 s2
        3: b1 b2 s1
        2: b1 b2
        1: b1 b2
        0: b1 b2
    "#]],
    );
}

#[test]
fn pinned_tools_stay_and_take_room() {
    check(
        &[],
        &["m1"],
        &expect![[r#"
        7: b1 b2 s1 s2 m1 m2 m3
        6: b1 b2 s1 s2 m1 m3
        5: b1 b2 s1 s2 m1
        4: b1 b2 s2 m1
        3: b1 b2 m1
        2: b1 b2 m1
        1: b1 b2 m1
        0: b1 b2 m1
    "#]],
    );
}

#[test]
fn of_two_tools_with_one_name_the_built_in_one_counts() {
    let tools = [tool("a", ToolOrigin::Mcp), tool("a", ToolOrigin::Builtin)];
    assert_eq!(planned(&tools, &[], &[], 0), "a");
}
