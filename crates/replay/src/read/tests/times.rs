//! Times of requests and answers, from every format that records them.

use std::path::Path;

use throughline_conversation::Millis;

use crate::read::parse_session;

/// Seconds after the beginning at which each request was sent and each answer was complete.
#[track_caller]
fn check(recording: &str, expected: &[(Option<i64>, Option<i64>)]) {
    const BEGIN: i64 = 1_767_225_600_000;
    let session = parse_session(Path::new("recording"), recording.as_bytes()).unwrap();
    let since = |at: Option<Millis>| at.map(|at| (at.0 - BEGIN) / 1_000);
    let times: Vec<_> = session.steps().map(|step| (since(step.asked_at), since(step.answered_at))).collect();
    assert_eq!(times, expected);
    assert_eq!(session.timed_requests(), expected.iter().filter(|(asked, _)| asked.is_some()).count());
}

#[test]
fn claude_code() {
    let recording = r#"{"type":"user","uuid":"1","parentUuid":null,"timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"go"}}
{"type":"assistant","uuid":"2","parentUuid":"1","timestamp":"2026-01-01T00:00:05Z","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"I look"}]}}
{"type":"assistant","uuid":"3","parentUuid":"2","timestamp":"2026-01-01T00:00:07Z","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{}}]}}
{"type":"user","uuid":"4","parentUuid":"3","timestamp":"2026-01-01T00:10:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}}
{"type":"assistant","uuid":"5","parentUuid":"4","timestamp":"2026-01-01T00:10:09Z","message":{"id":"n","role":"assistant","content":[{"type":"text","text":"done"}]}}"#;
    check(recording, &[(Some(0), Some(7)), (Some(600), Some(609))]);
}

#[test]
fn codex() {
    let recording = r#"{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}
{"timestamp":"2026-01-01T00:00:03Z","type":"response_item","payload":{"type":"function_call","call_id":"a","name":"shell","arguments":"{}"}}
{"timestamp":"2026-01-01T00:00:04Z","type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":"x"}}
{"timestamp":"2026-01-01T00:00:09Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}}"#;
    check(recording, &[(Some(0), Some(3)), (Some(4), Some(9))]);
}

#[test]
fn opencode() {
    let recording = r#"{"info":{"id":"s"},"messages":[
{"info":{"role":"user","time":{"created":1767225600000}},"parts":[{"type":"text","text":"go"}]},
{"info":{"role":"assistant","time":{"created":1767225601000,"completed":1767225609000}},"parts":[{"type":"tool","callID":"a","tool":"bash","state":{"status":"completed","input":{},"output":"x","time":{"start":1767225602000,"end":1767225608000}}}]},
{"info":{"role":"assistant","time":{"created":1767225609000,"completed":1767225615000}},"parts":[{"type":"text","text":"done"}]}]}"#;
    check(recording, &[(Some(0), Some(9)), (Some(8), Some(15))]);
}

#[test]
fn pi() {
    let recording = r#"{"type":"session","id":"s","cwd":"/"}
{"type":"message","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"go"}}
{"type":"message","timestamp":"2026-01-01T00:00:02Z","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}"#;
    check(recording, &[(Some(0), Some(2))]);
}

#[test]
fn mini_swe_agent_with_and_without_times() {
    let recording = r#"{"messages":[{"role":"system","content":"s"},{"role":"user","content":"go","extra":{"timestamp":1767225600.25}},
{"role":"assistant","content":"done","extra":{"timestamp":1767225604.5}}]}"#;
    check(recording, &[(Some(0), Some(4))]);
    let recording = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"done"}]}"#;
    check(recording, &[(None, None)]);
}

// Written from the specification. A result has a time of its own only in `extra`.
#[test]
fn atif() {
    let recording = r#"{"schema_version":"ATIF-v1.7","agent":{"name":"a","version":"1"},"steps":[
{"step_id":1,"source":"user","timestamp":"2026-01-01T00:00:00Z","message":"go"},
{"step_id":2,"source":"agent","timestamp":"2026-01-01T00:00:05+00:00","message":"","tool_calls":[{"tool_call_id":"a","function_name":"f","arguments":{}}],"observation":{"results":[{"source_call_id":"a","content":"x","extra":{"timestamp":"2026-01-01T00:10:00Z"}}]}},
{"step_id":3,"source":"agent","timestamp":"2026-01-01T00:10:09Z","message":"done"}]}"#;
    check(recording, &[(Some(0), Some(5)), (Some(600), Some(609))]);
}

// Written from the types of events of Copilot's SDK.
#[test]
fn copilot_cli() {
    let recording = r#"{"type":"user.message","timestamp":"2026-01-01T00:00:00.000Z","id":"1","data":{"content":"go"}}
{"type":"assistant.message","timestamp":"2026-01-01T00:00:05.000Z","id":"2","data":{"messageId":"m","content":"","toolRequests":[{"toolCallId":"a","name":"bash","arguments":{}}]}}
{"type":"tool.execution_complete","timestamp":"2026-01-01T00:10:00.000Z","id":"3","data":{"toolCallId":"a","success":true,"result":{"content":"x"}}}
{"type":"assistant.message","timestamp":"2026-01-01T00:10:09.000Z","id":"4","data":{"messageId":"n","content":"done"}}"#;
    check(recording, &[(Some(0), Some(5)), (Some(600), Some(609))]);
}
