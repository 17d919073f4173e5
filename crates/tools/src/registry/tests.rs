//! Tests of the registry.

use std::sync::Arc;

use serde_json::json;
use throughline_conversation::{ToolDefinition, ToolOrigin};

use super::{RegistryError, ToolRegistry};
use crate::tool::{MockTool, Tool};

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
