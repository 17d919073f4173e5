//! Sessions of other agents: stored, continued, and handed to another agent.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::lived::MODEL;
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

const ID: &str = "12f1f541-2a05-4a60-a551-14b836a1ad82";
const CODEX: &str = "019f21d1-e78f-74e1-bd4d-f785aa6440c1";

/// A place in which Claude Code has worked.
struct Claude {
    place: Place,
    file: PathBuf,
    lines: Vec<Value>,
}

impl Claude {
    fn new() -> Self {
        let place = Place::new();
        let file = place.folder.path().join(format!(".claude/projects/-work/{ID}.jsonl"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let mut claude = Self { place, file, lines: Vec::new() };
        claude.user(&json!("Why does the parser test fail?"));
        let thinking = json!({"type": "thinking", "thinking": "I look.", "signature": "c2lnbmF0dXJl"});
        let call =
            json!({"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "seq 1 9000"}});
        claude.assistant("m1", &thinking);
        claude.assistant("m1", &call);
        let long: Vec<String> = (1..=9_000).map(|line| line.to_string()).collect();
        claude.user(&json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": long.join("\n")}]));
        claude.assistant("m2", &json!({"type": "text", "text": "It expects a comma."}));
        claude.save();
        claude
    }

    fn add(&mut self, kind: &str, message: &Value) {
        let number = self.lines.len();
        let parent = number.checked_sub(1).map(|before| format!("u{before}"));
        self.lines.push(json!({
            "type": kind, "uuid": format!("u{number}"), "parentUuid": parent, "sessionId": ID, "message": message,
            "cwd": self.place.work().canonicalize().unwrap(), "timestamp": "2026-02-21T05:19:03.207Z",
        }));
    }

    fn user(&mut self, content: &Value) {
        self.add("user", &json!({"role": "user", "content": content}));
    }

    fn assistant(&mut self, id: &str, block: &Value) {
        let message = json!({"id": id, "role": "assistant", "model": MODEL.1, "content": [block]});
        self.add("assistant", &message);
    }

    /// Writes the file, with a last line that is not whole yet.
    fn save(&self) {
        let lines: Vec<String> = self.lines.iter().map(Value::to_string).collect();
        fs::write(&self.file, format!("{}\n{{\"type\":\"us", lines.join("\n"))).unwrap();
    }

    fn run(&self, args: &[&str]) -> Ran {
        run(&mut self.place.bare(args))
    }
}

#[test]
fn a_session_of_claude_code_is_continued_with_its_own_thinking_and_calls() {
    let claude = Claude::new();
    let server = serve(Script::new().then(Answer::text("With a comma.")));
    let ran = run(&mut claude.place.asks(&server, MODEL, &["--resume", "claude:12f1", "How do I fix it?"]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "With a comma.\n"), "{ran:?}");
    assert_says(&ran.err, &["4 messages of claude were stored in session claude-12f1f541"]);
    let received = server.received();
    let last = received.last().unwrap();
    assert!(last.faults.is_empty(), "{:?}", last.faults);
    let messages = last.body["messages"].as_array().unwrap();
    assert_eq!(messages[0]["content"][0]["text"], "Why does the parser test fail?");
    assert_eq!(messages[1]["content"][0]["signature"], "c2lnbmF0dXJl");
    assert_eq!(messages[1]["content"][1]["name"], "Bash");
    // The long result is stored, and its reference resolves.
    let shown = messages[2]["content"][0].to_string();
    assert!(shown.contains("ref_id=") && shown.len() < 20_000, "{shown}");
    assert_eq!(messages[3]["content"][0]["text"], "It expects a comma.");
    let list = claude.run(&["sessions", "--json"]).json();
    assert_eq!(list[0]["title"], "Why does the parser test fail?");
}

#[test]
fn what_is_new_in_a_transcript_is_added_until_the_session_continues_here() {
    let mut claude = Claude::new();
    let session = format!("claude-{ID}");
    let turns = |claude: &Claude| {
        claude.run(&["messages", "list", &session, "--json"]).json().as_array().unwrap().len()
    };
    claude.run(&["handoff", "claude:12f1"]);
    assert_eq!(turns(&claude), 1);
    claude.user(&json!("And now?"));
    claude.assistant("m3", &json!({"type": "text", "text": "Now it works."}));
    claude.save();
    let again = claude.run(&["handoff", "claude:12f1"]);
    assert_says(&again.err, &["2 messages of claude were stored"]);
    assert_eq!(turns(&claude), 2);
    assert_eq!(claude.run(&["handoff", "claude:12f1"]).err, "", "nothing is new");

    let server = serve(Script::new().then(Answer::text("Fine.")));
    let ran = run(&mut claude.place.asks(&server, MODEL, &["--resume", "claude:12f1", "Continue."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    claude.user(&json!("Elsewhere"));
    claude.assistant("m4", &json!({"type": "text", "text": "Elsewhere, too."}));
    claude.save();
    let left = claude.run(&["handoff", "claude:12f1"]);
    assert_says(&left.err, &["2 newer messages, which are left out", &session]);
    assert_eq!(turns(&claude), 3);
}

#[test]
fn a_transcript_that_was_read_in_the_middle_of_a_step_is_completed() {
    let mut claude = Claude::new();
    let all = claude.lines.clone();
    // The call has no result yet, then it has one, then there is an answer.
    for lines in [3, 4, 5] {
        claude.lines.clone_from(&all);
        claude.lines.truncate(lines);
        claude.save();
        let ran = claude.run(&["handoff", "claude:12f1"]);
        assert_eq!(ran.code, Some(0), "{lines} lines: {ran:?}");
    }
    let sessions = claude.run(&["sessions", "--json"]).json();
    assert_eq!(sessions.as_array().unwrap().len(), 1, "{sessions}");
    let text = claude.run(&["export", &format!("claude-{ID}")]).done();
    assert_says(&text, &["It expects a comma.", "c2lnbmF0dXJl", "ref_id="]);
    assert!(!text.contains("no result: the call was cut off"), "{text}");
}

#[test]
fn a_request_without_an_answer_is_said_to_be_open() {
    let mut claude = Claude::new();
    let queued =
        json!({"type": "queue-operation", "operation": "enqueue", "content": "Keep the old syntax, too."});
    let absorbed = json!({"type": "queue-operation", "operation": "remove", "reason": "absorbed_mid_turn",
        "content": "Keep the old syntax, too."});
    let at = claude.lines.len() - 1;
    claude.lines.splice(at..at, [queued, absorbed]);
    claude.user(&json!("Now the footer \u{1f600}, please."));
    let whole = claude.lines.last().unwrap().to_string();
    claude.lines.pop();
    claude.save();
    // Half of the character was cut off.
    let kept = fs::read_to_string(&claude.file).unwrap();
    let half = whole.replace('\u{1f600}', "\\ud83d");
    fs::write(&claude.file, format!("{}\n{half}\nno json\n", kept.rsplit_once('\n').unwrap().0)).unwrap();
    let lost = format!("{}, line 9: left out, it cannot be read", claude.file.display());

    let handoff = claude.run(&["handoff", "claude:12f1"]);
    assert_says(&handoff.err, &["the last request of session claude-", "is open", &lost]);
    assert_eq!(handoff.code, Some(0), "{handoff:?}");
    assert_says(
        &handoff.out,
        &["Keep the old syntax, too.", "Now the footer \u{fffd}, please.", "not answered yet"],
    );
    let context = claude.run(&["watch", "--refresh", "claude:12f1"]);
    assert_says(&context.err, &[&lost]);
    assert_says(&context.out, &["Now the footer \u{fffd}, please."]);
    let server = serve(Script::new().then(Answer::text("Done.")));
    run(&mut claude.place.asks(&server, MODEL, &["--resume", "claude:12f1", "Continue."]));
    let sent = server.received().last().unwrap().body["messages"].to_string();
    assert_says(&sent, &["Keep the old syntax, too.", "Now the footer \u{fffd}, please.", "Continue."]);
}

#[test]
fn a_transcript_that_was_rewound_becomes_another_session() {
    let mut claude = Claude::new();
    claude.run(&["handoff", "claude:12f1"]);
    claude.lines.truncate(1);
    claude.assistant("m9", &json!({"type": "text", "text": "It expects a dot."}));
    claude.save();
    let again = claude.run(&["handoff", "claude:12f1"]);
    assert_says(&again.err, &[&format!("stored in session claude-{ID}-2")]);
    let first = claude.run(&["export", &format!("claude-{ID}"), "--text"]).done();
    assert_says(&first, &["It expects a comma."]);
    claude.run(&["report", &format!("claude-{ID}"), "-o", "report.html"]).done();
    let report = fs::read_to_string(claude.place.work().join("report.html")).unwrap();
    assert!(report.contains("Requests of another agent") && !report.contains("No request was sent yet"));
}

#[test]
fn a_session_of_codex_is_found_by_its_id() {
    let place = Place::new();
    let day = place.folder.path().join(".codex/sessions/2026/07/02");
    fs::create_dir_all(&day).unwrap();
    let message = |role: &str, kind: &str, text: &str| {
        let payload = json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
        json!({"timestamp": "2026-07-02T07:54:24.673Z", "type": "response_item", "payload": payload})
            .to_string()
    };
    let meta = json!({"type": "session_meta", "payload": {"id": CODEX, "cwd": place.work().canonicalize().unwrap()}});
    let lines = [
        meta.to_string(),
        message("user", "input_text", "Sum it up."),
        message("assistant", "output_text", "42"),
    ];
    fs::write(day.join(format!("rollout-2026-07-02T07-53-52-{CODEX}.jsonl")), lines.join("\n")).unwrap();
    let ran = run(&mut place.bare(&["handoff", "codex:019f"]));
    assert_says(&ran.err, &["2 messages of codex were stored"]);
    let listed = run(&mut place.bare(&["resume", "--from", "codex"]));
    assert_eq!(listed.code, Some(2), "{listed:?}");
    assert_says(&listed.out, &[&format!("codex:{CODEX}"), "Sum it up."]);
    assert_says(&listed.err, &["throughline resume codex:ID"]);
}

#[test]
fn a_handoff_for_another_agent_is_a_prompt_and_the_command_that_starts_it() {
    let claude = Claude::new();
    for (agent, program) in [
        ("claude", "claude \"$(cat "),
        ("codex", "codex \"$(cat "),
        ("opencode", "opencode --prompt \"$(cat "),
        ("gemini", "gemini --prompt-interactive \"$(cat "),
    ] {
        let printed = claude.run(&["handoff", "claude:12f1", "--for", agent]).out;
        assert_says(&printed, &["Start the agent with:", "cd ", program, ")\""]);
    }
    let json = claude.run(&["handoff", &format!("claude-{ID}"), "--for", "codex", "--json"]).json();
    let prompt = fs::read_to_string(json["file"].as_str().unwrap()).unwrap();
    let parts = [
        "You continue the work",
        "[Previous Session Context]",
        "Why does the parser test fail?",
        "seq 1 9000",
    ];
    assert_says(&prompt, &parts);
    assert!(prompt.len() < 32 * 1024, "{} bytes", prompt.len());
    let unknown = claude.run(&["handoff", "last", "--for", "emacs"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
}

#[test]
fn an_id_that_leads_elsewhere_finds_nothing() {
    let claude = Claude::new();
    fs::write(claude.place.folder.path().join(".claude/secret.jsonl"), "{}").unwrap();
    for name in
        ["claude:../secret", "claude:", "claude:/etc/passwd", "codex:12f1", "claude:zzz", "gemini:../x"]
    {
        let failed = claude.run(&["handoff", name]).failed();
        assert_says(&failed, &["there is no session", "--from"]);
    }
    let wrong = claude.run(&["resume", "goose:1"]).misused();
    assert_says(&wrong, &["claude:ID, codex:ID, opencode:ID or gemini:ID"]);
    let elsewhere =
        run(claude.place.bare(&["resume", "--from", "claude"]).current_dir(claude.place.folder.path()));
    assert_says(&elsewhere.failed(), &["there is no session of claude in", "--any-folder"]);
}
