//! The definitions are such that providers take them, and say what the tools read.

use throughline_conversation::{ToolDefinition, ToolOrigin};

use super::{memo_rules, memory_search_tool, retrieve_memos_tool, save_memo_tool};

fn check(tool: &ToolDefinition, name: &str, arguments: &[&str], required: &[&str]) {
    assert_eq!((tool.name.as_str(), tool.origin), (name, ToolOrigin::Builtin));
    assert!(tool.description.len() > 100 && !tool.description.ends_with('\n'));
    let properties = tool.input_schema["properties"].as_object().unwrap();
    assert_eq!(properties.keys().map(String::as_str).collect::<Vec<_>>(), arguments);
    let needed = tool.input_schema.get("required").map_or(Vec::new(), |list| {
        list.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
    });
    assert_eq!(needed, required);
}

// S4-19 S2-16
// C-09
#[test]
fn the_tools_have_their_arguments() {
    check(&save_memo_tool(), "save_memo", &["content", "tags"], &["content", "tags"]);
    check(&retrieve_memos_tool(), "retrieve_memos", &["tags", "query"], &[]);
    check(&memory_search_tool(), "memory_search", &["query", "limit"], &["query"]);
    assert_eq!(memory_search_tool().input_schema["properties"]["limit"]["default"], 6);
}

// S4-21
#[test]
fn the_rules_say_when_to_look_and_what_to_record() {
    let rules = memo_rules();
    for rule in
        ["Check first", "Record decisions", "Do not record what the code", "save_memo", "retrieve_memos"]
    {
        assert!(rules.contains(rule), "{rule}");
    }
}
