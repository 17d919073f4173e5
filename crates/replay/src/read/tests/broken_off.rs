//! Answers that the user has stopped, or that failed before their end: what was asked for is open.

use serde_json::{Value, json};
use throughline_conversation::is_broken_off_note;

use super::parsed;
use crate::session::RecordedSession;

fn read(lines: &[Value]) -> RecordedSession {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    parsed(text.as_bytes()).unwrap()
}

/// Returns true if the last answer is known to be broken off. It stays in the conversation.
fn is_broken_off(session: &RecordedSession) -> bool {
    assert_eq!(session.steps().last().unwrap().assistant.text(), "I will begin");
    session.open_request.as_ref().is_some_and(|open| open.texts().any(is_broken_off_note))
}

fn claude(number: usize, kind: &str, content: &Value) -> Value {
    let parent = number.checked_sub(1).map(|before| format!("u{before}"));
    let message = json!({"id": format!("m{number}"), "role": kind, "content": content});
    json!({"type": kind, "uuid": format!("u{number}"), "parentUuid": parent, "sessionId": "s", "message": message})
}

#[test]
fn claude_code() {
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let mut lines =
        vec![claude(0, "user", &json!("build it")), claude(1, "assistant", &text("I will begin"))];
    assert!(!is_broken_off(&read(&lines)));
    lines.push(claude(2, "user", &text("[Request interrupted by user]")));
    lines.push(claude(3, "user", &json!("<local-command-stdout>Bye!</local-command-stdout>")));
    assert!(is_broken_off(&read(&lines)));
    lines.push(claude(4, "user", &json!("in red")));
    let open = read(&lines).open_request.unwrap();
    assert!(open.text().contains("in red"));
    lines.push(claude(5, "assistant", &text("I will begin")));
    assert!(!is_broken_off(&read(&lines)));
}

#[test]
fn codex() {
    let item = |role: &str, kind: &str, text: &str| {
        let content = json!([{"type": kind, "text": text}]);
        json!({"type": "response_item", "payload": {"type": "message", "role": role, "content": content}})
    };
    let mut lines = vec![
        json!({"type": "session_meta", "payload": {"id": "s"}}),
        item("user", "input_text", "build it"),
        item("assistant", "output_text", "I will begin"),
    ];
    assert!(!is_broken_off(&read(&lines)));
    lines.push(json!({"type": "event_msg", "payload": {"type": "turn_aborted", "reason": "interrupted"}}));
    assert!(is_broken_off(&read(&lines)));
    lines.pop();
    lines.push(item("user", "input_text", "<turn_aborted>\nThe user interrupted it.\n</turn_aborted>"));
    assert!(is_broken_off(&read(&lines)));
}

#[test]
fn gemini() {
    let line = |id: &str, kind: &str, text: &str| json!({"id": id, "type": kind, "content": text});
    let mut lines = vec![
        json!({"sessionId": "s", "projectHash": "p"}),
        line("1", "user", "build it"),
        line("2", "gemini", "I will begin"),
    ];
    assert!(!is_broken_off(&read(&lines)));
    lines.push(line("3", "info", "Request cancelled."));
    assert!(is_broken_off(&read(&lines)));
}

#[test]
fn copilot() {
    let event = |kind: &str, data: &Value| json!({"type": kind, "data": data, "id": "e", "parentId": null});
    let mut lines = vec![
        event("session.start", &json!({"sessionId": "s"})),
        event("user.message", &json!({"content": "build it"})),
        event("assistant.message", &json!({"messageId": "m", "content": "I will begin"})),
    ];
    assert!(!is_broken_off(&read(&lines)));
    lines.push(event("abort", &json!({"reason": "user_initiated"})));
    assert!(is_broken_off(&read(&lines)));
}

#[test]
fn opencode() {
    let session = |error: &Value| {
        let part = |text: &str| json!([{"type": "text", "text": text}]);
        let document = json!({"info": {"id": "s"}, "messages": [
            {"info": {"role": "user"}, "parts": part("build it")},
            {"info": {"role": "assistant", "error": error}, "parts": part("I will begin")},
        ]});
        parsed(document.to_string().as_bytes()).unwrap()
    };
    assert!(!is_broken_off(&session(&Value::Null)));
    assert!(is_broken_off(&session(&json!({"name": "MessageAbortedError"}))));
}

#[test]
fn pi_where_the_model_is_asked_again_the_answer_counts() {
    let entry = |id: u32, message: Value| {
        json!({"type": "message", "id": format!("e{id}"), "parentId": id.checked_sub(1).map(|before| format!("e{before}")),
            "message": message})
    };
    let answer = |id: u32, stop: &str| {
        let content = json!([{"type": "text", "text": "I will begin"}]);
        entry(id, json!({"role": "assistant", "content": content, "stopReason": stop}))
    };
    let head = json!({"type": "session", "version": 3, "id": "s"});
    let mut lines = vec![head, entry(0, json!({"role": "user", "content": "build it"})), answer(1, "stop")];
    assert!(!is_broken_off(&read(&lines)));
    for stop in ["aborted", "error", "length"] {
        lines[2] = answer(1, stop);
        assert!(is_broken_off(&read(&lines)), "{stop}");
    }
    lines.push(answer(2, "stop"));
    let session = read(&lines);
    assert!(session.open_request.is_none() && session.turns.len() == 1);
}
