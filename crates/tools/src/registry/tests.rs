//! Tests of the registry.

use std::sync::Arc;

use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};

use super::{RegistryError, ToolRegistry};
use crate::output::ToolOutput;
use crate::tool::{MockTool, Tool, ToolContext};

fn tool(name: &str, schema: serde_json::Value) -> Arc<dyn Tool> {
    let mut tool = MockTool::new();
    let definition = ToolDefinition {
        name: name.to_owned(),
        description: "does something".to_owned(),
        input_schema: schema,
        origin: ToolOrigin::Skill,
    };
    tool.expect_definition().return_const(definition);
    Arc::new(tool)
}

fn registry(names: &[&str]) -> ToolRegistry {
    let mut registry = ToolRegistry::new();
    for name in names {
        registry.register(tool(name, json!({"type": "object"}))).unwrap();
    }
    registry
}

#[test]
fn the_order_is_that_of_registration_and_a_new_tool_comes_last() {
    let mut registry = registry(&["zip", "add", "mul"]);
    let before = registry.definitions();
    assert!(Arc::ptr_eq(&before, &registry.definitions()), "unchanged tools are the same list");
    registry.register(tool("abs", json!({"type": "object"}))).unwrap();
    let after = registry.definitions();
    assert_eq!(registry.names().collect::<Vec<_>>(), ["zip", "add", "mul", "abs"]);
    assert_eq!(after[..3], before[..]);
    assert!(registry.get("mul").is_some() && registry.get("div").is_none());
}

#[test]
fn what_a_provider_would_reject_is_rejected() {
    let mut registry = registry(&["grep"]);
    let object = || json!({"type": "object"});
    for name in ["", "a b", "naïve", &"x".repeat(65)] {
        let refused = registry.register(tool(name, object()));
        assert_eq!(refused, Err(RegistryError::BadName(name.to_owned())));
    }
    assert_eq!(registry.register(tool("grep", object())), Err(RegistryError::Duplicate("grep".to_owned())));
    assert_eq!(registry.register(tool("x", json!(true))), Err(RegistryError::BadSchema("x".to_owned())));
    assert_eq!(registry.names().collect::<Vec<_>>(), ["grep"], "a rejection changes nothing");
}

#[test]
fn an_unknown_name_is_answered_with_similar_ones() {
    let registry = registry(&["read_file", "write_file", "grep"]);
    assert_eq!(
        registry.unknown("ReadFile"),
        "There is no tool named \"ReadFile\". Tools with a similar name: read_file."
    );
    assert_eq!(
        registry.unknown("browser"),
        "There is no tool named \"browser\". The tools are: read_file, write_file, grep."
    );
    assert!(ToolRegistry::new().unknown("x").contains("has no tools"));
}

#[tokio::test]
async fn a_call_reaches_a_tool_with_its_own_names_of_arguments() {
    let mut own = MockTool::new();
    own.expect_definition().return_const(ToolDefinition {
        name: "query".to_owned(),
        description: "asks".to_owned(),
        input_schema: json!({"properties": {"$filter": {"type": "any"}}, "required": ["$filter"]}),
        origin: ToolOrigin::Skill,
    });
    own.expect_call().returning(|call, _| ToolOutput::text(call.input.to_string()));
    let mut registry = ToolRegistry::new();
    registry.register(Arc::new(own)).unwrap();
    let shown = registry.definitions()[0].input_schema["required"][0].as_str().unwrap().to_owned();
    assert_ne!(shown, "$filter");
    let call = ToolCall { id: "c".to_owned(), name: "query".to_owned(), input: json!({shown: 1}) };
    let output = registry.get("query").unwrap().call(&call, &ToolContext::new("/")).await;
    assert_eq!(output.to_text(), r#"{"$filter":1}"#);
}
