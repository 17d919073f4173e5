//! The audit of recordings, against dollars that are computed by hand.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::ran::{Ran, assert_says, run};

/// Dollars for a token of Claude Opus 4.5: input, read from the cache, written to it, written for an hour, output.
const INPUT: f64 = 5.0 / 1e6;
const READ: f64 = 0.5 / 1e6;
const WRITE: f64 = 6.25 / 1e6;
const HOUR: f64 = 10.0 / 1e6;
const OUTPUT: f64 = 25.0 / 1e6;

/// A session file of Claude Code in the making.
#[derive(Debug, Default)]
struct Log {
    lines: Vec<Value>,
    answers: usize,
}

/// What a provider reports: input, read, written, output.
type Reported = [u64; 4];

impl Log {
    fn push(&mut self, second: u64, mut line: Value) {
        let number = self.lines.len();
        let parent = number.checked_sub(1).map(|before| format!("u{before}"));
        line["uuid"] = json!(format!("u{number}"));
        line["parentUuid"] = json!(parent);
        line["sessionId"] = json!("5e55-audit");
        line["isSidechain"] = json!(false);
        line["timestamp"] = json!(format!("2026-01-08T10:{:02}:{:02}.000Z", second / 60, second % 60));
        self.lines.push(line);
    }

    fn user(&mut self, second: u64, content: &Value) {
        self.push(second, json!({"type": "user", "message": {"role": "user", "content": content}}));
    }

    fn answer(&mut self, second: u64, [input, read, written, output]: Reported, content: &Value) {
        self.answers += 1;
        let usage = json!({
            "input_tokens": input, "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written, "output_tokens": output,
        });
        let message = json!({
            "id": format!("m{}", self.answers), "role": "assistant", "model": "claude-opus-4-5-20251101",
            "content": content, "usage": usage,
        });
        self.push(second, json!({"type": "assistant", "message": message}));
    }

    /// A call that reads a file, with this result.
    fn read(&mut self, second: u64, reported: Reported, shown: &str) {
        let id = format!("t{}", self.answers);
        let call =
            json!({"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": "src/<main>.rs"}});
        self.answer(second, reported, &json!([call]));
        self.user(second + 1, &json!([{"type": "tool_result", "tool_use_id": id, "content": shown}]));
    }

    fn written(&self, folder: &TempDir) -> PathBuf {
        let path = folder.path().join("session.jsonl");
        let lines: Vec<String> = self.lines.iter().map(Value::to_string).collect();
        fs::write(&path, lines.join("\n")).unwrap();
        path
    }
}

/// Six requests, with each cause of cost at least once.
fn sample() -> Log {
    let file = "fn main() {}\n".repeat(200);
    let mut log = Log::default();
    log.user(0, &json!("Look at the file."));
    log.read(5, [10, 0, 20_000, 400], &file);
    log.read(10, [10, 20_000, 1_000, 300], &file);
    log.answer(15, [10, 21_000, 1_000, 200], &json!([{"type": "text", "text": "It is empty."}]));
    // Ten minutes later.
    log.user(615, &json!("Look again."));
    log.read(620, [10, 0, 23_000, 100], &file);
    log.read(625, [10, 5_000, 19_000, 100], &file);
    log.push(630, json!({"type": "system", "subtype": "compact_boundary"}));
    log.answer(640, [10, 5_000, 3_000, 500], &json!([{"type": "text", "text": "Still."}]));
    log
}

/// Audits with a home of its own, where nothing may be left.
#[track_caller]
fn audit(arguments: &[&str], files: &[&Path]) -> Ran {
    let home = TempDir::new().unwrap();
    let ran = run(command(home.path()).args(arguments).args(files));
    assert!(fs::read_dir(home.path()).unwrap().next().is_none(), "an audit leaves files");
    ran
}

fn command(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
    command.arg("audit").env("HOME", home).env("XDG_DATA_HOME", home).env("XDG_CONFIG_HOME", home);
    for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "PI_CODING_AGENT_DIR"] {
        command.env_remove(name);
    }
    command.env("TMPDIR", home);
    command
}

#[track_caller]
fn assert_near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() <= 0.01 * expected.abs() + 1e-12, "{found} instead of {expected}");
}

/// Dollars of this many of the tokens that a request wrote or sent uncached.
fn part(tokens: f64, input: f64, written: f64) -> f64 {
    tokens / (input + written) * (input * INPUT + written * WRITE)
}

#[test]
fn dollars_by_cause_are_those_computed_by_hand() {
    let folder = TempDir::new().unwrap();
    let report = audit(&["--json"], &[&sample().written(&folder)]).json();
    let causes = &report["totals"]["causes"];
    let dollars = |cause: &str| &causes[cause]["dollars"];
    // Prompts: 20,010, 21,010, 22,010, 23,010, 24,010; what is new is the growth.
    let new = part(20_010.0, 10.0, 20_000.0)
        + 2.0 * part(1_010.0, 10.0, 1_000.0)
        + part(1_000.0, 10.0, 23_000.0)
        + part(1_000.0, 10.0, 19_000.0);
    assert_near(dollars("new_text"), new);
    assert_near(dollars("cache_reads"), 51_000.0 * READ);
    assert_near(dollars("idle_restarts"), part(22_010.0, 10.0, 23_000.0));
    assert_near(dollars("prefix_changes"), part(18_010.0, 10.0, 19_000.0));
    assert_near(dollars("compactions"), part(3_010.0, 10.0, 3_000.0));
    assert_near(dollars("output"), 1_600.0 * OUTPUT);
    let all = 60.0 * INPUT + 51_000.0 * READ + 67_000.0 * WRITE + 1_600.0 * OUTPUT;
    assert_near(&report["totals"]["dollars"], all);
    let by_tool = |kind: &str| -> f64 {
        report["totals"]["tools"].as_array().unwrap().iter().map(|tool| tool[kind].as_f64().unwrap()).sum()
    };
    assert_near(&json!(by_tool("output") + by_tool("entered") + by_tool("downstream")), all);
}

#[test]
fn the_progress_bar_is_for_terminals() {
    let folder = TempDir::new().unwrap();
    let path = sample().written(&folder);
    for options in [&["--json"][..], &[]] {
        let ran = audit(options, &[&path]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    }
}

#[test]
fn what_was_written_for_an_hour_costs_more() {
    let folder = TempDir::new().unwrap();
    let mut log = Log::default();
    log.user(0, &json!("Say yes."));
    log.answer(5, [10, 0, 20_000, 400], &json!([{"type": "text", "text": "Yes."}]));
    let usage = &mut log.lines[1]["message"]["usage"];
    usage["cache_creation"] =
        json!({"ephemeral_5m_input_tokens": 5_000, "ephemeral_1h_input_tokens": 15_000});
    let report = audit(&["--json", "--no-policies"], &[&log.written(&folder)]).json();
    let all = 10.0 * INPUT + 5_000.0 * WRITE + 15_000.0 * HOUR + 400.0 * OUTPUT;
    assert_near(&report["totals"]["dollars"], all);
    assert_eq!(report["policies"], json!([]));
}

#[test]
fn compactions_reads_and_policies_of_a_session() {
    let folder = TempDir::new().unwrap();
    let report = audit(&["--json"], &[&sample().written(&folder)]).json();
    let session = &report["sessions"][0];
    assert_eq!(session["session"], "5e55-audit");
    assert_eq!(
        (session["estimated_inputs"].as_u64(), session["unpriced_requests"].as_u64()),
        (Some(0), Some(0))
    );
    let compaction = &session["compactions"][0];
    assert_eq!(compaction["request"], 6);
    assert_eq!((compaction["before"].as_u64(), compaction["after"].as_u64()), (Some(24_010), Some(8_010)));
    assert_near(&compaction["saved"], 16_000.0 * READ);
    assert_near(&compaction["summary_estimate"], 24_010.0 * READ + 2_000.0 * OUTPUT);
    let read = &session["repeated_reads"][0];
    assert_eq!(read["path"], "src/<main>.rs");
    // The result that came last was in no request before the compaction.
    assert_eq!((read["reads"].as_u64(), read["needless"].as_u64()), (Some(4), Some(2)));
    assert!(read["dollars"].as_f64() > Some(0.0));
    let policies: Vec<&str> =
        report["policies"].as_array().unwrap().iter().filter_map(|one| one["policy"].as_str()).collect();
    for name in ["throughline", "throughline lean", "dex", "off", "claude", "codex", "clairvoyant"] {
        assert!(policies.contains(&name), "{name} is not in {policies:?}");
    }
    assert_near(&report["baseline"]["recorded"], 60.0 * INPUT + 51_000.0 * READ + 67_000.0 * WRITE);
    let sentence = report["advice"]["sentence"].as_str().unwrap();
    let saves = report["advice"]["saves"].as_f64().unwrap();
    assert!(saves > 0.0 && sentence.contains('$') && sentence.ends_with('.'), "{sentence}");
}

#[test]
fn tables_fit_and_name_the_whole_session() {
    let folder = TempDir::new().unwrap();
    let out = audit(&[], &[&sample().written(&folder)]).done();
    assert_says(
        &out,
        &["5e55-audit", "idle restarts", "Recorded compactions", "src/<main>.rs", "clairvoyant", "lean"],
    );
    assert!(!out.contains('\u{1b}'));
    for line in out.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn what_has_no_usage_or_no_price_is_said_to_be_so() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/tests/fixtures");
    let out = audit(&[], &[&fixtures.join("swe-agent.traj")]).done();
    assert_says(
        &out,
        &["is an estimate: the log has no usage", "no price is known for a model without a name"],
    );
    let report = audit(&["--json"], &[&fixtures.join("swe-agent.traj")]).json();
    assert_eq!(report["totals"]["dollars"], 0.0);
    assert_eq!(report["totals"]["unpriced_requests"], report["totals"]["requests"]);
}

/// A file with this content.
fn written(folder: &TempDir, name: &str, content: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    path
}

// Written from the specification of ATIF 1.7: `prompt_tokens` include what was read from the cache and written to it.
#[test]
fn dollars_of_a_trajectory_are_those_computed_by_hand() {
    let folder = TempDir::new().unwrap();
    let call = json!({"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "ls"}});
    let document = json!({
        "schema_version": "ATIF-v1.7",
        "session_id": "trajectory",
        "agent": {"name": "a", "version": "1", "model_name": "claude-opus-4-5"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "Look.", "timestamp": "2026-01-08T10:00:00Z"},
            {"step_id": 2, "source": "agent", "message": "", "timestamp": "2026-01-08T10:00:05Z",
             "tool_calls": [call], "observation": {"results": [{"source_call_id": "c1", "content": "a.rs"}]},
             "metrics": {"prompt_tokens": 20_010, "completion_tokens": 400,
                         "extra": {"cache_creation_input_tokens": 20_000}}},
            {"step_id": 3, "source": "agent", "message": "One file.", "timestamp": "2026-01-08T10:00:09Z",
             "metrics": {"prompt_tokens": 21_010, "completion_tokens": 300, "cached_tokens": 20_000,
                         "extra": {"cache_creation_input_tokens": 1_000}}},
        ],
    });
    let path = written(&folder, "trajectory.json", &document.to_string());
    let report = audit(&["--json"], &[&path]).json();
    let all = 20.0 * INPUT + 20_000.0 * READ + 21_000.0 * WRITE + 700.0 * OUTPUT;
    assert_near(&report["totals"]["dollars"], all);
    assert_eq!(
        (&report["sessions"][0]["format"], &report["totals"]["estimated_inputs"]),
        (&json!("atif"), &json!(0))
    );
}

// Written from the types of events of Copilot's SDK: what is stored has the output of each answer, not its input.
#[test]
fn the_output_that_copilot_recorded_is_no_estimate() {
    let folder = TempDir::new().unwrap();
    let events = [
        json!({"type": "session.start", "id": "1", "timestamp": "2026-01-08T10:00:00Z",
               "data": {"sessionId": "of-copilot", "selectedModel": "claude-opus-4-5"}}),
        json!({"type": "user.message", "id": "2", "timestamp": "2026-01-08T10:00:01Z", "data": {"content": "Hi."}}),
        json!({"type": "assistant.message", "id": "3", "timestamp": "2026-01-08T10:00:02Z",
               "data": {"messageId": "m", "content": "Hello.", "outputTokens": 4_000}}),
    ];
    let lines = events.map(|event| event.to_string());
    let path = written(&folder, "events.jsonl", &format!("{}\nnonsense\n", lines.join("\n")));
    let ran = audit(&["--json"], &[&path]);
    assert_says(&ran.err, &["events.jsonl, line 4: left out, it cannot be read"]);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_near(&report["totals"]["causes"]["output"]["dollars"], 4_000.0 * OUTPUT);
    let totals = &report["totals"];
    assert_eq!((&totals["estimated_inputs"], &totals["estimated_outputs"]), (&json!(1), &json!(0)));
    let help = run(command(folder.path()).arg("--help")).done();
    assert_says(&help, &["Copilot CLI", "ATIF"]);
}

#[test]
fn sessions_of_this_machine_are_found() {
    let home = TempDir::new().unwrap();
    let project = home.path().join(".claude/projects/-a");
    fs::create_dir_all(&project).unwrap();
    let folder = TempDir::new().unwrap();
    let name = "0a1b2c3d-0000-4000-8000-000000000000.jsonl";
    fs::copy(sample().written(&folder), project.join(name)).unwrap();
    let report = run(command(home.path()).args(["--claude", "--json", "--no-policies"])).json();
    assert_eq!(report["sessions"][0]["requests"], 6);
    let events = [
        json!({"type": "session.start", "data": {"sessionId": "of-copilot", "selectedModel": "claude-opus-4-5"}}),
        json!({"type": "user.message", "data": {"content": "Hi."}}),
        json!({"type": "assistant.message", "data": {"messageId": "m", "content": "Hello.", "outputTokens": 4}}),
    ];
    let copilot = home.path().join(".copilot/session-state/of-copilot");
    fs::create_dir_all(copilot.with_file_name("empty")).unwrap();
    fs::create_dir_all(&copilot).unwrap();
    fs::write(copilot.join("events.jsonl"), events.map(|event| event.to_string()).join("\n")).unwrap();
    // A session that was opened and never used is left out.
    fs::write(
        copilot.with_file_name("empty").join("events.jsonl"),
        format!(
            "{}\n",
            json!({"type": "session.start",
        "data": {"sessionId": "empty"}})
        ),
    )
    .unwrap();
    let report = run(command(home.path()).args(["--copilot", "--json", "--no-policies"])).json();
    assert_eq!(report["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(report["sessions"][0]["session"], "of-copilot");
    let pi = [
        json!({"type": "session", "version": 3, "id": "of-pi", "cwd": "/a", "modelId": "claude-opus-4-5"}),
        json!({"type": "message", "message": {"role": "user", "content": "Hi."}}),
        json!({"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "Hello."}]}}),
    ];
    let sessions = home.path().join("agent/sessions/--a--");
    fs::create_dir_all(&sessions).unwrap();
    let name = "2026-01-08T10-00-00-000Z_0a1b2c3d-0000-4000-8000-000000000000.jsonl";
    fs::write(sessions.join(name), pi.map(|entry| entry.to_string()).join("\n")).unwrap();
    let mut of_pi = command(home.path());
    of_pi.env("PI_CODING_AGENT_DIR", home.path().join("agent"));
    let report = run(of_pi.args(["--pi", "--json", "--no-policies"])).json();
    assert_eq!(report["sessions"][0]["session"], "of-pi");
    let gemini = [
        json!({"sessionId": "of-gemini", "projectHash": "h", "kind": "main"}),
        json!({"id": "u", "type": "user", "content": [{"text": "Hi."}]}),
        json!({"id": "g", "type": "gemini", "content": "Hello.", "model": "gemini-2.5-pro"}),
    ];
    let chats = home.path().join(".gemini/tmp/a/chats");
    fs::create_dir_all(&chats).unwrap();
    fs::write(chats.join("session-1.jsonl"), gemini.map(|entry| entry.to_string()).join("\n")).unwrap();
    let report = run(command(home.path()).args(["--gemini", "--json", "--no-policies"])).json();
    assert_eq!(report["sessions"][0]["session"], "of-gemini");
    let line = run(command(home.path()).arg("--codex")).misused();
    assert_says(&line, &["there is no session of codex on this machine"]);
    run(&mut command(home.path())).misused();
}

#[test]
fn sessions_of_opencode_are_those_that_it_lists_and_exports() {
    let home = TempDir::new().unwrap();
    let program = home.path().join("opencode");
    let script = r#"#!/bin/sh
[ "$*" = "session list --format json --max-count 2" ] && exec cat "$HOME/list.json"
[ "$1 $2" = "export ses_new" ] && exec cat "$HOME/export.json"
exit 1
"#;
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let audited = || {
        let mut command = command(home.path());
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", home.path().display()));
        command.args(["--opencode", "--newest", "2", "--json", "--no-policies"]);
        run(&mut command)
    };
    fs::write(home.path().join("list.json"), "").unwrap();
    assert_says(&audited().misused(), &["opencode has no session of this project"]);
    let list = json!([{"id": "ses_new", "title": "a"}, {"id": "--help", "title": "b"}]);
    fs::write(home.path().join("list.json"), list.to_string()).unwrap();
    let message = |role: &str, text: &str| {
        json!({"info": {"id": role, "role": role, "sessionID": "ses_new", "modelID": "claude-opus-4-5"},
               "parts": [{"type": "text", "text": text}]})
    };
    let export = json!({"info": {"id": "ses_new"}, "messages": [message("user", "Hi."), message("assistant", "Hello.")]});
    fs::write(home.path().join("export.json"), export.to_string()).unwrap();
    let report = audited().json();
    assert_eq!(report["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(report["sessions"][0]["session"], "ses_new");
    fs::write(&program, "#!/bin/sh\nexit 1\n").unwrap();
    assert_says(&audited().failed(), &["`opencode session list` failed"]);
}

#[test]
fn copies_count_once_and_branches_and_subagents_count() {
    let home = TempDir::new().unwrap();
    let project = home.path().join(".claude/projects/-work");
    fs::create_dir_all(project.join("5e55-audit/subagents")).unwrap();
    let save = |name: &str, lines: &[Value]| {
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        let path = project.join(name);
        fs::write(&path, lines.join("\n")).unwrap();
        path
    };
    let whole = sample();
    let base = save("5e55-audit.jsonl", &whole.lines);
    // A fork has the lines of its parent, and one answer of its own.
    let mut fork = sample();
    fork.user(700, &json!("Continue elsewhere."));
    fork.answer(705, [10, 8_000, 500, 40], &json!([{"type": "text", "text": "Elsewhere."}]));
    fork.lines.iter_mut().for_each(|line| line["sessionId"] = json!("f04c"));
    let fork = save("f04c.jsonl", &fork.lines);
    let report = audit(&["--json", "--no-policies"], &[&base, &fork, &base]).json();
    let requests: Vec<&Value> =
        report["sessions"].as_array().unwrap().iter().map(|one| &one["requests"]).collect();
    assert_eq!(requests, [6, 1, 0]);
    assert_eq!((&report["totals"]["requests"], &report["totals"]["copied"]), (&json!(7), &json!(12)));
    let alone = audit(&["--json", "--no-policies"], &[&base]).json();
    let own = 10.0 * INPUT + 8_000.0 * READ + 500.0 * WRITE + 40.0 * OUTPUT;
    assert_near(&report["totals"]["dollars"], alone["totals"]["dollars"].as_f64().unwrap() + own);
    fs::remove_file(fork).unwrap();

    // The user goes back to the first answer, and a subagent has worked.
    let mut rewound = sample();
    rewound.user(700, &json!("Instead, look there."));
    rewound.lines.last_mut().unwrap()["parentUuid"] = json!("u5");
    rewound.answer(705, [10, 8_000, 500, 40], &json!([{"type": "text", "text": "Better."}]));
    save("5e55-audit.jsonl", &rewound.lines);
    let mut subagent = Log::default();
    subagent.user(0, &json!("Find it."));
    subagent.answer(5, [10, 0, 9_000, 60], &json!([{"type": "text", "text": "Found."}]));
    for line in &mut subagent.lines {
        (line["isSidechain"], line["agentId"]) = (json!(true), json!("a7"));
        if let Some(id) = line.pointer_mut("/message/id") {
            *id = json!("m-sub");
        }
    }
    save("5e55-audit/subagents/agent-a7.jsonl", &subagent.lines);
    let report = run(command(home.path()).args(["--claude", "--json", "--no-policies"])).json();
    let found: Vec<[&Value; 3]> = report["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| [&one["session"], &one["part"], &one["requests"]])
        .collect();
    assert_eq!(
        json!(found),
        json!([["5e55-audit", "conversation", 4], ["5e55-audit", "rewound", 3], ["agent-a7", "subagent", 1]])
    );
    let cost = 10.0 * INPUT + 9_000.0 * WRITE + 60.0 * OUTPUT;
    assert_near(&report["sessions"][2]["dollars"], cost);
    let text = run(command(home.path()).args(["--claude", "--no-policies"])).done();
    assert_says(&text, &["agent-a7, a subagent of 5e55-audit", "5e55-audit, a branch that was rewound"]);
}

#[test]
fn answers_that_no_turn_shows_were_paid_and_count() {
    let mut log = Log::default();
    log.user(0, &json!("Fix the parser."));
    // The user has stopped the model while it was thinking.
    log.answer(
        5,
        [1_000, 100_000, 0, 500],
        &json!([{"type": "thinking", "thinking": "Well.", "signature": "c2ln"}]),
    );
    log.user(6, &json!("[Request interrupted by user]"));
    log.user(10, &json!("Continue."));
    log.answer(15, [1_000, 110_000, 0, 100], &json!([{"type": "text", "text": "Part one."}]));
    log.answer(20, [1_000, 120_000, 0, 100], &json!([{"type": "text", "text": "Part two."}]));
    log.user(25, &json!("More."));
    log.answer(30, [1_000, 130_000, 0, 100], &json!([{"type": "text", "text": "Part three."}]));
    let (_folder, file) = saved(&log);
    let totals = audit(&["--json", "--no-policies"], &[&file]).json()["totals"].clone();
    assert_eq!((&totals["requests"], &totals["unshown"]), (&json!(4), &json!(2)));
    assert_near(&totals["dollars"], 4_000.0 * INPUT + 460_000.0 * READ + 800.0 * OUTPUT);
    let text = audit(&["--no-policies"], &[&file]).done();
    assert_says(&text, &["2 answers are in no turn"]);
}

#[test]
fn a_compaction_that_throughline_has_answered_has_no_summary_to_pay() {
    let mut log = Log::default();
    log.user(0, &json!("Look at the file."));
    log.read(5, [10, 0, 50_000, 400], "fn main() {}");
    log.push(10, json!({"type": "system", "subtype": "compact_boundary"}));
    log.user(9, &json!("[Previous Session Context]\nCurrent task: Look at the file.\n"));
    log.answer(15, [10, 5_000, 3_000, 100], &json!([{"type": "text", "text": "It is empty."}]));
    let (_folder, file) = saved(&log);
    let session = audit(&["--json", "--no-policies"], &[&file]).json()["sessions"][0].clone();
    assert_eq!(session["compactions"][0]["before"], 50_010);
    assert_near(&session["compactions"][0]["summary_estimate"], 0.0);
}

#[test]
fn the_name_of_a_model_moves_no_cursor() {
    let mut log = sample();
    for line in &mut log.lines {
        if let Some(model) = line.pointer_mut("/message/model") {
            *model = json!("unknown\u{1b}]0;title\u{7}\u{1b}[31m");
        }
    }
    let (_folder, file) = saved(&log);
    let text = audit(&["--no-policies"], &[&file]).done();
    assert!(text.contains("unknown") && !text.contains(['\u{1b}', '\u{7}']), "{text:?}");
}

/// A session file in a folder of its own.
fn saved(log: &Log) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let lines: Vec<String> = log.lines.iter().map(Value::to_string).collect();
    let file = written(&folder, "5e55-audit.jsonl", &lines.join("\n"));
    (folder, file)
}

#[test]
fn a_file_that_cannot_be_read_leaves_the_others() {
    let folder = TempDir::new().unwrap();
    let good = sample().written(&folder);
    let bad = folder.path().join("bad.jsonl");
    fs::write(&bad, "{}").unwrap();
    let ran = audit(&["--json", "--no-policies"], &[&bad, &good]);
    assert_eq!(ran.code, Some(1));
    assert_says(&ran.err, &["bad.jsonl"]);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["totals"]["requests"], 6);
}

#[test]
fn a_row_for_each_request() {
    let folder = TempDir::new().unwrap();
    let csv = folder.path().join("requests.csv");
    let mut log = sample();
    log.lines.iter_mut().for_each(|line| line["sessionId"] = json!("=1+\"1\",2"));
    audit(&["--no-policies", "--csv", csv.to_str().unwrap()], &[&log.written(&folder)]).done();
    let written = fs::read_to_string(&csv).unwrap();
    let rows: Vec<&str> = written.split_terminator("\r\n").collect();
    assert_eq!(rows.len(), 7);
    assert!(rows[0].starts_with("session,format,request,turn,step,asked_at,"));
    // What a spreadsheet would run is quoted.
    let first = "\"'=1+\"\"1\"\",2\",claude-code,1,1,1,2026-01-08T10:00:00";
    assert!(rows[1].starts_with(first), "{}", rows[1]);
    let sum: f64 = rows[1..].iter().map(|row| row.rsplit(',').next().unwrap().parse::<f64>().unwrap()).sum();
    assert_near(&json!(sum), 60.0 * INPUT + 51_000.0 * READ + 67_000.0 * WRITE + 1_600.0 * OUTPUT);
}

#[test]
fn a_page_that_needs_nothing_and_runs_nothing() {
    let folder = TempDir::new().unwrap();
    let html = folder.path().join("audit.html");
    let mut log = sample();
    log.lines.iter_mut().for_each(|line| line["sessionId"] = json!("<script>alert('x')</script>"));
    audit(&["--html", html.to_str().unwrap()], &[&log.written(&folder)]).done();
    let page = fs::read_to_string(&html).unwrap();
    assert_says(
        &page,
        &[
            "default-src 'none'; style-src 'unsafe-inline'",
            "prefers-color-scheme: dark",
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;",
            "src/&lt;main&gt;.rs",
            "aria-label=\"Cost by cause\"",
            "aria-label=\"Window over time\"",
            "aria-label=\"Policies: cost against regret\"",
            "throughline lean",
        ],
    );
    for forbidden in ["<script", "src=", "href=", "url(", "@import", "style=\"", "NaN", "inf"] {
        assert!(!page.contains(forbidden), "{forbidden} is in the page");
    }
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn a_recording_is_never_written_over() {
    let folder = TempDir::new().unwrap();
    let path = sample().written(&folder);
    let before = fs::read(&path).unwrap();
    let same = path.to_str().unwrap();
    assert_says(&audit(&["--csv", same], &[&path]).misused(), &["is a recording"]);
    assert_says(&audit(&["--csv", "a", "--html", "a"], &[&path]).misused(), &["the same file"]);
    let missing = folder.path().join("no/such/folder.html");
    let line = audit(&["--no-policies", "--html", missing.to_str().unwrap()], &[&path]).failed();
    assert_says(&line, &["could not write", "folder.html"]);
    assert_eq!(fs::read(&path).unwrap(), before);
}
