//! What is the user's and is left of a conversation: texts of the program, undone messages, records behind torn ones.

use serde_json::{Value, json};
use throughline_conversation::has_own_words;

use super::parsed;
use crate::session::{RecordedSession, SessionPart};

/// The texts of the user's own, one list for each turn.
fn own(session: &RecordedSession) -> Vec<Vec<String>> {
    let of_turn = |message: &throughline_conversation::Message| {
        message.texts().filter(|text| has_own_words(text)).map(str::to_owned).collect()
    };
    session.turns.iter().map(|turn| of_turn(&turn.user)).collect()
}

fn lines(all: &[Value]) -> Vec<u8> {
    all.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

fn opencode(id: &str, role: &str, parts: &Value) -> Value {
    let tokens = json!({"input": 10, "output": 5, "cache": {"read": 100, "write": 20}});
    json!({"info": {"id": id, "role": role, "modelID": "m", "time": {"created": 1}, "tokens": tokens}, "parts": parts})
}

fn text(id: &str, text: &str) -> Value {
    json!({"id": id, "type": "text", "text": text})
}

#[test]
fn what_the_user_of_opencode_has_undone_is_apart_and_was_paid() {
    let read = |revert: &Value| {
        let messages = json!([
            opencode("m1", "user", &json!([text("p1", "keep this")])),
            opencode("m2", "assistant", &json!([text("p2", "first"), text("p3", "second")])),
            opencode("m3", "user", &json!([text("p4", "undone")])),
            opencode("m4", "assistant", &json!([text("p5", "never")])),
        ]);
        let document = json!({"info": {"id": "ses_1", "revert": revert}, "messages": messages});
        parsed(document.to_string().as_bytes()).unwrap()
    };
    assert_eq!(own(&read(&Value::Null)), [["keep this"], ["undone"]]);
    let undone = read(&json!({"messageID": "m3"}));
    assert_eq!(own(&undone), [["keep this"]]);
    let apart: Vec<_> = undone.separate.iter().map(|one| (one.part, one.steps().count())).collect();
    assert_eq!(apart, [(SessionPart::Rewound, 1)]);
    assert_eq!(undone.repairs, ["left out 2 messages that the user had undone"]);
    let within = read(&json!({"messageID": "m2", "partID": "p3"}));
    assert_eq!(own(&within), [["keep this"]]);
    assert_eq!(within.turns[0].steps[0].assistant.text(), "first");
}

#[test]
fn texts_that_opencode_adds_by_itself_are_not_the_users() {
    let file = json!({"type": "text", "synthetic": true, "text": "Called the Read tool with a.py"});
    let messages = json!([
        opencode("m1", "user", &json!([text("p1", "fix @a.py"), file])),
        opencode("m2", "assistant", &json!([text("p2", "done")])),
    ]);
    let session = parsed(json!({"info": {"id": "s"}, "messages": messages}).to_string().as_bytes()).unwrap();
    assert_eq!(own(&session), [["fix @a.py"]]);
    assert!(session.turns[0].user.text().contains("Called the Read tool"));
}

#[test]
fn what_copilot_adds_around_a_request_is_not_the_users() {
    let event = |kind: &str, data: Value| json!({"type": kind, "data": data, "id": kind});
    let sent = "<current_datetime>now</current_datetime>\n\nfix it\n\n<reminder>\nNo tables\n</reminder>";
    let session = lines(&[
        event("session.start", json!({"sessionId": "c1"})),
        event("user.message", json!({"content": "fix it", "transformedContent": sent})),
        event("assistant.message", json!({"content": "done"})),
    ]);
    let session = parsed(&session).unwrap();
    assert_eq!(own(&session), [["fix it"]]);
    assert!(session.turns[0].user.text().contains("No tables"));
}

#[test]
fn what_copilot_has_sent_is_the_users_where_their_own_form_is_missing() {
    for data in
        [json!({"transformedContent": "fix it"}), json!({"content": "", "transformedContent": "fix it"})]
    {
        let session = lines(&[
            json!({"type": "session.start", "data": {"sessionId": "c1"}}),
            json!({"type": "user.message", "data": data}),
            json!({"type": "assistant.message", "data": {"content": "done"}}),
        ]);
        assert_eq!(own(&parsed(&session).unwrap()), [["fix it"]], "{data}");
    }
}

#[test]
fn what_pi_writes_by_itself_is_not_the_users_and_its_summaries_were_paid() {
    let usage = json!({"input": 500, "output": 50, "cacheRead": 0, "cacheWrite": 0});
    let entry = |id: &str, before: Option<&str>, more: Value| {
        let mut entry = json!({"id": id, "parentId": before, "timestamp": "2026-09-01T10:00:00.000Z"});
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        entry
    };
    let says = |role: &str, text: &str| json!({"type": "message", "message": {"role": role, "content": [{"type": "text", "text": text}], "usage": usage}});
    let ran =
        json!({"type": "message", "message": {"role": "bashExecution", "command": "ls", "output": "a"}});
    let session = lines(&[
        json!({"type": "session", "version": 3, "id": "pi-1", "cwd": "/w"}),
        entry("1", None, says("user", "first")),
        entry("2", Some("1"), says("assistant", "yes")),
        entry("3", Some("2"), json!({"type": "branch_summary", "summary": "It was tried.", "usage": usage})),
        entry("4", Some("3"), ran),
        entry("5", Some("4"), says("user", "second")),
        entry("6", Some("5"), says("assistant", "yes")),
        entry("7", Some("6"), json!({"type": "compaction", "summary": "All.", "usage": usage})),
        entry("8", Some("7"), says("user", "third")),
        entry("9", Some("8"), says("assistant", "yes")),
    ]);
    let session = parsed(&session).unwrap();
    assert_eq!(own(&session).concat(), ["first", "second", "third"]);
    let paid = session.steps().flat_map(|step| &step.request.unshown);
    let paid: Vec<_> = paid.map(|one| (one.usage.prompt(), one.is_summary)).collect();
    assert_eq!(paid, [(500, false), (500, true)]);
}

#[test]
fn more_turns_than_there_are_rewind_a_session_of_codex_to_its_start() {
    let line = |kind: &str, payload: Value| json!({"type": kind, "payload": payload});
    let says = |role: &str, text: &str| {
        line(
            "response_item",
            json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}),
        )
    };
    let session = lines(&[
        line("session_meta", json!({"id": "s"})),
        says("user", "first"),
        says("assistant", "yes"),
        says("user", "second"),
        says("assistant", "yes"),
        line("event_msg", json!({"type": "thread_rolled_back", "num_turns": 9})),
        says("user", "third"),
        says("assistant", "yes"),
    ]);
    assert_eq!(own(&parsed(&session).unwrap()), [["third"]]);
}

#[test]
fn a_record_behind_a_torn_one_or_a_hole_is_read() {
    let line = |id: &str, before: Option<&str>, role: &str, text: &str| {
        json!({"parentUuid": before, "uuid": id, "type": role, "sessionId": "s", "message":
            {"id": id, "role": role, "content": [{"type": "text", "text": text}]}})
        .to_string()
    };
    let (first, answer) = (line("1", None, "user", "first"), line("2", Some("1"), "assistant", "yes"));
    let (second, end) = (line("3", Some("2"), "user", "second"), line("4", Some("3"), "assistant", "done"));
    let start = |bytes: usize| second.get(..bytes).unwrap();
    for torn in [start(30), start(second.len() - 20), &"\0".repeat(512)] {
        let session = format!("{first}\n{answer}\n{torn}{second}\n{end}\n");
        let session = parsed(session.as_bytes()).unwrap();
        assert_eq!(own(&session), [["first"], ["second"]], "{torn:?}");
        assert_eq!(session.warnings.len(), 1, "{:?}", session.warnings);
    }
    // The end of a record that is being written is no record.
    let cut = second.find("]}").unwrap() + 1;
    for begun in [start(cut), start(cut - 1)] {
        let session = parsed(format!("{first}\n{answer}\n{begun}").as_bytes()).unwrap();
        assert_eq!((own(&session).len(), session.warnings.len()), (1, 0), "{begun}");
    }
}

#[test]
fn what_other_models_did_within_an_answer_of_claude_code_was_paid_once() {
    let iterations = json!([
        {"type": "message", "input_tokens": 1_000, "output_tokens": 100},
        {"type": "advisor_message", "model": "claude-big", "input_tokens": 5_000, "output_tokens": 7},
        {"type": "fallback_message", "model": "claude-small", "input_tokens": 9, "output_tokens": 9},
        {"type": "compaction", "input_tokens": 700, "output_tokens": 70},
    ]);
    let answer = |uuid: &str, before: &str, text: &str| {
        let usage = json!({"input_tokens": 1_000, "output_tokens": 100, "iterations": iterations, "service_tier": "batch"});
        let content = json!([{"type": "text", "text": text}]);
        json!({"type": "assistant", "uuid": uuid, "parentUuid": before, "message":
            {"id": "m1", "role": "assistant", "model": "claude-x", "content": content, "usage": usage}})
    };
    let session = lines(&[
        json!({"type": "user", "uuid": "1", "parentUuid": null, "sessionId": "s", "message": {"role": "user", "content": "go"}}),
        answer("2", "1", "one"),
        answer("3", "2", "two"),
    ]);
    let session = parsed(&session).unwrap();
    let request = &session.turns[0].steps[0].request;
    let paid = request.unshown.iter().map(|one| (one.model.as_deref(), one.usage.prompt(), one.is_summary));
    let paid: Vec<_> = paid.collect();
    assert_eq!(paid, [(Some("claude-big"), 5_000, false), (Some("claude-x"), 700, true)]);
    assert!(request.terms.batch && !request.terms.us_only);
    assert!(request.unshown.iter().all(|one| one.terms == request.terms));
}
