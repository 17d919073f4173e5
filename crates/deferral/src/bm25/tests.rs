//! What is found, in which order.

use proptest::prelude::*;
use serde_json::json;
use throughline_conversation::{ToolDefinition, ToolOrigin};

use super::{Bm25Ranker, Index, ToolWords, rank};
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

/// The figures of the formula (BM25F), worked out by hand.
#[test]
fn a_rare_word_counts_more_and_a_word_like_it_less() {
    let object = || json!({"type": "object"});
    let tools = [
        tool("deploy", "", object()),
        tool("deployment", "", object()),
        tool("other", "", object()),
        tool("another", "", object()),
    ];
    let index = Index::of(&tools);
    let family = index.family("deploy");
    let rarity = (1.0 + 3.5 / 1.5_f64).ln();
    assert_eq!(family.len(), 2, "{family:?}");
    assert!((family["deploy"] - rarity).abs() < 1e-9, "{family:?}");
    assert!((family["deployment"] - 0.6 * rarity).abs() < 1e-9, "{family:?}");
}

#[test]
fn a_word_counts_less_in_a_field_that_is_longer_than_the_average() {
    let schema = json!({"properties": {"five": {}}});
    let definition = tool("one_two", "three four three six seven eight nine ten", schema);
    let counts = ToolWords::of(&definition).counts(&[1.0, 4.0, 0.5]);
    let expected = |weight: f64, b: f64, longer: f64| weight / (1.0 - b + b * longer);
    let near = |word: &str, value: f64| {
        let found =
            counts.iter().filter(|(known, _)| word.starts_with(known.as_str())).map(|(_, value)| value);
        let found: f64 = found.sum();
        assert!((found - value).abs() < 1e-9, "{word}: {found}, not {value}; {counts:?}");
    };
    near("two", expected(3.0, 0.5, 2.0));
    near("three", 2.0 * expected(1.0, 0.75, 2.0));
    near("five", expected(0.5, 0.75, 2.0));
}

#[test]
fn the_average_is_of_all_tools() {
    let object = || json!({"type": "object"});
    // Two, four and six words: an average of four.
    let tools = [
        tool("a", "sails boats", object()),
        tool("b", "rows boats over lakes", object()),
        tool("c", "drives trucks across many narrow roads", object()),
    ];
    let index = Index::of(&tools);
    for (place, word, longer) in [(0, "sails", 0.5), (1, "rows", 1.0), (2, "drives", 1.5)] {
        let (_, counts) = &index.tools[place];
        let expected = 1.0 / (1.0 - 0.75 + 0.75 * longer);
        let found =
            counts.iter().find(|(known, _)| word.starts_with(known.as_str())).map(|(_, value)| *value);
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-9), "{word}: {counts:?}");
    }
}

#[test]
fn names_of_arguments_in_a_choice_of_schemas_count() {
    let schema = json!({"anyOf": [{"properties": {"invoice": {}}}, {"properties": {"receipt": {}}}]});
    let tools = [tool("book", "Books.", schema), tool("other", "Other.", json!({"type": "object"}))];
    assert_eq!(rank("receipt", &tools, 3), ["book"]);
}
