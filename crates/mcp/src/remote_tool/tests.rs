//! Tests of remote servers.

use serde_json::json;
use throughline_conversation::ToolOrigin;

use super::RemoteTool;
use crate::limits;

#[test]
fn a_plain_tool_is_unchanged() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]});
    let entry = json!({"name": "add", "description": "Adds.", "inputSchema": schema, "icons": 7});
    let tool = RemoteTool::parse("calc", &entry).unwrap();
    assert_eq!((tool.name.as_str(), tool.definition.name.as_str()), ("add", "mcp__calc__add"));
    assert_eq!((tool.definition.description.as_str(), tool.definition.origin), ("Adds.", ToolOrigin::Mcp));
    assert_eq!(tool.definition.input_schema, schema);
}

#[test]
fn every_tool_has_a_description_and_none_a_huge_one() {
    let said = |entry| RemoteTool::parse("s", &entry).unwrap().definition.description;
    assert_eq!(said(json!({"name": "x", "title": "Draws"})), "Draws");
    assert_eq!(said(json!({"name": "x", "description": "\u{200b} ", "annotations": {"title": "T"}})), "T");
    assert_eq!(said(json!({"name": "x"})), "The tool \"x\" of the MCP server \"s\". It has no description.");
    let huge = said(json!({"name": "x", "description": "ä".repeat(5_000_000)}));
    assert!(huge.len() < limits::DESCRIPTION + 100 && huge.ends_with("it was cut]"), "{}", huge.len());
}

#[test]
fn an_invalid_tool_is_not_offered_and_a_note_says_why() {
    let why = |entry| RemoteTool::parse("s", &entry).unwrap_err();
    assert!(why(json!({})).contains("without a name"));
    assert!(why(json!(null)).contains("without a name"));
    assert!(why(json!({"name": "bell\u{7}\n", "inputSchema": []})).contains("\"bell \" is not offered"));
    let huge = json!({"name": "x", "inputSchema": {"description": "a".repeat(300 * 1024)}});
    assert!(why(huge).contains("300 KiB"));
}

#[test]
fn arguments_with_names_that_providers_reject_are_mapped_back() {
    let schema = json!({"properties": {"user name": {"type": "string"}}});
    let tool = RemoteTool::parse("s", &json!({"name": "t", "inputSchema": schema})).unwrap();
    let shown =
        tool.definition.input_schema["properties"].as_object().unwrap().keys().next().unwrap().clone();
    assert_ne!(shown, "user name");
    assert_eq!(tool.names.restore(json!({shown: "ann"})), json!({"user name": "ann"}));
}
