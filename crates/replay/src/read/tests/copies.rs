//! Sessions that are in more than one file or more than once in a file, and what was paid apart from the conversation.

use std::path::Path;

use serde_json::{Value, json};
use throughline_conversation::is_agent_note;

use super::{COPILOT, GEMINI, PI_TREE, parsed};
use crate::read::{parse_session, read_session};
use crate::session::{RecordedSession, SessionPart};

/// Lines of Claude Code, each after the one before.
#[derive(Default)]
struct ClaudeLines {
    lines: Vec<Value>,
    last: Value,
}

impl ClaudeLines {
    fn push(&mut self, line: &Value) -> &mut Self {
        let id = format!("u{}", self.lines.len());
        let mut whole = json!({
            "uuid": id, "parentUuid": self.last, "sessionId": "s", "isSidechain": false,
            "timestamp": format!("2026-02-03T04:05:{:02}.000Z", self.lines.len()),
        });
        whole.as_object_mut().unwrap().extend(line.as_object().unwrap().clone());
        self.last = whole["uuid"].clone();
        self.lines.push(whole);
        self
    }

    fn user(&mut self, text: &str) -> &mut Self {
        self.push(&json!({"type": "user", "message": {"role": "user", "content": text}}))
    }

    fn answer(&mut self, id: &str, content: &Value) -> &mut Self {
        let usage = json!({"input_tokens": 3, "cache_creation_input_tokens": 500, "output_tokens": 7});
        let message =
            json!({"id": id, "role": "assistant", "model": "claude-x", "content": [content], "usage": usage});
        self.push(&json!({"type": "assistant", "message": message}))
    }

    /// A call and its result.
    fn call(&mut self, id: &str, call: &str) -> &mut Self {
        self.answer(id, &json!({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "ls"}}));
        let result =
            json!({"type": "tool_result", "tool_use_id": call, "content": format!("result of {call}")});
        self.push(&json!({"type": "user", "message": {"role": "user", "content": [result]}}))
    }

    fn says(&mut self, id: &str, text: &str) -> &mut Self {
        self.answer(id, &json!({"type": "text", "text": text}))
    }

    /// An event of the queue, which is no part of the tree.
    fn queue(&mut self, operation: &str, text: Option<&str>, reason: Option<&str>) -> &mut Self {
        self.lines.push(json!({
            "type": "queue-operation", "operation": operation, "content": text, "reason": reason, "sessionId": "s",
        }));
        self
    }

    fn read(&self) -> RecordedSession {
        parsed(written(&self.lines).as_bytes()).unwrap()
    }
}

fn written(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The texts of the user, one for each turn.
fn asked(session: &RecordedSession) -> Vec<String> {
    session.turns.iter().map(|turn| turn.user.text()).collect()
}

fn calls(session: &RecordedSession) -> Vec<&str> {
    session.steps().flat_map(|step| step.assistant.tool_calls()).map(|call| call.id.as_str()).collect()
}

/// What was paid apart from the conversation: which work, the session's name, and its requests.
fn apart(session: &RecordedSession) -> Vec<(SessionPart, &str, usize)> {
    session.separate.iter().map(|other| (other.part, other.id.as_str(), other.steps().count())).collect()
}

#[test]
fn records_that_are_in_a_file_twice_are_read_once() {
    let mut log = ClaudeLines::default();
    log.user("do it").call("m1", "c1");
    log.push(&json!({"type": "system", "subtype": "compact_boundary"}));
    log.call("m2", "c2").says("m3", "done");
    for is_renamed in [false, true] {
        // The records since the compaction again, as a resume writes them.
        let mut lines = log.lines.clone();
        let mut copied = log.lines[3..].to_vec();
        if is_renamed {
            copied.iter_mut().for_each(|line| line["uuid"] = json!(format!("again-{}", line["uuid"])));
        }
        lines.extend(copied);
        let next = json!({"uuid": "n", "parentUuid": log.last, "sessionId": "s", "type": "user",
            "message": {"role": "user", "content": "next"}});
        let end = json!({"uuid": "e", "parentUuid": "n", "sessionId": "s", "type": "assistant",
            "message": {"id": "m4", "role": "assistant", "content": [{"type": "text", "text": "yes"}]}});
        lines.extend([next, end]);
        let session = parsed(written(&lines).as_bytes()).unwrap();
        assert_eq!(calls(&session), ["c1", "c2"], "renamed: {is_renamed}");
        assert_eq!(asked(&session), ["do it", "next"]);
        assert_eq!(session.steps().filter(|step| step.request.compacted).count(), 1);
        assert!(session.separate.is_empty());
    }
}

#[test]
fn rows_that_a_plugin_put_in_place_of_a_conversation_are_no_second_conversation() {
    let mut log = ClaudeLines::default();
    log.user("do it").call("m1", "c1").says("m2", "half").user("and the rest").call("m3", "c2");
    // The rows are made before the compaction is written.
    log.push(
        &json!({"type": "system", "subtype": "compact_boundary", "timestamp": "2026-02-03T04:05:12.000Z"}),
    );
    log.user("do it").user("[Previous Session Context]\nCurrent task: do it\n").user("and the rest");
    let again = json!([{"type": "tool_use", "id": "c2", "name": "Bash", "input": {"command": "ls"}}]);
    let synthetic = json!({"id": "x", "role": "assistant", "model": "<synthetic>", "content": again});
    log.push(&json!({"type": "assistant", "message": synthetic}));
    let result = json!([{"type": "tool_result", "tool_use_id": "c2", "content": "result of c2"}]);
    log.push(&json!({"type": "user", "message": {"role": "user", "content": result}}));
    log.call("m4", "c3").says("m5", "done");
    log.push(
        &json!({"type": "user", "promptSource": "typed", "message": {"role": "user", "content": "and the rest"}}),
    );
    log.says("m6", "more");
    let session = parsed(written(&log.lines).as_bytes()).unwrap();
    assert_eq!(calls(&session), ["c1", "c2", "c3"]);
    let said: Vec<String> = asked(&session).into_iter().filter(|text| !text.starts_with('[')).collect();
    assert_eq!(said, ["do it", "and the rest", "and the rest"], "the user has said the last one again");
}

#[test]
fn what_the_user_says_again_right_after_a_compaction_is_a_request() {
    let summary = json!({"type": "user", "isCompactSummary": true, "timestamp": "2026-02-03T04:05:00.000Z",
        "message": {"role": "user", "content": "They work."}});
    let view = json!({"type": "user", "timestamp": "2026-02-03T04:05:00.000Z",
        "message": {"role": "user", "content": "[Previous Session Context]\nCurrent task: do it\n"}});
    for (row, is_free) in [(summary, false), (view, true)] {
        let mut log = ClaudeLines::default();
        log.user("do it").says("m1", "done").user("continue").says("m2", "done again");
        log.push(&json!({"type": "system", "subtype": "compact_boundary"}));
        log.push(&row).user("continue").says("m3", "third").user("continue").says("m4", "fourth");
        let session = parsed(written(&log.lines).as_bytes()).unwrap();
        let again = asked(&session).iter().filter(|text| text.ends_with("continue")).count();
        assert_eq!(again, 3, "{:?}", asked(&session));
        let compacted: Vec<bool> =
            session.steps().filter(|step| step.request.compacted).map(|step| step.request.unasked).collect();
        assert_eq!(compacted, [is_free], "a view of ours was no request to a model");
    }
}

#[test]
fn what_the_user_wrote_while_the_model_worked_is_a_request() {
    let attachment = |text: &str, kind: &str| {
        json!({"type": "attachment", "attachment": {
            "type": "queued_command", "commandMode": "prompt", "prompt": text, "origin": {"kind": kind},
        }})
    };
    let mut log = ClaudeLines::default();
    log.user("build it").call("m1", "c1");
    log.queue("enqueue", Some("in euros, too"), None);
    log.queue("remove", Some("in euros, too"), Some("absorbed_mid_turn"));
    log.push(&attachment("in euros, too", "human"));
    log.push(&attachment("<task-notification>a job has ended</task-notification>", "task"));
    log.call("m2", "c2");
    log.queue("enqueue", Some("and without a footer"), None);
    log.queue("enqueue", Some("never mind"), None);
    log.queue("remove", Some("and without a footer"), Some("absorbed_mid_turn"));
    log.queue("remove", Some("never mind"), Some("cancelled"));
    log.says("m3", "built");
    log.queue("enqueue", Some("now ship it"), None).queue("dequeue", None, None);
    log.user("now ship it").says("m4", "shipped");
    log.queue("enqueue", Some("/compact"), None);
    let session = log.read();
    assert_eq!(asked(&session), ["build it", "in euros, too", "and without a footer", "now ship it"]);
    assert_eq!(calls(&session), ["c1", "c2"]);
    assert!(session.open_request.is_none());

    log.queue("enqueue", Some("one more thing"), None);
    let open = log.read().open_request.unwrap();
    assert_eq!(open.text(), "one more thing", "it waits for its answer");
    log.queue("popAll", None, None);
    assert!(log.read().open_request.is_none(), "the user has it in the input field again");
}

#[test]
fn the_last_request_without_an_answer_is_open() {
    let mut log = ClaudeLines::default();
    log.user("build it").says("m1", "built");
    assert!(log.read().open_request.is_none());
    log.user("now the footer");
    assert_eq!(log.read().open_request.unwrap().text(), "now the footer");
    let limit = json!({"type": "assistant", "isApiErrorMessage": true, "message": {
        "id": "m2", "role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": "limit"}],
    }});
    log.push(&limit);
    assert_eq!(log.read().open_request.unwrap().text(), "now the footer");
    log.says("m3", "added").user("<local-command-stdout>Bye!</local-command-stdout>");
    assert!(log.read().open_request.is_none(), "a note of the agent asks for nothing");
}

#[test]
fn branches_and_subagents_were_paid() {
    let mut log = ClaudeLines::default();
    log.user("build it").says("m1", "built");
    let before = log.last.clone();
    log.user("in red").call("m2", "c2").says("m3", "red");
    log.last = before.clone();
    log.user("in blue").says("m4", "blue");
    log.last = before;
    log.user("in green").says("m5", "green");
    let mut side = json!({"isSidechain": true, "agentId": "a7", "parentUuid": null, "uuid": "side", "sessionId": "s",
        "type": "assistant", "message": {"id": "m6", "role": "assistant", "content": [{"type": "text", "text": "found"}]}});
    log.lines.insert(2, side.clone());
    let session = log.read();
    assert_eq!(asked(&session), ["build it", "in green"]);
    let found = apart(&session);
    assert_eq!(
        found,
        [
            (SessionPart::Subagent, "agent-a7", 1),
            (SessionPart::Rewound, "s", 2),
            (SessionPart::Rewound, "s", 1)
        ]
    );
    assert!(session.separate.iter().all(|other| other.parent.as_deref() == Some("s")));

    // The file of a subagent has nothing else.
    side["isSidechain"] = json!(true);
    let own = parse_session(Path::new("agent-a7.jsonl"), written(&[side]).as_bytes()).unwrap();
    assert_eq!(
        (own.part, own.id.as_str(), own.parent.as_deref()),
        (SessionPart::Subagent, "agent-a7", Some("s"))
    );
    for (bytes, part) in
        [(PI_TREE, SessionPart::Rewound), (GEMINI, SessionPart::Rewound), (COPILOT, SessionPart::Subagent)]
    {
        let session = parsed(bytes).unwrap();
        assert!(session.separate.iter().any(|other| other.part == part), "{}", session.format);
    }
}

fn codex(kind: &str, ordinal: u64, payload: &Value) -> Value {
    json!({"timestamp": format!("2026-02-03T04:05:{ordinal:02}.000Z"), "ordinal": ordinal, "type": kind, "payload": payload})
}

/// A request of the user, the answer, and the total that was counted after it.
fn codex_turn(ordinal: u64, request: &str, total: u64) -> Vec<Value> {
    let said = |role: &str, kind: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
    let used = json!({"input_tokens": 900, "output_tokens": 10});
    let info = json!({"total_token_usage": {"total_tokens": total}, "last_token_usage": used});
    vec![
        codex("response_item", ordinal, &said("user", "input_text", request)),
        codex("response_item", ordinal + 1, &said("assistant", "output_text", &format!("did {request}"))),
        codex("event_msg", ordinal + 2, &json!({"type": "token_count", "info": info})),
    ]
}

#[test]
fn a_fork_of_codex_begins_with_the_records_of_its_parent() {
    const PARENT: &str = "01a2190b-dd9e-77d1-a204-000000000001";
    const FORK: &str = "01a2190b-dd9e-77d1-a204-000000000002";
    const SECOND: &str = "01a2190b-dd9e-77d1-a204-000000000003";
    let head = |id: &str, from: Option<(&str, u64)>, ordinal: u64| {
        let (parent, end) = from.unzip();
        let payload = json!({"id": id, "forked_from_id": parent, "forked_from_ordinal_exclusive": end});
        codex("session_meta", ordinal, &payload)
    };
    let mut parent = vec![head(PARENT, None, 0)];
    parent.extend(codex_turn(1, "one", 910));
    parent.extend(codex_turn(4, "two", 1_820));
    parent.extend(codex_turn(7, "three", 2_730));
    let mut fork = vec![head(FORK, Some((PARENT, 7)), 7)];
    fork.extend(codex_turn(8, "other", 2_730));
    let mut second = vec![head(SECOND, Some((FORK, 11)), 11)];
    second.extend(codex_turn(12, "last", 3_640));

    let home = tempfile::tempdir().unwrap();
    let file = |day: &str, id: &str, lines: &[Value]| {
        let folder = home.path().join("sessions/2026/02").join(day);
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("rollout-2026-02-03T04-05-06-{id}.jsonl"));
        std::fs::write(&path, written(lines)).unwrap();
        path
    };
    let (first, forked) = (file("03", PARENT, &parent), file("04", FORK, &fork));
    let newest = file("28", SECOND, &second);
    let session = read_session(&newest).unwrap();
    assert_eq!(asked(&session), ["one", "two", "other", "last"]);
    let inherited: Vec<bool> = session.steps().map(|step| step.request.inherited).collect();
    assert_eq!(inherited, [true, true, true, false], "only its own request was sent by it");
    assert_eq!((session.id.as_str(), session.parent.as_deref()), (SECOND, Some(FORK)));
    assert!(session.warnings.is_empty(), "{:?}", session.warnings);

    // A copy of the records, as earlier versions wrote them, has the names of the parent's answers.
    let mut copy = vec![codex("session_meta", 0, &json!({"id": "copy", "forked_from_id": PARENT}))];
    copy.extend(parent.clone());
    copy.extend(codex_turn(20, "own", 3_640));
    let names = |session: &RecordedSession| -> Vec<String> {
        session.steps().filter_map(|step| step.request.answer.clone()).collect()
    };
    let copy = parsed(written(&copy).as_bytes()).unwrap();
    let (copied, sent) = (names(&copy), names(&read_session(&first).unwrap()));
    assert_eq!((copied.len(), &copied[..3]), (4, &sent[..]));

    std::fs::remove_file(&first).unwrap();
    let session = read_session(&forked).unwrap();
    assert_eq!(asked(&session), ["other"]);
    assert!(
        session.warnings[0].contains(&format!("forked from the session {PARENT}, whose file was not found"))
    );
}

#[test]
fn turns_of_codex_that_were_rolled_back_are_no_part_of_the_conversation() {
    let mut lines = vec![codex("session_meta", 0, &json!({"id": "x"}))];
    lines.extend(codex_turn(1, "one", 910));
    lines.extend(codex_turn(4, "two", 1_820));
    lines.push(codex("event_msg", 7, &json!({"type": "thread_rolled_back", "num_turns": 1})));
    lines.extend(codex_turn(8, "better", 2_730));
    let session = parsed(written(&lines).as_bytes()).unwrap();
    assert_eq!(asked(&session), ["one", "better"]);
    assert_eq!(apart(&session), [(SessionPart::Rewound, "x", 1)]);
}

/// The answers that are the first after a compaction, by their text.
fn compacted(lines: &[Value]) -> Vec<String> {
    let session = parsed(written(lines).as_bytes()).unwrap();
    session.steps().filter(|step| step.request.compacted).map(|step| step.assistant.text()).collect()
}

#[test]
fn an_aborted_answer_after_a_compaction_does_not_lose_it() {
    let pi = |role: &str, text: &str| {
        let content = if text.is_empty() { json!([]) } else { json!([{"type": "text", "text": text}]) };
        json!({"type": "message", "message": {"role": role, "content": content, "usage": {"input": 9}}})
    };
    let lines = [
        json!({"type": "session", "id": "p", "cwd": "/"}),
        pi("user", "one"),
        pi("assistant", "first"),
        json!({"type": "compaction", "summary": "short"}),
        pi("user", "two"),
        pi("assistant", ""),
        pi("user", "three"),
        pi("assistant", "second"),
    ];
    assert_eq!(compacted(&lines), ["second"]);

    let mut claude = ClaudeLines::default();
    claude.user("one").says("m1", "first").push(&json!({"type": "system", "subtype": "compact_boundary"}));
    claude.user("two").says("m2", "").user("three").says("m3", "second");
    assert_eq!(compacted(&claude.lines), ["second"]);

    let mut codex_lines = vec![codex("session_meta", 0, &json!({"id": "x"}))];
    codex_lines.extend(codex_turn(1, "one", 910));
    codex_lines.push(codex("compacted", 4, &json!({"message": "short"})));
    let empty =
        json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ""}]});
    codex_lines.push(codex("response_item", 5, &empty));
    codex_lines.extend(codex_turn(6, "two", 1_820));
    assert_eq!(compacted(&codex_lines), ["did two"]);

    let copilot = |kind: &str, data: Value| json!({"type": kind, "data": data});
    let lines = [
        copilot("session.start", json!({"sessionId": "c"})),
        copilot("user.message", json!({"content": "one"})),
        copilot("assistant.message", json!({"content": "first", "apiCallId": "1"})),
        copilot("session.compaction_complete", json!({"success": true})),
        copilot("user.message", json!({"content": "two"})),
        copilot("assistant.message", json!({"content": "", "apiCallId": "2"})),
        copilot("user.message", json!({"content": "three"})),
        copilot("assistant.message", json!({"content": "second", "apiCallId": "3"})),
    ];
    assert_eq!(compacted(&lines), ["second"]);

    let gemini = |id: &str, kind: &str, text: &str| json!({"id": id, "type": kind, "content": text});
    let summary = json!([
        gemini("s", "user", "short"),
        gemini("k", "gemini", "Got it. Thanks for the additional context!"),
    ]);
    let lines = [
        json!({"sessionId": "g", "projectHash": "h"}),
        gemini("1", "user", "one"),
        gemini("2", "gemini", "first"),
        json!({"$set": {"messages": summary}}),
        gemini("3", "user", "two"),
        gemini("4", "gemini", ""),
        gemini("5", "user", "three"),
        gemini("6", "gemini", "second"),
    ];
    assert_eq!(compacted(&lines), ["second"]);

    let opencode = |role: &str, summary: bool, text: &str| json!({"info": {"role": role, "summary": summary}, "parts": [{"type": "text", "text": text}]});
    let messages = [
        opencode("user", false, "one"),
        opencode("assistant", false, "first"),
        opencode("assistant", true, "short"),
        opencode("user", false, "two"),
        opencode("assistant", false, ""),
        opencode("user", false, "three"),
        opencode("assistant", false, "second"),
    ];
    assert_eq!(compacted(&[json!({"info": {"id": "o"}, "messages": messages})]), ["second"]);
}

#[test]
fn what_the_agent_writes_in_the_users_name_asks_for_nothing() {
    let asked = |log: &ClaudeLines| -> Vec<bool> {
        log.read().turns.iter().map(|turn| turn.user.texts().any(|text| !is_agent_note(text))).collect()
    };
    let meta = |text: &str| json!({"type": "user", "isMeta": true, "message": {"role": "user", "content": [{"type": "text", "text": text}]}});
    for text in [
        "[Image: source: /tmp/x.png]",
        "Stop hook feedback:\n- run tests",
        "Continue from where you left off.",
    ] {
        let mut log = ClaudeLines::default();
        log.user("build it").says("m1", "built").push(&meta(text)).says("m2", "done");
        assert_eq!(asked(&log), [true, false]);
        assert!(log.read().turns[1].user.text().contains(text), "the model was sent it");
    }
    let mut log = ClaudeLines::default();
    log.user("<command-message>review</command-message>\n<command-name>/review</command-name>");
    log.push(&meta("Review the branch.")).says("m1", "reviewed");
    assert_eq!(asked(&log), [true], "the user has run a command, and this is its text");
}

/// A session that was compacted, and its fork, whose file begins with the compaction. `rows` are the lines that Claude Code writes
/// behind it: a summary of its own, or the rows of a plugin.
fn compacted_fork(rows: &[Value]) -> [ClaudeLines; 2] {
    let mut log = ClaudeLines::default();
    log.user("build it").call("m1", "c1").says("m2", "built").user("in red").says("m3", "it is red");
    let first = log.lines.len();
    log.push(&json!({"type": "system", "subtype": "compact_boundary"}));
    let boundary = log.lines.last_mut().unwrap();
    (boundary["logicalParentUuid"], boundary["parentUuid"]) = (boundary["parentUuid"].take(), Value::Null);
    let at = boundary["timestamp"].clone();
    for row in rows {
        log.push(row);
        log.lines.last_mut().unwrap()["timestamp"] = at.clone();
    }
    let mut fork = ClaudeLines { lines: log.lines[first..].to_vec(), last: log.last.clone() };
    for line in &mut fork.lines {
        line["sessionId"] = json!("fork");
        if line["type"] == "assistant" {
            line["requestSessionId"] = json!("s");
        }
    }
    let from = fork.lines.len();
    fork.user("ship it").says("m9", "shipped");
    for (number, line) in fork.lines.iter_mut().enumerate().skip(from) {
        (line["sessionId"], line["uuid"]) = (json!("fork"), json!(format!("f{number}")));
    }
    fork.lines[from + 1]["parentUuid"] = json!(format!("f{from}"));
    [log, fork]
}

#[test]
fn a_fork_that_begins_with_a_compaction_has_what_was_before_it() {
    let user = |text: &str| json!({"type": "user", "message": {"role": "user", "content": text}});
    let answer = |model: &str| {
        let text = json!([{"type": "text", "text": "it is red"}]);
        json!({"type": "assistant", "message": {"id": "m3", "role": "assistant", "model": model, "content": text}})
    };
    let mut summary = user("They build it, and it is red.");
    summary["isCompactSummary"] = json!(true);
    let view = user("[Previous Session Context]\nCurrent task: build it\n");
    let plugin = [user("build it"), view, user("in red"), answer("<synthetic>")];
    for rows in [&[summary, answer("claude-x")][..], &plugin] {
        let [log, fork] = compacted_fork(rows);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fork.jsonl");
        std::fs::write(&path, written(&fork.lines)).unwrap();
        let alone = read_session(&path).unwrap();
        assert_eq!(alone.warnings.len(), 1, "{:?}", alone.warnings);
        assert!(alone.messages().iter().any(|message| message.text().contains("build it")));
        assert_eq!(alone.turns.last().unwrap().user.text(), "ship it");
        assert_eq!(
            alone.steps().map(|step| step.assistant.text()).collect::<Vec<_>>(),
            ["it is red", "shipped"]
        );

        std::fs::write(folder.path().join("s.jsonl"), written(&log.lines)).unwrap();
        let session = read_session(&path).unwrap();
        assert_eq!((session.id.as_str(), session.parent.as_deref()), ("fork", Some("s")));
        assert_eq!(asked(&session)[..2], ["build it", "in red"]);
        assert!(session.turns.len() == 3 && asked(&session)[2].ends_with("ship it"), "{:?}", asked(&session));
        assert_eq!(calls(&session), ["c1"]);
        let inherited: Vec<bool> = session.steps().map(|step| step.request.inherited).collect();
        assert_eq!(inherited, [true, true, true, false]);
        assert!(session.warnings.is_empty() && session.separate.is_empty(), "{session:?}");
    }
}

#[test]
fn an_answer_of_pi_is_known_by_its_entry_where_the_provider_gives_it_no_name() {
    let answer = |message: &Value| {
        let entry =
            json!({"type": "message", "id": "e1", "timestamp": "2026-01-01T00:00:00Z", "message": message});
        let user = json!({"type": "message", "message": {"role": "user", "content": "build it"}});
        let head = json!({"type": "session", "version": 3, "id": "s"});
        let session = parsed(written(&[head, user, entry]).as_bytes()).unwrap();
        session.steps().next().unwrap().request.answer.clone()
    };
    let mut message = json!({"role": "assistant", "content": [{"type": "text", "text": "built"}]});
    assert_eq!(answer(&message).as_deref(), Some("e1 2026-01-01T00:00:00Z"));
    message["responseId"] = json!("r1");
    assert_eq!(answer(&message).as_deref(), Some("r1"));
}
