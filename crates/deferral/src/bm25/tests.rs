//! What is found, in which order.

use proptest::prelude::*;
use serde_json::json;
use throughline_conversation::{ToolDefinition, ToolOrigin};

use super::{Bm25Ranker, rank};
use crate::contract;

fn tool(name: &str, description: &str, schema: serde_json::Value) -> ToolDefinition {
    let (name, description) = (name.to_owned(), description.to_owned());
    ToolDefinition { name, description, input_schema: schema, origin: ToolOrigin::Mcp }
}

fn tools() -> Vec<ToolDefinition> {
    let object = || json!({"type": "object"});
    vec![
        tool("cargo_build", "Builds a Rust package.", object()),
        tool("xcode_build", "Builds a scheme of an Xcode project.", object()),
        tool("xcode_test", "Runs the tests of a scheme. Needs a build first.", object()),
        tool(
            "createIssue",
            "Opens an issue in a repository.",
            json!({"properties": {"labels": {"type": "array"}}}),
        ),
        tool(
            "db-query",
            "Gives rows.",
            json!({"properties": {"filter": {"properties": {"whereClause": {}}}}}),
        ),
        tool("zeta", "Draws a chart.", object()),
        tool("alpha", "Draws a chart.", object()),
    ]
}

fn check(query: &str, after: &[&str]) {
    assert_eq!(rank(query, &tools(), 3), after, "{query}");
}

// S3-17
#[test]
fn words_find_the_parts_of_names() {
    check("xcode build", &["xcode_build", "xcode_test", "cargo_build"]);
    check("building with Xcode", &["xcode_build", "xcode_test", "cargo_build"]);
    check("create an issue", &["createIssue"]);
    check("ISSUES", &["createIssue"]);
}

#[test]
fn names_of_arguments_count_also_nested_ones() {
    check("label", &["createIssue"]);
    check("where clause", &["db-query"]);
}

#[test]
fn words_with_a_common_beginning_and_related_words_match() {
    check("open a ticket", &["createIssue"]);
    check("repo", &["createIssue"]);
    check("packaging tests", &["xcode_test", "cargo_build"]);
    check("rust packages", &["cargo_build"]);
    check("cart", &[]);
}

#[test]
fn all_words_together_say_more_than_a_rare_one() {
    let object = || json!({"type": "object"});
    let many: Vec<ToolDefinition> = ["open_file", "read_file", "close_file", "send_mail", "move_page"]
        .iter()
        .map(|name| tool(name, "", object()))
        .collect();
    assert_eq!(rank("move read file", &many, 1), ["read_file"]);
}

#[test]
fn ties_are_in_order_of_name() {
    check("chart", &["alpha", "zeta"]);
}

#[test]
fn a_name_as_written_comes_first() {
    check("xcode_test", &["xcode_test", "xcode_build"]);
    check(" ZETA ", &["zeta"]);
}

#[test]
fn nothing_fits_nothing() {
    check("kubernetes", &[]);
    check("the tools for it", &[]);
    check("", &[]);
    assert_eq!(rank("build", &[], 5), Vec::<String>::new());
    assert_eq!(rank("build", &tools(), 0), Vec::<String>::new());
}

#[tokio::test]
async fn keeps_the_contract() {
    contract::contract_all(&Bm25Ranker).await;
}

proptest! {
    #[test]
    fn any_query_gives_names_of_tools_once(query in "\\PC{0,30}", mut order in Just(tools()).prop_shuffle()) {
        let names = rank(&query, &tools(), 10);
        prop_assert_eq!(&rank(&query, &order, 10), &names);
        order.extend(tools());
        let doubled = rank(&query, &order, 100);
        let mut unique = doubled.clone();
        unique.sort();
        unique.dedup();
        prop_assert_eq!(unique.len(), doubled.len());
    }
}
