//! Which results may be replaced, in the forms in which the agents give and take them.

use serde_json::{Value, json};

use super::ReplaceableResult;
use crate::agent::ForeignAgent::{self, Claude, Codex, OpenCode};
use crate::hooks::ToolUse;

fn result(agent: ForeignAgent, tool: &str, response: &Value) -> Option<ReplaceableResult> {
    ReplaceableResult::of(agent, &ToolUse { tool, call: "c", input: &Value::Null, response })
}

/// The output that an answer gives when each text is replaced by these.
fn output(agent: ForeignAgent, tool: &str, response: &Value, shown: &[&str]) -> Value {
    let shown: Vec<String> = shown.iter().map(|text| (*text).to_owned()).collect();
    let answer = result(agent, tool, response).unwrap().answer(&shown);
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "PostToolUse");
    answer["hookSpecificOutput"]["updatedToolOutput"].clone()
}

fn bash() -> Value {
    json!({"stdout": "out", "stderr": "err", "interrupted": false, "isImage": false, "noOutputExpected": false})
}

#[test]
fn claude_gets_each_result_in_the_form_of_its_tool() {
    let shown = output(Claude, "Bash", &bash(), &["P", "err"]);
    assert_eq!(shown, json!({"stdout": "P", "stderr": "err", "interrupted": false, "isImage": false}));
    let content =
        json!({"mode": "content", "numFiles": 0, "filenames": [], "content": "a:1\nb:2", "numLines": 2});
    let grep = output(Claude, "Grep", &content, &["P"]);
    assert_eq!(
        grep,
        json!({"mode": "content", "numFiles": 0, "filenames": [], "content": "P", "numLines": 2})
    );
    let files = json!({"mode": "files_with_matches", "numFiles": 3, "filenames": ["a", "b", "c"]});
    assert_eq!(result(Claude, "Grep", &files).unwrap().texts(), ["a\nb\nc"]);
    let grep = output(Claude, "Grep", &files, &["P"]);
    assert_eq!(
        (&grep["mode"], &grep["numFiles"], &grep["numLines"]),
        (&json!("content"), &json!(3), &json!(3))
    );
    let glob = json!({"filenames": ["a", "b"], "durationMs": 4, "numFiles": 2, "truncated": false});
    let shown = output(Claude, "Glob", &glob, &["P"]);
    assert_eq!(shown, json!({"filenames": ["P"], "durationMs": 4, "numFiles": 2, "truncated": false}));
}

#[test]
fn blocks_that_are_no_text_stay() {
    let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
    let blocks = json!([{"type": "text", "text": "one"}, image, {"type": "text", "text": "two"}]);
    for (agent, tool) in [(Claude, "mcp__db__rows"), (OpenCode, "db_rows")] {
        assert_eq!(result(agent, tool, &blocks).unwrap().texts(), ["one", "two"]);
        let shown = output(agent, tool, &blocks, &["P", "two"]);
        assert_eq!(shown, json!([{"type": "text", "text": "P"}, image, {"type": "text", "text": "two"}]));
    }
    assert_eq!(output(Claude, "mcp__db__rows", &json!("all"), &["P"]), json!("P"));
    assert_eq!(output(OpenCode, "bash", &json!("all"), &["P"]), json!("P"));
}

#[test]
fn codex_gets_a_text_as_the_reason_of_a_block() {
    let mcp = json!({"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "isError": false});
    for (tool, response, text) in [
        ("Bash", json!("S1\n"), "S1\n"),
        ("mcp__db__rows", mcp, "one\ntwo"),
        ("mcp__db__rows", json!("x"), "x"),
    ] {
        let result = result(Codex, tool, &response).unwrap();
        assert_eq!(result.texts(), [text]);
        assert_eq!(result.answer(&["P".to_owned()]), json!({"decision": "block", "reason": "P"}));
    }
}

#[test]
fn what_edits_need_what_the_agent_has_shortened_and_what_was_read_back_stay_whole() {
    let read = json!({"type": "text", "file": {"filePath": "/a", "content": "x", "numLines": 1, "startLine": 1, "totalLines": 1}});
    let persisted = {
        let mut bash = bash();
        bash["persistedOutputPath"] = json!("/p");
        bash
    };
    let image = json!({"stdout": "aGk=", "stderr": "", "interrupted": false, "isImage": true});
    let many = json!({"mode": "content", "content": "x".repeat(20_001), "numFiles": 1, "filenames": []});
    let long = json!([{"type": "text", "text": "x".repeat(50_000)}]);
    let picture = json!({"content": [{"type": "image", "data": "aGk="}]});
    for (agent, tool, response) in [
        (Claude, "Read", &read),
        (Claude, "Edit", &json!({"oldString": "a"})),
        (Claude, "Agent", &json!("done")),
        (Claude, "Bash", &persisted),
        (Claude, "Bash", &image),
        (Claude, "Bash", &json!("a text")),
        (Claude, "Grep", &many),
        (Claude, "Grep", &json!({"mode": "content"})),
        (Claude, "Glob", &json!({"filenames": [1]})),
        (Claude, "mcp__db__rows", &long),
        (Claude, "mcp__db__rows", &json!({"rows": 1})),
        (Claude, "mcp__throughline__read_result", &json!("page")),
        (Codex, "mcp__throughline__read_result", &json!("page")),
        (Codex, "apply_patch", &json!("done")),
        (Codex, "mcp__db__rows", &picture),
        (OpenCode, "read", &json!("file")),
        (OpenCode, "edit", &json!("done")),
        (OpenCode, "throughline_read_result", &json!([{"type": "text", "text": "page"}])),
    ] {
        assert_eq!(result(agent, tool, response), None, "{agent} {tool} {response}");
    }
}
