//! The definition is one that providers take, and says what the request reads.

use throughline_conversation::ToolOrigin;

use super::read_result_tool;
use crate::request::{DEFAULT_LIMIT, MAX_PAGE_BYTES};

// S3-10
#[test]
fn the_tool_has_the_arguments_of_the_request() {
    let tool = read_result_tool();
    assert_eq!((tool.name.as_str(), tool.origin), ("read_result", ToolOrigin::Builtin));
    assert!(tool.description.starts_with("Reads a tool result"));
    let properties = tool.input_schema["properties"].as_object().unwrap();
    let names: Vec<&str> = properties.keys().map(String::as_str).collect();
    assert_eq!(names, ["ref_id", "offset", "limit", "search"]);
    assert_eq!(properties["offset"]["default"], 0);
    assert_eq!(properties["limit"]["default"], DEFAULT_LIMIT);
    assert_eq!(properties["limit"]["maximum"], MAX_PAGE_BYTES);
    assert_eq!(tool.input_schema["required"], serde_json::json!(["ref_id"]));
}
