//! The contract of [`ToolRanker`], as tests for any implementation.

#![expect(clippy::expect_used, reason = "a suite of tests fails by panicking")]

use std::collections::BTreeSet;

use serde_json::json;
use throughline_conversation::{ToolDefinition, ToolOrigin};

use crate::ranker::ToolRanker;

/// Queries that fit one tool, several, and none, and some that are no words.
const QUERIES: [&str; 8] = ["build", "read a file", "database query rows", "", " \n", "???", "日本", "qzxw"];

/// Runs the whole suite.
pub async fn contract_all(port: &dyn ToolRanker) {
    contract_names_are_given_ones_and_few(port).await;
    contract_order_of_tools_does_not_matter(port).await;
    contract_finds_what_is_there(port).await;
}

/// Names come from the list, once, and no more than asked for.
pub async fn contract_names_are_given_ones_and_few(port: &dyn ToolRanker) {
    let tools = tools();
    for query in QUERIES {
        for limit in [0, 1, 3, 100] {
            let names = port.rank(query, &tools, limit).await.expect("rank");
            assert!(names.len() <= limit, "{query:?}: {} names for a limit of {limit}", names.len());
            let unique: BTreeSet<&String> = names.iter().collect();
            assert_eq!(unique.len(), names.len(), "{query:?}: a name twice in {names:?}");
            let known = |name: &String| tools.iter().any(|tool| tool.name == *name);
            assert!(names.iter().all(known), "{query:?}: a name of no tool in {names:?}");
        }
        assert_eq!(port.rank(query, &[], 5).await.expect("rank"), Vec::<String>::new(), "no tools, no names");
    }
}

/// The same tools in another order give the same names.
pub async fn contract_order_of_tools_does_not_matter(port: &dyn ToolRanker) {
    let tools = tools();
    let mut turned = tools.clone();
    turned.reverse();
    for query in QUERIES {
        let names = port.rank(query, &tools, 3).await.expect("rank");
        assert_eq!(port.rank(query, &turned, 3).await.expect("rank"), names, "{query:?} in another order");
        assert_eq!(port.rank(query, &tools, 3).await.expect("rank"), names, "{query:?} again");
    }
}

/// A tool is found by its name.
pub async fn contract_finds_what_is_there(port: &dyn ToolRanker) {
    for tool in tools() {
        let names = port.rank(&tool.name, &tools(), 1).await.expect("rank");
        assert_eq!(names, [tool.name], "not found by its own name");
    }
}

fn tools() -> Vec<ToolDefinition> {
    let tool = |name: &str, description: &str, property: &str| ToolDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: json!({"type": "object", "properties": {property: {"type": "string"}}}),
        origin: ToolOrigin::Mcp,
    };
    vec![
        tool("xcode_build", "Builds an Xcode scheme.", "scheme"),
        tool("cargo_build", "Builds a Rust package.", "package"),
        tool("read_file", "Reads a file.", "path"),
        tool("write_file", "Writes a file.", "path"),
        tool("query_rows", "Runs a query against the database and gives rows.", "sql"),
        tool("send-mail", "Sends a message.", "recipient"),
    ]
}
