//! `throughline watch -- claude`: hooks store the transcript and restore the context; the program stands alone.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::lived::MODEL;
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

const ID: &str = "5f1e1f54-aaaa-4a60-a551-14b836a1ad82";

/// What Claude Code 2.1.330 has written when it calls the first Stop hook of an interactive session.
const FIRST_STOP: &str = include_str!("../../../watch/recordings/hooks/claude_first_stop.jsonl");

/// A place with a program `claude` that writes down its arguments, and a transcript of it.
struct Watched {
    place: Place,
    arguments: Vec<String>,
}

impl Watched {
    fn new() -> Self {
        let place = Place::new();
        let program = place.folder.path().join("claude");
        fs::write(
            &program,
            "#!/bin/sh\nprintf '%s\\n' \"$@\" > arguments\necho shown\necho problem >&2\nexit 7\n",
        )
        .unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let ran = run(&mut place.bare(&["watch", "--", program.to_str().unwrap(), "-p", "Fix it's parser"]));
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(7), "shown\n", "problem\n"));
        let arguments = fs::read_to_string(place.work().join("arguments")).unwrap();
        let arguments = arguments.lines().map(str::to_owned).collect();
        let watched = Self { place, arguments };
        watched.transcript(&["Fix the parser.", "It expects a comma."]);
        watched
    }

    fn after(&self, option: &str) -> Value {
        let place = self.arguments.iter().position(|argument| argument == option).unwrap();
        serde_json::from_str(&self.arguments[place + 1]).unwrap()
    }

    /// Writes a transcript in which the user and the model take turns.
    fn transcript(&self, texts: &[&str]) {
        let cwd = self.place.work().canonicalize().unwrap();
        let line = |(number, text): (usize, &&str)| {
            let user = number % 2 == 0;
            let kind = if user { "user" } else { "assistant" };
            let message = if user {
                json!({"role": "user", "content": text})
            } else {
                json!({"id": format!("m{number}"), "role": "assistant", "content": [{"type": "text", "text": text}]})
            };
            let parent = number.checked_sub(1).map(|before| format!("u{before}"));
            json!({"type": kind, "uuid": format!("u{number}"), "parentUuid": parent, "sessionId": ID, "cwd": cwd,
                   "message": message})
            .to_string()
        };
        let lines: Vec<String> = texts.iter().enumerate().map(line).collect();
        fs::write(self.file(), lines.join("\n")).unwrap();
    }

    fn file(&self) -> std::path::PathBuf {
        self.place.folder.path().join(format!("{ID}.jsonl"))
    }

    /// Runs the hook of an event as the program does: by a shell, with a payload.
    fn hook(&self, event: &str, payload: &Value) -> Ran {
        let command =
            self.after("--settings")["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
        let mut all = json!({"session_id": ID, "transcript_path": self.file(), "hook_event_name": event});
        all.as_object_mut().unwrap().extend(payload.as_object().unwrap().clone());
        self.given(&command, &all.to_string())
    }

    fn given(&self, command: &str, input: &str) -> Ran {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
        shell.env("HOME", self.place.folder.path()).current_dir(self.place.work());
        let mut child =
            shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// The context that an answer of a hook gives.
    fn context(ran: Ran) -> String {
        let answer = ran.json();
        assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "SessionStart", "{answer}");
        answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
    }
}

// S1-01
#[test]
fn the_program_gets_hooks_and_tools_for_one_run_and_keeps_its_output_and_exit_code() {
    let watched = Watched::new();
    assert_eq!(watched.arguments[4], "--plugin-dir");
    let module = fs::read_to_string(Path::new(&watched.arguments[5]).join("hooks/register.js")).unwrap();
    assert!(
        module.contains("\"watch\",\"--hook\",\"claude\"]") && !module.contains("{{command}}"),
        "{module}"
    );
    assert_eq!(watched.arguments[6..], ["-p", "Fix it's parser"]);
    let hooks = watched.after("--settings")["hooks"].as_object().unwrap().len();
    assert_eq!(hooks, 4);
    let server = &watched.after("--mcp-config")["mcpServers"]["throughline"];
    assert_eq!(server["args"], json!(["mcp"]));
    assert!(!watched.place.folder.path().join(".claude").exists(), "nothing of the user's is written");
}

// S1-12 S1-13
#[test]
fn after_a_compaction_the_agent_gets_its_context_back() {
    let watched = Watched::new();
    for (event, payload) in [
        ("SessionStart", json!({"source": "startup"})),
        ("Stop", json!({"stop_hook_active": false})),
        ("PreCompact", json!({"trigger": "auto"})),
    ] {
        assert_eq!(watched.hook(event, &payload).done(), "", "{event}");
    }
    watched.transcript(&["Fix the parser.", "It expects a comma.", "Now test it.", "Tested."]);
    let text = Watched::context(watched.hook("SessionStart", &json!({"source": "compact"})));
    let parts = [
        "[Previous Session Context]\nCurrent task: Fix the parser.\n",
        "word for word:\nNow test it.\nIt was answered.",
        ID,
        "search_history",
    ];
    assert_says(&text, &parts);
    assert!(text.len() <= 4_096, "{} bytes", text.len());
    let resumed = || watched.hook("SessionStart", &json!({"source": "resume"}));
    assert_eq!(resumed().done(), "", "the transcript has everything");
    let sessions = run(&mut watched.place.bare(&["sessions", "--json"])).json();
    assert_eq!(
        (sessions[0]["title"].as_str(), sessions[0]["exchanges"].as_u64()),
        (Some("Fix the parser."), Some(2))
    );
    // It was killed inside a turn: the context comes once.
    watched.transcript(&[
        "Fix the parser.",
        "It expects a comma.",
        "Now test it.",
        "Tested.",
        "And the docs.",
    ]);
    let text = Watched::context(resumed());
    assert_says(&text, &["word for word:\nAnd the docs.\nIt is open: it was not answered yet.\n"]);
    let given =
        json!({"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [text]}});
    let transcript = fs::read_to_string(watched.file()).unwrap();
    fs::write(watched.file(), format!("{}\n{given}\n", transcript.trim_end())).unwrap();
    assert_eq!(resumed().done(), "", "the agent has it already");
    let large =
        json!({"type": "attachment", "attachment": {"type": "prompt_snapshot", "text": "x".repeat(400_000)}});
    let transcript = fs::read_to_string(watched.file()).unwrap();
    fs::write(watched.file(), format!("{transcript}{large}\n")).unwrap();
    assert_eq!(resumed().done(), "", "whatever has followed it");
    // A compaction that its context did not follow.
    watched.transcript(&[
        "Fix the parser.",
        "It expects a comma.",
        "Now test it.",
        "Tested.",
        "And the docs.",
        "Written.",
    ]);
    let transcript = fs::read_to_string(watched.file()).unwrap();
    let boundary = json!({"type": "system", "subtype": "compact_boundary"});
    fs::write(watched.file(), format!("{}\n{boundary}\n", transcript.trim_end())).unwrap();
    assert_says(&Watched::context(resumed()), &["word for word:\nAnd the docs.\nIt was answered."]);
}

// S1-07 S1-21
#[test]
fn the_transcript_is_stored_when_a_turn_ends_and_before_a_compaction() {
    let watched = Watched::new();
    watched.hook("Stop", &json!({})).done();
    let messages = |least: usize| {
        let text = run(&mut watched.place.bare(&["export", &format!("claude-{ID}")])).done();
        assert_eq!(text.lines().filter(|line| line.contains("\"message\"")).count(), least, "{text}");
    };
    messages(2);
    watched.transcript(&["Fix the parser.", "It expects a comma.", "Now test it.", "Tested."]);
    watched.hook("PreCompact", &json!({"trigger": "manual"})).done();
    messages(4);
}

// S1-07
#[test]
fn an_answer_that_is_written_while_the_hook_runs_is_stored_and_counted() {
    let watched = Watched::new();
    let file = watched.file();
    let usage = json!({"input_tokens": 190_000, "output_tokens": 10});
    let line = |id: &str, parent: Option<&str>, message: Value| {
        let kind = message["role"].clone();
        json!({"type": kind, "uuid": id, "parentUuid": parent, "sessionId": ID, "message": message})
            .to_string()
            + "\n"
    };
    let asked = line("a", None, json!({"role": "user", "content": "Fix the parser."}));
    let said = json!([{"type": "text", "text": "It expects\na \"comma\"."}]);
    let answer = json!({"id": "m", "role": "assistant", "model": "claude-sonnet-4-5", "content": said, "usage": usage});
    let answer = line("b", Some("a"), answer);
    fs::write(&file, &asked).unwrap();
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        fs::write(&file, asked + &answer).unwrap();
    });
    let ran = watched.hook("Stop", &json!({"last_assistant_message": "It expects\na \"comma\"."}));
    writer.join().unwrap();
    assert_says(&ran.done(), &["the context is 95 % full"]);
    let sessions = run(&mut watched.place.bare(&["sessions", "--json"])).json();
    assert_eq!(sessions[0]["exchanges"], 1);
}

#[test]
fn what_the_agent_does_after_its_session_has_continued_here_is_another_session() {
    let watched = Watched::new();
    watched.hook("Stop", &json!({})).done();
    let session = format!("claude-{ID}");
    let server = serve(Script::new().then(Answer::text("Fine.")));
    let question = ["--resume", &session, "What does it do?"];
    assert_eq!(run(&mut watched.place.asks(&server, MODEL, &question)).code, Some(0));
    watched.transcript(&["Fix the parser.", "It expects a comma.", "Now write the lexer.", "It is written."]);
    watched.hook("Stop", &json!({})).done();
    let text = Watched::context(watched.hook("SessionStart", &json!({"source": "compact"})));
    assert_says(&text, &["word for word:\nNow write the lexer.\nIt was answered.", &format!("{session}-2")]);
    assert!(!text.contains("What does it do?"), "{text}");
    let own = run(&mut watched.place.bare(&["export", &session])).done();
    assert!(own.contains("What does it do?") && !own.contains("lexer"), "{own}");
}

#[test]
fn a_session_with_a_large_first_request_is_listed() {
    let watched = Watched::new();
    let picture = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A".repeat(400_000)}});
    let text = fs::read_to_string(watched.file()).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let mut first: Value = serde_json::from_str(first).unwrap();
    first["message"]["content"] = json!([picture, {"type": "text", "text": "Make it look like this."}]);
    let project = watched.place.folder.path().join(".claude/projects/-work");
    fs::create_dir_all(&project).unwrap();
    fs::write(project.join(format!("{ID}.jsonl")), format!("{first}\n{rest}")).unwrap();
    let listed = run(&mut watched.place.bare(&["watch", "--list"])).done();
    assert_says(&listed, &[ID, "Make it look like this."]);
    let status = run(&mut watched.place.bare(&["watch", "--status"])).done();
    assert_says(&status, &[&format!("Session claude:{ID}: compactions 0")]);
}

#[test]
fn a_hook_that_fails_never_blocks_the_agent() {
    let watched = Watched::new();
    let settings = watched.after("--settings");
    let command = settings["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap();
    let passwd = json!({"hook_event_name": "Stop", "transcript_path": "/etc/passwd"}).to_string();
    for (input, says) in
        [("", "input of the hook"), ("{}", "input of the hook"), (passwd.as_str(), "not a transcript")]
    {
        let failed = watched.given(command, input).failed();
        assert_says(&failed, &[says]);
    }
    // A session that has just begun has no transcript, or one without an answer.
    fs::remove_file(watched.file()).unwrap();
    assert_eq!(watched.hook("Stop", &json!({})).done(), "");
    watched.transcript(&["Fix the parser."]);
    assert_eq!(watched.hook("SessionStart", &json!({"source": "resume"})).done(), "");
    fs::write(watched.file(), FIRST_STOP).unwrap();
    assert_eq!(watched.hook("Stop", &json!({})).done(), "");
    fs::write(watched.file(), "not json\n\u{1b}[2J").unwrap();
    assert_eq!(watched.hook("Stop", &json!({})).code, Some(1));
}

#[test]
fn what_cannot_be_watched_says_why() {
    let place = Place::new();
    let says = |args: &[&str], parts: &[&str]| {
        let all = [&["watch"], args].concat();
        assert_says(&run(&mut place.bare(&all)).misused(), parts);
    };
    says(&["--pty"], &["COMMAND"]);
    says(&["--agent", "vi", "--", "vi"], &["files are claude, codex, gemini"]);
    says(&["--agent", "opencode", "--", "true"], &["files are claude, codex, gemini"]);
    says(&["--", "claude", "--settings", "{\"hooks\": 1}"], &["--settings", "`hooks` has a wrong type"]);
    says(&[], &["COMMAND"]);
    let missing = run(&mut place.bare(&["watch", "--", "/no/such/claude"])).failed();
    assert_says(&missing, &["cannot start /no/such/claude"]);
}

#[test]
fn the_status_says_after_which_compactions_the_context_arrived() {
    let watched = Watched::new();
    let folder = watched.place.folder.path().join(".claude/projects/-work");
    fs::create_dir_all(&folder).unwrap();
    let boundary = json!({"type": "system", "subtype": "compact_boundary"}).to_string();
    let answer = json!({"type": "assistant", "message": {}}).to_string();
    // What the hook answers is what the agent notes in its transcript.
    let text = Watched::context(watched.hook("SessionStart", &json!({"source": "compact"})));
    let context = json!({"attachment": {"type": "hook_additional_context", "content": [text]}}).to_string();
    let first = fs::read_to_string(watched.file()).unwrap();
    let file = folder.join(format!("{ID}.jsonl"));
    fs::write(&file, [first.as_str(), &boundary, &context, &answer].join("\n")).unwrap();
    let shown = run(&mut watched.place.bare(&["watch", "--status"])).done();
    let own = "Throughline's module was not loaded: claude has compacted by itself";
    assert_eq!(shown, format!("Session claude:{ID}: compactions 1\n  1  context delivered\n{own}\n"));
    fs::write(
        &file,
        [first.as_str(), &boundary, &context, &answer, &boundary, &answer, &boundary].join("\n"),
    )
    .unwrap();
    let shown = run(&mut watched.place.bare(&["watch", "--status", "claude:5f1e"]));
    assert_eq!(shown.code, Some(1), "{shown:?}");
    assert_says(&shown.out, &["  1  context delivered", "  2  context not delivered", "  3  no answer yet"]);
    let wrong = run(&mut watched.place.bare(&["watch", "--status", "vi:1"])).misused();
    assert_says(&wrong, &["claude:ID"]);
}

// S1-15 S1-16
#[test]
fn the_context_is_refreshed_by_hand_and_the_list_shows_which_sessions_have_one() {
    let watched = Watched::new();
    let list = || run(&mut watched.place.bare(&["watch", "--list"]));
    assert_says(&list().failed(), &["there is no session of claude"]);
    let folder = watched.place.folder.path().join(".claude/projects/-work");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{ID}.jsonl"));
    fs::copy(watched.file(), &file).unwrap();
    let row = || list().done().lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    let claude = format!("claude:{ID}");
    let shown = row();
    assert!(shown.starts_with(&claude) && shown.ends_with(" - - Fix the parser."), "{shown}");
    let refresh = |args: &[&str]| {
        let ran = run(&mut watched.place.bare(&[&["watch", "--refresh"], args].concat()));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_says(&ran.err, &["2 messages of claude were stored in session claude-5f1e"]);
        ran.out
    };
    assert_says(
        &refresh(&[]),
        &["[Previous Session Context]\nCurrent task: Fix the parser.\n", "search_history"],
    );
    // Again, with what was written meanwhile.
    watched.transcript(&["Fix the parser.", "It expects a comma.", "Now test it.", "Tested."]);
    let grown = fs::read_to_string(watched.file()).unwrap();
    let boundary = json!({"type": "system", "subtype": "compact_boundary"}).to_string();
    fs::write(&file, [grown.as_str(), &boundary].join("\n")).unwrap();
    assert_says(&refresh(&["claude:5f1e"]), &["word for word:\nNow test it.\n"]);
    let shown = row();
    assert!(shown.ends_with(&format!(" claude-{ID} 0 of 1 Fix the parser.")), "{shown}");
    let wrong = run(&mut watched.place.bare(&["watch", "--refresh", "last"])).misused();
    assert_says(&wrong, &["claude:ID, codex:ID, opencode:ID or gemini:ID"]);
}

// S1-20
#[test]
fn deleting_a_watched_session_leaves_nothing_of_its_text_in_the_data_folder() {
    let watched = Watched::new();
    watched.transcript(&["Fix the quokkaparser.", "It expects a comma."]);
    let context = Watched::context(watched.hook("SessionStart", &json!({"source": "compact"})));
    assert_says(&context, &["Current task: Fix the quokkaparser.\n"]);
    let name = format!("claude-{ID}");
    let data = watched.place.folder.path().join(".local/share/throughline");
    let contexts = || {
        let raw = rusqlite::Connection::open(data.join("throughline.db")).unwrap();
        let count = raw.query_row("SELECT count(*) FROM session_contexts", [], |row| row.get::<_, i64>(0));
        count.unwrap()
    };
    assert_eq!(contexts(), 1);
    let holds = || {
        let (mut folders, mut found) = (vec![data.clone()], false);
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let bytes = fs::read(path).unwrap();
                    found |= bytes.windows(b"quokkaparser".len()).any(|bytes| bytes == b"quokkaparser");
                }
            }
        }
        found
    };
    assert!(holds(), "the session is stored");
    run(&mut watched.place.bare(&["sessions", "delete", &name, "--yes"])).done();
    assert!(!holds(), "the text is still in a file");
    assert_eq!(contexts(), 0);
    assert!(watched.file().exists(), "the transcript is the agent's");
    run(&mut watched.place.bare(&["export", &name])).failed();
}

#[test]
fn a_deleted_session_that_is_still_watched_stays_deleted_until_the_user_asks_for_it() {
    let watched = Watched::new();
    let folder = watched.place.folder.path().join(".claude/projects/-work");
    fs::create_dir_all(&folder).unwrap();
    let name = format!("claude-{ID}");
    let stored = || {
        let sessions = run(&mut watched.place.bare(&["sessions", "--json"])).json();
        sessions.as_array().unwrap().iter().filter(|one| one["session"] == name.as_str()).count()
    };
    let data = watched.place.folder.path().join(".local/share/throughline");
    let has_lock_file = || {
        let mut files = fs::read_dir(data.join("locks")).unwrap();
        files.any(|file| file.unwrap().file_name().to_str().unwrap().contains(ID))
    };
    watched.hook("Stop", &json!({})).done();
    assert!(stored() == 1 && has_lock_file());
    run(&mut watched.place.bare(&["sessions", "delete", &name, "--yes"])).done();
    watched.transcript(&["Fix the parser.", "It expects a comma.", "Now test it.", "Tested."]);
    fs::copy(watched.file(), folder.join(format!("{ID}.jsonl"))).unwrap();
    for (event, payload) in [("Stop", json!({})), ("SessionStart", json!({"source": "compact"}))] {
        assert_eq!(watched.hook(event, &payload).done(), "", "{event} answers nothing");
        assert_eq!(stored(), 0, "{event}");
    }
    let mark = fs::read_to_string(data.join("deleted-sessions.json")).unwrap();
    assert!(mark.contains(&name) && !mark.contains("parser"), "{mark}");
    assert!(!has_lock_file(), "no lock file comes back");
    assert_says(&run(&mut watched.place.bare(&["watch", "--list"])).done(), &["(deleted)"]);

    let again = run(&mut watched.place.bare(&["watch", "--refresh", "claude:5f1e"]));
    assert_says(&again.err, &["was deleted, and is stored again", "4 messages of claude were stored"]);
    assert_says(&again.out, &["word for word:\nNow test it.\n"]);
    // From now on the hooks store it again.
    watched.transcript(&[
        "Fix the parser.",
        "It expects a comma.",
        "Now test it.",
        "Tested.",
        "Ship it.",
        "Shipped.",
    ]);
    watched.hook("Stop", &json!({})).done();
    let sessions = run(&mut watched.place.bare(&["sessions", "--json"])).json();
    assert_eq!(sessions[0]["exchanges"], 3);
}

// S1-10 S1-11 S1-14
#[test]
fn each_restored_context_is_stored_with_its_session_and_exported_with_it() {
    let watched = Watched::new();
    let name = format!("claude-{ID}");
    let exported = || -> Vec<Value> {
        let ran = run(&mut watched.place.bare(&["export", &name]));
        let is_damaged = ran.out.contains(r#""damaged":"#);
        assert_eq!(ran.code, Some(i32::from(is_damaged)), "{ran:?}");
        let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter_map(|line| line.get("context").cloned()).collect()
    };
    let restore = |source: &str| Watched::context(watched.hook("SessionStart", &json!({"source": source})));
    let first = restore("compact");
    assert_eq!(restore("compact"), first, "nothing is new, so the stored one comes back");
    let contexts = exported();
    assert_eq!(contexts.len(), 1, "{contexts:?}");
    let context = &contexts[0];
    assert_eq!(
        (&context["sessionId"], &context["workerId"], &context["source"], &context["covers"]),
        (&json!(name), &json!("claude"), &json!("compaction"), &json!(3))
    );
    assert!(context["timestamp"].as_i64().unwrap() > 0);
    let summary = context["summary"].as_object().unwrap();
    assert_eq!(summary["currentTask"], "Fix the parser.");
    for list in ["completedSteps", "pendingSteps", "keyDecisions", "relevantFiles"] {
        assert!(summary[list].is_array(), "{list}: {summary:?}");
    }
    // What was logged since makes another one.
    watched.transcript(&["Fix the parser.", "It expects a comma.", "Now test it.", "Tested."]);
    assert_says(&restore("compact"), &["word for word:\nNow test it.\n"]);
    let covers: Vec<Value> = exported().iter().map(|context| context["covers"].clone()).collect();
    assert_eq!(covers, [3, 6]);
    let text = run(&mut watched.place.bare(&["export", "--text", &name])).done();
    assert_says(
        &text,
        &[
            "── context for claude · compaction · records 1 to 3 ──\n[Previous Session Context]",
            "records 1 to 6",
        ],
    );
    // One that cannot be read is named, and made again.
    let database = watched.place.folder.path().join(".local/share/throughline/throughline.db");
    let raw = rusqlite::Connection::open(&database).unwrap();
    assert_eq!(
        raw.execute("UPDATE session_contexts SET context = '{ half' WHERE covers = 6", []).unwrap(),
        1
    );
    assert!(exported()[1]["damaged"].is_string());
    assert_says(&restore("compact"), &["word for word:\nNow test it.\n"]);
    assert_eq!(exported()[1].get("damaged"), None);
    // A deleted turn leaves no context that quotes it, and a deleted session none at all.
    let count =
        || raw.query_row("SELECT count(*) FROM session_contexts", [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count(), 2);
    run(&mut watched.place.bare(&["messages", "remove", &name, "2", "--yes"])).done();
    assert_eq!(count(), 0);
}
