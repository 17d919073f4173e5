//! What a restored context of a watched agent says, how it is set, and what of a session a compaction has lost.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::place::{KEY, Place, serve};
use crate::ran::{Ran, assert_says, run};

const ID: &str = "5f1e1f54-bbbb-4a60-a551-14b836a1ad82";

pub(crate) struct Watched {
    place: Place,
    lines: Vec<Value>,
    /// Variables of its hooks.
    pub(crate) variables: Vec<(String, String)>,
}

impl Watched {
    fn new() -> Self {
        Self { place: Place::new(), lines: Vec::new(), variables: Vec::new() }
    }

    fn settings(&self, text: &str) {
        let folder = self.place.folder.path().join(".config/throughline");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), text).unwrap();
    }

    fn says(&mut self, kind: &str, message: &Value) {
        let number = self.lines.len();
        let parent = number.checked_sub(1).map(|before| format!("u{before}"));
        let cwd = self.place.work().canonicalize().unwrap();
        self.lines
            .push(json!({"type": kind, "uuid": format!("u{number}"), "parentUuid": parent, "sessionId": ID,
                               "cwd": cwd, "message": message}));
    }

    fn user(&mut self, content: &Value) {
        self.says("user", &json!({"role": "user", "content": content}));
    }

    fn model(&mut self, content: &Value, tokens: u64) {
        let id = format!("m{}", self.lines.len());
        let usage = json!({"input_tokens": tokens, "output_tokens": 1});
        self.says("assistant", &json!({"id": id, "role": "assistant", "model": "claude-sonnet-4-5", "content": content, "usage": usage}));
    }

    /// A call that has succeeded.
    fn call(&mut self, name: &str, input: &Value) {
        let id = format!("c{}", self.lines.len());
        self.model(&json!([{"type": "tool_use", "id": id, "name": name, "input": input}]), 1000);
        self.user(&json!([{"type": "tool_result", "tool_use_id": id, "content": "ok"}]));
    }

    fn file(&self) -> std::path::PathBuf {
        let folder = self.place.folder.path().join(".claude/projects/-work");
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{ID}.jsonl"));
        let lines: Vec<String> = self.lines.iter().map(Value::to_string).collect();
        fs::write(&file, lines.join("\n") + "\n").unwrap();
        file
    }

    fn hook(&self, event: &str, source: &str) -> Ran {
        let payload = json!({"session_id": ID, "transcript_path": self.file(), "hook_event_name": event, "source": source});
        let mut command = self.place.bare(&["watch", "--hook", "claude"]);
        command.env("ANTHROPIC_API_KEY", KEY).envs(self.variables.iter().cloned());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    pub(crate) fn context(&self, source: &str) -> String {
        let answer = self.hook("SessionStart", source).json();
        answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
    }

    /// A session with steps, a decision, changed files and a focus.
    fn worked() -> Self {
        let mut watched = Self::new();
        watched.user(&json!("Make the parser accept trailing commas."));
        watched.call(
            "TodoWrite",
            &json!({"todos": [
            {"content": "Read the grammar", "status": "completed", "activeForm": "x"},
            {"content": "Change the list rule", "status": "in_progress", "activeForm": "x"},
            {"content": "Add a test", "status": "pending", "activeForm": "x"}]}),
        );
        watched
            .call("Edit", &json!({"file_path": "src/parser/lists.rs", "old_string": "a", "new_string": "b"}));
        watched.model(&json!([{"type": "text", "text": "I decided to extend the list rule instead of the lexer, because tokens stay the same.\nNOTE: keep the old error text."}]), 1000);
        watched.user(&json!("Now the test, please."));
        watched.model(&json!([{"type": "text", "text": "Working on it."}]), 1000);
        watched
    }
}

// S1-08 S1-20
#[test]
fn a_context_has_steps_decisions_with_reasons_files_and_the_focus_without_a_model() {
    let server = serve(Script::new());
    let watched = Watched::worked();
    watched.settings(&model_at(&server));
    let text = watched.context("compact");
    assert_eq!(server.received().len(), 0, "nothing leaves the machine, though a model could be asked");
    let parts = [
        "Current task: Make the parser accept trailing commas.",
        "Completed: Read the grammar\n",
        "Pending: Change the list rule, Add a test\n",
        "Key decisions: I decided to extend the list rule instead of the lexer, because tokens stay the same.\n",
        "Relevant files: src/parser/lists.rs\n",
        "word for word:\nNow the test, please.\n",
    ];
    assert_says(&text, &parts);
}

// S1-17 S1-21
#[test]
fn the_settings_say_when_contexts_come_back_how_large_they_are_and_what_they_quote() {
    let mut watched = Watched::worked();
    // It ends inside a turn.
    watched.user(&json!("And the docs."));
    watched.settings("[watch]\nrestore = \"resume\"\nsize = 600\nextract = [\"note:\"]\n");
    assert_eq!(watched.hook("SessionStart", "compact").done(), "", "only on resume");
    let text = watched.context("resume");
    assert!(text.len() <= 600, "{} bytes", text.len());
    assert_says(&text, &["Noted: NOTE: keep the old error text.\n"]);
    watched.settings("[watch]\nrestore = \"off\"\n");
    for source in ["compact", "resume"] {
        assert_eq!(watched.hook("SessionStart", source).done(), "");
    }
    assert_eq!(
        run(&mut watched.place.bare(&["sessions", "--json"])).json()[0]["exchanges"],
        3,
        "it is stored"
    );
    // A value that cannot be used is said before the agent starts.
    watched.settings("[watch]\nsize = 20000\n");
    let wrong = run(&mut watched.place.bare(&["watch", "--", "/no/such/claude"])).misused();
    assert_says(&wrong, &["config.toml", "`size`", "512 to 9000"]);
    // A project that is not trusted changes nothing.
    watched.settings("");
    fs::create_dir_all(watched.place.work().join(".throughline")).unwrap();
    fs::write(watched.place.work().join(".throughline/config.toml"), "[watch]\nrestore = \"off\"\n").unwrap();
    assert_says(&watched.context("compact"), &["[Previous Session Context]"]);
}

// S1-02 S1-21 S1-22
#[test]
fn the_user_is_warned_once_ahead_of_the_limit_with_the_choices() {
    let mut watched = Watched::new();
    watched.user(&json!("Fix it."));
    watched.model(&json!([{"type": "text", "text": "Looking."}]), 100_000);
    assert_eq!(watched.hook("Stop", "").done(), "");
    watched.user(&json!("And now?"));
    watched.model(&json!([{"type": "text", "text": "Still looking."}]), 170_000);
    let answer = watched.hook("Stop", "").json();
    let text = answer["systemMessage"].as_str().unwrap();
    assert_says(
        text,
        &[
            "85 % full (170001 of 200000 tokens)",
            "near 95 %",
            "/compact now",
            "(1M)",
            "/rewind",
            "throughline handoff",
        ],
    );
    assert_eq!(answer.as_object().unwrap().len(), 1, "the model does not see it");
    watched.user(&json!("More."));
    watched.model(&json!([{"type": "text", "text": "Done."}]), 180_000);
    assert_eq!(watched.hook("Stop", "").done(), "", "it was said");
    watched.settings("[watch]\nwarn_pct = 100\n");
    watched.lines.truncate(4);
    assert_eq!(watched.hook("Stop", "").done(), "");
    // The window is that of the model that answers now.
    watched.settings("");
    watched.lines[3]["message"]["model"] = json!("claude-opus-4-8");
    assert_eq!(watched.hook("Stop", "").done(), "", "it has a larger one");
    watched.lines[1]["message"]["model"] = json!("claude-opus-4-8");
    watched.lines[3]["message"]["model"] = json!("claude-haiku-4-5");
    assert_says(&watched.hook("Stop", "").done(), &["85 % full (170001 of 200000 tokens)"]);
    watched.lines[3]["message"]["usage"]["cache_read_input_tokens"] = json!(300_000);
    assert_eq!(watched.hook("Stop", "").done(), "", "more than fits: the window is another one");
}

#[test]
fn the_status_says_which_facts_the_summary_of_the_agent_has_lost() {
    let mut watched = Watched::worked();
    let context = watched.context("compact");
    watched.lines.push(json!({"type": "system", "subtype": "compact_boundary"}));
    let summary = json!({"role": "user", "content": "They add a test and read the grammar."});
    watched.lines.push(json!({"type": "user", "isCompactSummary": true, "message": summary}));
    watched.lines.push(json!({"attachment": {"type": "hook_additional_context", "content": [context]}}));
    watched.lines.push(json!({"type": "assistant", "message": {}}));
    watched.file();
    let shown = run(&mut watched.place.bare(&["watch", "--status"])).done();
    let parts = [
        "  1  context delivered\n",
        "Facts before the last one: 5; the agent's own summary has lost 60 %, with the restored context 0 %\n",
        "  kept by the agent: 2\n",
        "  restored: 3\n    src/parser/lists.rs\n    Change the list rule\n",
        "  one search away: 0\n",
    ];
    assert_says(&shown, &parts);
}

#[test]
fn hostile_transcripts_show_nothing_raw_and_reach_nothing_outside() {
    let mut watched = Watched::new();
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2Jred \u{9b}31m\u{202e}txet $(touch owned) `touch owned`";
    watched.user(&json!(evil));
    watched
        .call("Edit", &json!({"file_path": format!("src/{evil}.rs"), "old_string": "a", "new_string": "b"}));
    watched.model(&json!([{"type": "text", "text": format!("decision: {evil} because of it")}]), 1000);
    let context = watched.context("compact");
    let is_raw = |text: &str| {
        text.chars().any(|letter| (letter.is_control() && letter != '\n') || letter == '\u{202e}')
    };
    assert!(!is_raw(&context), "{context:?}");
    watched.lines.push(json!({"type": "system", "subtype": "compact_boundary"}));
    watched.file();
    for args in [&["watch", "--list"][..], &["watch", "--status"], &["watch", "--refresh"]] {
        let ran = run(&mut watched.place.bare(args));
        assert!(!is_raw(&ran.out) && !is_raw(&ran.err), "{args:?}: {ran:?}");
    }
    assert!(!watched.place.work().join("owned").exists(), "a text was executed");
    // A link to a session of somebody else is not followed, and an id is no path.
    let other = watched.place.folder.path().join("other.jsonl");
    fs::copy(watched.file(), &other).unwrap();
    let folder = watched.file().parent().unwrap().to_owned();
    fs::remove_file(watched.file()).unwrap();
    std::os::unix::fs::symlink(&other, folder.join(format!("{ID}.jsonl"))).unwrap();
    for id in [ID, "../../../other", "../other", "%2e%2e/other", "/etc/passwd", "..", "."] {
        let ran = run(&mut watched.place.bare(&["watch", "--status", &format!("claude:{id}")])).failed();
        assert_says(&ran, &["there is no session"]);
    }
    assert_says(&run(&mut watched.place.bare(&["watch", "--list"])).failed(), &["there is no session"]);
}

/// A change of the table of contexts, what its export has in their place, and what standard error says.
const DAMAGES: [(&str, &str, &str); 3] = [
    ("UPDATE session_contexts SET context = '{ half'", "\"damaged\":\"", "the context of records 1 to "),
    ("UPDATE session_contexts SET source = 'nothing'", "\"damaged\":\"", "its contexts are lost: "),
    ("DROP TABLE session_contexts", "\"damaged\":\"", "its contexts are lost: "),
];

#[test]
fn an_export_names_contexts_that_are_lost_and_shows_everything_else() {
    for (damage, line, named) in DAMAGES {
        let watched = Watched::worked();
        watched.context("compact");
        let whole = run(&mut watched.place.bare(&["export", "last", "--any-folder"])).done();
        let database = watched.place.folder.path().join(".local/share/throughline/throughline.db");
        rusqlite::Connection::open(&database).unwrap().execute(damage, []).unwrap();
        let ran = run(&mut watched.place.bare(&["export", "last", "--any-folder"]));
        assert_eq!(ran.code, Some(1), "{damage}: {ran:?}");
        let records = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !line.starts_with("{\"context\":")).map(str::to_owned).collect()
        };
        assert!(records(&whole).len() > 5, "{whole}");
        assert_eq!(records(&ran.out), records(&whole), "{damage}");
        let last = ran.out.lines().last().unwrap();
        assert!(last.starts_with("{\"context\":{") && last.contains(line), "{damage}: {last}");
        assert_says(&ran.err, &[named, "everything else is shown", "recover"]);
        let text = run(&mut watched.place.bare(&["export", "--text", "last", "--any-folder"]));
        assert_eq!(text.code, Some(1), "{damage}: {text:?}");
        assert_says(&text.out, &["Now the test, please."]);
        assert_says(&text.err, &[named]);
    }
}

pub(crate) const SUMMARY: &str = r#"{"currentTask": "Trailing commas in lists", "completedSteps": ["Changed the list rule"],
 "pendingSteps": ["Run the tests"], "keyDecisions": ["The lexer stays"], "relevantFiles": ["src/invented.rs"]}"#;

/// A watched session whose contexts are written by a model behind this server.
pub(crate) fn summarized(server: &throughline_testserver::Server) -> Watched {
    let watched = Watched::worked();
    watched.settings(&format!("[watch]\nsummarizer = \"haiku\"\n{}", model_at(server)));
    watched
}

/// Settings of a model behind this server.
fn model_at(server: &throughline_testserver::Server) -> String {
    format!("[model]\nprovider = \"anthropic\"\nbase_url = \"{}\"\n", server.url())
}

// S1-09 S1-18 S1-19
#[test]
fn a_cheap_model_writes_the_context_and_is_asked_again_only_for_a_changed_session() {
    let server = serve(Script::new().then(Answer::text(SUMMARY)).then(Answer::text(SUMMARY)));
    let mut watched = summarized(&server);
    // What is stored meanwhile is summarized at once, when a context is due.
    for event in ["Stop", "PreCompact", "Stop"] {
        watched.hook(event, "").done();
    }
    assert_eq!(server.received().len(), 0);
    let text = watched.context("compact");
    assert_says(
        &text,
        &[
            "Current task: Trailing commas in lists",
            "Completed: Changed the list rule\n",
            "Pending: Run the tests\n",
            "Key decisions: The lexer stays\n",
            // A file that was changed is a fact; one that the log does not name is left out.
            "Relevant files: src/parser/lists.rs\n",
        ],
    );
    let asked = &server.received()[0];
    assert!(asked.body["model"].as_str().unwrap().contains("haiku"), "{}", asked.body);
    let prompt = asked.body.to_string();
    for part in [
        "Summarize this agent session for continuation.\\nExtract:\\n- Current task being worked on\\n- Steps already completed",
        "- Remaining steps\\n- Key decisions made\\n- Files being modified",
        "Session log:",
        "Now the test, please.",
    ] {
        assert!(prompt.contains(part), "{part} is missing in {prompt}");
    }
    // Nothing has changed: the summary that was paid for is used again.
    assert_eq!(watched.context("compact"), text);
    assert_eq!(server.received().len(), 1);
    watched.user(&json!("And the docs."));
    watched.model(&json!([{"type": "text", "text": "Writing them."}]), 1000);
    watched.context("compact");
    assert_eq!(server.received().len(), 2);
}

// S1-18
#[test]
fn raw_lines_are_quoted_where_the_answer_of_the_model_cannot_be_read() {
    let server = serve(Script::new().then(Answer::text("Sorry, I would rather not.")).repeat_last());
    let watched = summarized(&server);
    let hooked = watched.hook("SessionStart", "compact");
    assert!(hooked.err.contains("is not used (its answer has no JSON object)"), "{}", hooked.err);
    let answer: Value = serde_json::from_str(&hooked.out).unwrap();
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned();
    assert_says(
        &text,
        &[
            "Current task: Make the parser accept trailing commas.",
            "user: Now the test, please.",
            "assistant: Working on it.",
        ],
    );
}
