//! The texts that the model reads.

use expect_test::expect;
use serde_json::json;
use throughline_conversation::{ToolDefinition, ToolOrigin};

use super::{deferred_note, render_hits, tool_search_tool};

// S3-18
#[test]
fn the_note() {
    assert_eq!(deferred_note(37), "[37 tools deferred to save context. Use tool_search to find them.]");
}

// S3-17
#[test]
fn hits_have_name_description_and_schema() {
    let hit = ToolDefinition {
        name: "xcode_build".to_owned(),
        description: "Builds a scheme.\n".to_owned(),
        input_schema: json!({"type": "object", "properties": {"scheme": {"type": "string"}}}),
        origin: ToolOrigin::Mcp,
    };
    expect![[r###"
        These tools can be called from your next message on.

        ## xcode_build
        Builds a scheme.
        Arguments: {"type":"object","properties":{"scheme":{"type":"string"}}}
    "###]]
    .assert_eq(&render_hits(std::slice::from_ref(&hit), false));
    assert!(render_hits(&[hit], true).starts_with("Call these tools with call_tool"));
    assert!(render_hits(&[], true).starts_with("No tool fits"));
}

// S3-17
#[test]
fn the_tool_takes_a_query_and_is_never_deferred() {
    let tool = tool_search_tool();
    assert_eq!((tool.name.as_str(), tool.origin), ("tool_search", ToolOrigin::Builtin));
    assert_eq!(tool.input_schema["required"], json!(["query"]));
    assert!(tool.description.starts_with("Finds tools"));
}
