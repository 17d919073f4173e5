//! `throughline watch --offload`: large results are stored and replaced, and what the agent has not taken is not counted.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::lived::wait;
use crate::mcp::Agent;
use crate::place::Place;
use crate::ran::{Ran, assert_says, run};

const ID: &str = "5f1e1f54-aaaa-4a60-a551-14b836a1ad82";

/// Payloads as the agents write them, with places for what differs between runs.
const CLAUDE_BASH: &str = include_str!("../../../watch/recordings/hooks/claude_bash.json");
const CLAUDE_BASH_PERSISTED: &str =
    include_str!("../../../watch/recordings/hooks/claude_bash_persisted.json");
const CLAUDE_GREP: &str = include_str!("../../../watch/recordings/hooks/claude_grep.json");
const CLAUDE_READ: &str = include_str!("../../../watch/recordings/hooks/claude_read.json");
const CLAUDE_MCP: &str = include_str!("../../../watch/recordings/hooks/claude_mcp.json");
const CODEX_BASH: &str = include_str!("../../../watch/recordings/hooks/codex_bash.json");
const OPENCODE_BASH: &str = include_str!("../../../watch/recordings/hooks/opencode_bash.json");

/// Numbers up to 4000, one on a line: 18,893 bytes.
fn numbers(last: u32) -> String {
    (1..=last).map(|number| format!("{number}\n")).collect()
}

struct Watched {
    place: Place,
}

impl Watched {
    /// A place in which Claude Code has begun a session.
    fn new() -> Self {
        let watched = Self { place: Place::new() };
        fs::create_dir_all(watched.file().parent().unwrap()).unwrap();
        watched.transcript(&[]);
        watched
    }

    fn file(&self) -> PathBuf {
        self.place.folder.path().join(format!(".claude/projects/-work/{ID}.jsonl"))
    }

    /// Writes a session with these calls and results, and more lines after them.
    fn transcript_with(&self, results: &[(&str, &str, &str)], more: &[Value]) {
        let work = self.place.work().canonicalize().unwrap();
        let mut lines = vec![("user", json!({"role": "user", "content": "Count."}))];
        for (call, tool, text) in results {
            let used =
                json!([{"type": "tool_use", "id": call, "name": tool, "input": {"command": "seq 1 4000"}}]);
            lines.push(("assistant", json!({"id": call, "role": "assistant", "content": used})));
            let result = json!([{"type": "tool_result", "tool_use_id": call, "content": text}]);
            lines.push(("user", json!({"role": "user", "content": result})));
        }
        lines.push((
            "assistant",
            json!({"id": "end", "role": "assistant", "content": [{"type": "text", "text": "Done."}]}),
        ));
        let line = |(number, (kind, message)): (usize, &(&str, Value))| {
            let parent = number.checked_sub(1).map(|before| format!("u{before}"));
            json!({"type": kind, "uuid": format!("u{number}"), "parentUuid": parent, "sessionId": ID, "cwd": work, "message": message})
                .to_string()
        };
        let mut all: Vec<String> = lines.iter().enumerate().map(line).collect();
        all.extend(more.iter().map(Value::to_string));
        fs::write(self.file(), all.join("\n") + "\n").unwrap();
    }

    fn transcript(&self, results: &[(&str, &str, &str)]) {
        self.transcript_with(results, &[]);
    }

    /// A payload with this text as the result.
    fn payload(&self, fixture: &str, session: &str, text: &str) -> String {
        let quoted = Value::from(text).to_string();
        fixture
            .replace("{{transcript}}", self.file().to_str().unwrap())
            .replace("{{session}}", session)
            .replace("{{work}}", self.place.work().canonicalize().unwrap().to_str().unwrap())
            .replace("\"{{text}}\"", &quoted)
    }

    /// Runs the hook as an agent does. It never fails and never complains.
    fn hook(&self, agent: &str, payload: &str) -> Option<Value> {
        let ran = given(&mut self.place.bare(&["watch", "--hook", agent]), payload);
        let out = ran.done();
        (!out.is_empty()).then(|| serde_json::from_str(&out).unwrap())
    }

    fn claude(&self, fixture: &str, text: &str) -> Option<Value> {
        let answer = self.hook("claude", &self.payload(fixture, ID, text))?;
        assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "PostToolUse");
        Some(answer["hookSpecificOutput"]["updatedToolOutput"].clone())
    }

    fn status(&self, name: &str) -> Ran {
        run(&mut self.place.bare(&["watch", "--status", name]))
    }

    /// The whole result of a reference, page by page, as an agent reads it by MCP.
    fn read_back(&self, reference: &str) -> String {
        let folder = self.place.work();
        wait(async {
            let agent = Agent::in_folder(&self.place, &folder, &[]).await;
            let (mut text, mut offset) = (String::new(), 0);
            loop {
                let input = json!({"ref_id": reference, "offset": offset, "limit": 16_384});
                let page = agent.answer("read_result", input).await;
                let (head, content) = page.split_once('\n').unwrap();
                text.push_str(content);
                match head.split_once("next offset=") {
                    Some((_, next)) => offset = next.trim_end_matches(']').parse().unwrap(),
                    None => break,
                }
            }
            agent.servers.close().await;
            text
        })
    }
}

fn given(command: &mut Command, input: &str) -> Ran {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn reference(preview: &str) -> &str {
    preview.split_once("ref_id=\"").unwrap().1.split('"').next().unwrap()
}

#[test]
fn a_large_result_is_replaced_in_its_own_form_and_read_back_whole() {
    let watched = Watched::new();
    let whole = numbers(4_000);
    let bash = watched.claude(CLAUDE_BASH, &whole).unwrap();
    let preview = bash["stdout"].as_str().unwrap();
    assert_says(
        preview,
        &["[Tool result stored — 18,893 bytes from \"Bash\".\n1\n2\n", "4000\n]\n", "read_result"],
    );
    assert!(preview.len() < whole.len() / 2 + 500, "{} bytes", preview.len());
    assert_eq!(bash, json!({"stdout": preview, "stderr": "", "interrupted": false, "isImage": false}));
    assert_eq!(watched.read_back(reference(preview)), whole);

    let grep = watched.claude(CLAUDE_GREP, &whole).unwrap();
    assert_eq!((&grep["mode"], &grep["numLines"]), (&json!("content"), &json!(4_000)));
    assert_eq!(
        reference(grep["content"].as_str().unwrap()),
        reference(preview),
        "equal results are stored once"
    );
    let mcp = watched.claude(CLAUDE_MCP, &numbers(3_999)).unwrap();
    assert_eq!(mcp[0]["type"], "text");
    assert_eq!(watched.read_back(reference(mcp[0]["text"].as_str().unwrap())), numbers(3_999));
}

#[test]
fn small_results_files_and_what_the_agent_has_stored_itself_stay_whole() {
    let watched = Watched::new();
    let whole = numbers(4_000);
    assert_eq!(watched.claude(CLAUDE_BASH, "12\n"), None);
    assert_eq!(watched.claude(CLAUDE_BASH, &numbers(2_000)), None, "below the limit");
    assert_eq!(watched.claude(CLAUDE_READ, &whole), None, "an edit needs it");
    assert_eq!(watched.claude(CLAUDE_BASH_PERSISTED, &whole), None, "claude shows less of it");
    let shown = CLAUDE_BASH.replace("\"seq 1 4000\"", "\"cat src/parser.rs\"");
    assert_eq!(watched.claude(&shown, &whole), None, "a command that shows a file");
    assert!(!watched.place.folder.path().join(".local").exists(), "nothing is opened for them");
    // The limit is the user's.
    let config = watched.place.folder.path().join(".config/throughline");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), "[agent]\nresult_offload_threshold = 40000\n").unwrap();
    assert_eq!(watched.claude(CLAUDE_BASH, &whole), None);
}

#[test]
fn codex_gets_the_preview_as_a_reason_and_opencode_as_the_output() {
    let watched = Watched::new();
    let id = "01a20f36-3375-79c1-9aaa-88594783aa40";
    // Codex has cut it to 10,000 characters.
    let cut = numbers(2_200);
    let answer = watched.hook("codex", &watched.payload(CODEX_BASH, id, &cut)).unwrap();
    let reason = answer["reason"].as_str().unwrap();
    assert_eq!(answer, json!({"decision": "block", "reason": reason}));
    assert!(reason.len() < 9_000 && reason.len() < cut.len() * 3 / 4, "{} bytes", reason.len());
    assert_eq!(watched.read_back(reference(reason)), cut);
    let file = CODEX_BASH.replace("seq 1 4000", "sed -n 1,400p src/parser.rs");
    assert_eq!(watched.hook("codex", &watched.payload(&file, id, &cut)), None, "an edit needs it");

    let whole = numbers(4_000);
    let payload = watched.payload(OPENCODE_BASH, "ses_df2a2ad78ffeyvDBFO20QC6Rqv", &whole);
    let answer = watched.hook("opencode", &payload).unwrap();
    let shown = answer["hookSpecificOutput"]["updatedToolOutput"].as_str().unwrap();
    assert_eq!(watched.read_back(reference(shown)), whole);
    let mcp = payload.replace("\"bash\"", "\"mini_big\"");
    assert_eq!(watched.hook("opencode", &mcp), None, "only tools of its own answer with a text");
}

#[test]
fn the_status_counts_what_the_agent_has_taken_and_names_what_it_has_not() {
    let watched = Watched::new();
    let whole = numbers(4_000);
    let bash = watched.claude(CLAUDE_BASH, &whole).unwrap();
    watched.claude(CLAUDE_GREP, &whole).unwrap();
    watched.claude(CLAUDE_MCP, &whole).unwrap();
    let preview = bash["stdout"].as_str().unwrap();
    let refusal = "PostToolUse hook returned updatedToolOutput that does not match mcp__mini__big's output shape; using original output. []";
    let notes = [
        json!({"type": "attachment", "attachment": {"type": "hook_error_during_execution", "content": refusal, "toolUseID": "toolu_3"}}),
        json!({"type": "system", "subtype": "compact_boundary"}),
        json!({"type": "user", "isCompactSummary": true, "message": {"role": "user", "content": "They count."}}),
        json!({"type": "attachment", "attachment": {"type": "file", "filename": "/w/a.txt", "content": {"type": "text"}}}),
    ];
    watched.transcript_with(
        &[
            ("toolu_0", "Bash", preview),
            ("toolu_1", "Grep", "No files found"),
            ("toolu_3", "mcp__mini__big", &whole),
        ],
        &notes,
    );
    let shown = watched.status("").done();
    let parts = [
        "Results offloaded: 1; ",
        " tokens saved (estimated); not taken by the agent: 2\n",
        "not taken, and not saved: Grep toolu_1: the session has the result without it\n",
        "not taken, and not saved: mcp__mini__big toolu_3: PostToolUse hook returned updatedToolOutput",
        "read again from disk after a compaction: 1; it shows the originals",
    ];
    assert_says(&shown, &parts);
    let saved = shown.split_once("offloaded: 1; ").unwrap().1.split(" tokens").next().unwrap();
    let saved: u64 = saved.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap();
    assert!((500..whole.len() as u64 / 2).contains(&saved), "{saved}");
    // A call that is not in the transcript counts as neither.
    watched.transcript(&[("toolu_0", "Bash", preview)]);
    let shown = watched.status("claude:5f1e").done();
    assert_says(&shown, &["Results offloaded: 1; ", "by the agent: 0\n", "and not counted: 2\n"]);
}

#[test]
fn what_was_offloaded_stays_when_the_transcript_is_stored_and_stored_again() {
    let watched = Watched::new();
    let whole = numbers(4_000);
    let bash = watched.claude(CLAUDE_BASH, &whole).unwrap();
    let preview = bash["stdout"].as_str().unwrap();
    let stop =
        json!({"session_id": ID, "transcript_path": watched.file(), "hook_event_name": "Stop"}).to_string();
    watched.transcript(&[("toolu_0", "Bash", preview)]);
    assert_eq!(watched.hook("claude", &stop), None);
    // The last answer was not complete when it was stored.
    watched.transcript_with(&[("toolu_0", "Bash", preview)], &[]);
    let grown = fs::read_to_string(watched.file()).unwrap().replace("\"Done.\"", "\"Done. Up to 4000.\"");
    fs::write(watched.file(), grown).unwrap();
    assert_eq!(watched.hook("claude", &stop), None);
    let name = format!("claude-{ID}");
    assert_says(
        &run(&mut watched.place.bare(&["export", &name])).done(),
        &["Up to 4000", reference(preview)],
    );
    assert_eq!(watched.read_back(reference(preview)), whole);
    let sessions = run(&mut watched.place.bare(&["sessions", "--json"])).json();
    assert_eq!((sessions.as_array().unwrap().len(), &sessions[0]["title"]), (1, &json!("Count.")));

    let file = watched.place.folder.path().join(format!(".local/share/throughline/offloads/{name}.json"));
    assert!(file.exists());
    run(&mut watched.place.bare(&["sessions", "delete", &name, "--yes"])).done();
    assert!(!file.exists());
    assert_eq!(watched.claude(CLAUDE_BASH, &whole), None, "a deleted session is not stored again");
}

#[test]
fn a_result_that_cannot_be_stored_stays_whole_and_the_status_says_why() {
    let watched = Watched::new();
    let whole = numbers(4_000);
    let data = watched.place.folder.path().join(".local/share/throughline");
    fs::create_dir_all(data.join("throughline.db")).unwrap();
    assert_eq!(watched.claude(CLAUDE_BASH, &whole), None);
    let unnamed = watched.payload(CLAUDE_BASH, "../../etc", &whole);
    assert_eq!(watched.hook("claude", &unnamed), None);
    let malformed = CLAUDE_BASH.replace("\"stderr\": \"\"", "\"stderr\": null");
    assert_eq!(watched.claude(&malformed, &whole), None);
    fs::remove_dir(data.join("throughline.db")).unwrap();
    let shown = watched.status("").done();
    assert_says(&shown, &["Results left whole because of failures: 1; the last one, of Bash: "]);
    let locks = data.join("offloads");
    assert_eq!(fs::read_dir(&locks).unwrap().count(), 2, "one file and its lock, and none outside");
    assert!(watched.claude(CLAUDE_BASH, &whole).is_some(), "the next one works");
}

#[test]
fn calls_that_end_together_are_all_stored() {
    let watched = Watched::new();
    let payloads: Vec<String> = (0..6)
        .map(|number| {
            let fixture = CLAUDE_BASH.replace("toolu_0", &format!("toolu_{number}"));
            watched.payload(&fixture, ID, &numbers(4_000 + number))
        })
        .collect();
    let answers: Vec<Option<Value>> = std::thread::scope(|scope| {
        let hooks: Vec<_> =
            payloads.iter().map(|payload| scope.spawn(|| watched.hook("claude", payload))).collect();
        hooks.into_iter().map(|hook| hook.join().unwrap()).collect()
    });
    assert!(answers.iter().all(Option::is_some), "{answers:?}");
    let file =
        watched.place.folder.path().join(format!(".local/share/throughline/offloads/claude-{ID}.json"));
    let noted: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!((noted["results"].as_array().unwrap().len(), &noted["failed"]), (6, &json!(0)));
}

/// The settings that the program `claude` gets.
fn settings(place: &Place, options: &[&str]) -> (Value, Value) {
    let program = place.folder.path().join("claude");
    fs::write(&program, "#!/bin/sh\nprintf '%s\\n' \"$@\" > arguments\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let all = [&["watch"], options, &["--", program.to_str().unwrap()]].concat();
    run(&mut place.bare(&all)).done();
    read_settings(&place.work().join("arguments"))
}

fn read_settings(arguments: &Path) -> (Value, Value) {
    let arguments = fs::read_to_string(arguments).unwrap();
    let after = |option: &str| {
        let value = arguments.lines().skip_while(|argument| *argument != option).nth(1).unwrap();
        serde_json::from_str::<Value>(value).unwrap()
    };
    (after("--settings"), after("--mcp-config"))
}

#[test]
fn it_is_off_until_a_flag_or_a_setting_asks_for_it() {
    let place = Place::new();
    let has = |options: &[&str]| {
        let (settings, servers) = settings(&place, options);
        let always = servers["mcpServers"]["throughline"]["alwaysLoad"] == true;
        let hook = settings["hooks"].get("PostToolUse").is_some();
        assert_eq!(always, hook);
        hook
    };
    assert!(!has(&[]));
    assert!(has(&["--offload"]));
    let config = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), "[watch]\noffload = true\n").unwrap();
    assert!(has(&[]));
    let wrong = run(&mut place.bare(&["watch", "--offload", "--", "/bin/true"])).misused();
    assert_says(&wrong, &["claude, codex and opencode"]);
    let alone = run(&mut place.bare(&["watch", "--offload"])).misused();
    assert_says(&alone, &["COMMAND"]);
}
