//! The requests for summaries of compactions, where a recording has their usage.

use serde_json::{Value, json};

use super::parsed;
use crate::session::{RecordedSession, UnshownAnswer};

fn read(lines: &[Value]) -> RecordedSession {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    parsed(text.as_bytes()).unwrap()
}

/// Tokens of the answers that no turn shows, input with what was read from the cache and output, and whether they are summaries.
fn unshown(session: &RecordedSession) -> Vec<(u64, u64, bool)> {
    let of = |one: &UnshownAnswer| (one.usage.prompt(), one.usage.output, one.is_summary);
    session.steps().flat_map(|step| &step.request.unshown).map(of).collect()
}

fn codex_item(role: &str, kind: &str, text: &str) -> Value {
    let content = json!([{"type": kind, "text": text}]);
    json!({"type": "response_item", "payload": {"type": "message", "role": role, "content": content}})
}

/// A count of this total, of which these tokens are the last answer's.
fn codex_count(total: u64, [input, output]: [u64; 2]) -> Value {
    let of = |input: u64, output: u64| json!({"input_tokens": input, "cached_input_tokens": 10, "output_tokens": output});
    let info = json!({"total_token_usage": of(total, total), "last_token_usage": of(input, output)});
    json!({"type": "event_msg", "payload": {"type": "token_count", "info": info}})
}

#[test]
fn codex() {
    let says = |text: &str| codex_item("assistant", "output_text", text);
    let compacted =
        json!({"type": "compacted", "payload": {"message": "Another model has written:\nall of it"}});
    let start = [
        json!({"type": "session_meta", "payload": {"id": "s"}}),
        codex_item("user", "input_text", "build it"),
        says("built"),
        codex_count(1_000, [1_000, 5]),
    ];
    let end =
        [compacted, codex_item("user", "input_text", "more"), says("done"), codex_count(2_300, [300, 6])];
    let with = |lines: &[Value]| unshown(&read(&[&start, lines, &end[..]].concat()));
    let count = codex_count(2_000, [1_001, 70]);
    assert_eq!(with(&[says("all of it"), count.clone()]), [(1_001, 70, true)]);
    assert_eq!(with(std::slice::from_ref(&count)), [(1_001, 70, true)], "the summary is no item");
    assert_eq!(with(&[count.clone(), count]), [(1_001, 70, true)], "a count is written again");
    assert_eq!(with(&[codex_count(1_000, [1_000, 5])]), []);
    let stopped = [&start[..], &[codex_count(2_000, [1_001, 70])], &end[1..]].concat();
    assert_eq!(
        unshown(&read(&stopped)),
        [(1_001, 70, false)],
        "an answer that is no item, without a compaction"
    );
}

#[test]
fn opencode() {
    let part = |text: &str| json!([{"type": "text", "text": text}]);
    let tokens = |input: u64| json!({"input": input, "output": 10, "cache": {"read": 0, "write": 0}});
    let document = json!({"info": {"id": "s"}, "messages": [
        {"info": {"role": "user"}, "parts": part("build it")},
        {"info": {"role": "assistant", "tokens": tokens(100)}, "parts": part("built")},
        {"info": {"role": "assistant", "summary": true, "id": "m", "tokens": tokens(110)}, "parts": part("all of it")},
        {"info": {"role": "user"}, "parts": part("more")},
        {"info": {"role": "assistant", "tokens": tokens(50)}, "parts": part("done")},
    ]});
    let session = parsed(document.to_string().as_bytes()).unwrap();
    assert_eq!(unshown(&session), [(110, 10, true)]);
    assert!(session.steps().last().unwrap().request.compacted);
}

#[test]
fn copilot_in_the_old_and_the_new_form() {
    let event = |kind: &str, data: &Value| json!({"type": kind, "data": data, "id": "e", "parentId": null});
    for used in [
        json!({"input": 900, "cachedInput": 500, "output": 40}),
        json!({"inputTokens": 900, "cacheReadTokens": 500, "outputTokens": 40}),
    ] {
        let session = read(&[
            event("session.start", &json!({"sessionId": "s"})),
            event("user.message", &json!({"content": "build it"})),
            event("assistant.message", &json!({"messageId": "m", "content": "built"})),
            event("session.compaction_complete", &json!({"success": true, "compactionTokensUsed": used})),
        ]);
        assert_eq!(unshown(&session), [(900, 40, true)]);
    }
}
