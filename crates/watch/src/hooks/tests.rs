//! Payloads of hooks.

use serde_json::{Value, json};

use super::{HookPayload, hook_settings, server_settings};
use crate::gemini_signs::ContextNeed::{self, Compacted, Resumed};

fn need(text: &str) -> Option<ContextNeed> {
    HookPayload::parse(text.as_bytes()).unwrap().context_need()
}

// S1-12
#[test]
fn a_context_is_restored_after_a_compaction_and_on_resume_only() {
    let start = |source: &str| {
        format!(
            r#"{{"transcript_path":"/t.jsonl","hook_event_name":"SessionStart","source":"{source}","more":1}}"#
        )
    };
    assert_eq!((need(&start("compact")), need(&start("resume"))), (Some(Compacted), Some(Resumed)));
    assert_eq!((need(&start("startup")), need(&start("clear"))), (None, None));
    let before = r#"{"transcript_path":"/t.jsonl","hook_event_name":"PreCompact","trigger":"auto"}"#;
    assert_eq!(need(before), None);
}

#[test]
fn the_answer_names_the_event_and_gemini_asks_before_each_turn() {
    let payload = HookPayload::parse(br#"{"hook_event_name":"BeforeAgent","transcript_path":"/t.jsonl"}"#);
    let payload = payload.unwrap();
    assert!(payload.begins_a_turn() && payload.context_need().is_none());
    let answer = payload.context_answer("x");
    let expected = json!({"hookEventName": "BeforeAgent", "additionalContext": "x"});
    assert_eq!(answer, json!({ "hookSpecificOutput": expected }));
}

#[test]
fn a_payload_with_an_empty_path_names_no_transcript() {
    let payload = HookPayload::parse(br#"{"hook_event_name":"PreCompact","transcript_path":""}"#).unwrap();
    assert_eq!(payload.transcript_path, None);
}

#[test]
fn a_payload_without_an_event_is_refused() {
    assert!(HookPayload::parse(br#"{"hook_event_name":"Stop","transcript_path":null}"#).is_ok());
    assert!(HookPayload::parse(b"{}").is_err());
    assert!(HookPayload::parse(b"\0").is_err());
}

#[test]
fn only_the_end_of_a_call_has_a_result_to_replace() {
    let text = r#"{"hook_event_name":"PostToolUse","session_id":"s","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a"},"tool_use_id":"c1"}"#;
    let payload = HookPayload::parse(text.as_bytes()).unwrap();
    let used = payload.tool_use().unwrap();
    assert_eq!((used.tool, used.call, &used.response["stdout"]), ("Bash", "c1", &Value::from("a")));
    assert_eq!(used.input["command"], "ls");
    let before = HookPayload::parse(text.replace("PostToolUse", "PreToolUse").as_bytes()).unwrap();
    assert_eq!(before.tool_use(), None);
}

#[test]
fn results_are_offered_only_where_it_was_asked_for() {
    let plain = hook_settings("x", false);
    assert_eq!(plain["hooks"].as_object().unwrap().len(), 4);
    assert!(plain.get("permissions").is_none() && !plain.to_string().contains("PostToolUse"), "{plain}");
    let offloading = hook_settings("x", true);
    let after = &offloading["hooks"]["PostToolUse"][0];
    assert_eq!(
        (&after["matcher"], &after["hooks"][0]["timeout"]),
        (&json!("Bash|Grep|Glob|mcp__.*"), &json!(10))
    );
    assert_eq!(offloading["permissions"]["allow"], json!(["mcp__throughline__read_result"]));
    let server =
        |offload| server_settings("/x", &["mcp".to_owned()], offload)["mcpServers"]["throughline"].clone();
    assert_eq!(server(false), json!({"command": "/x", "args": ["mcp"]}));
    assert_eq!(server(true)["alwaysLoad"], json!(true));
}
