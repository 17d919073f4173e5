//! `throughline run --task`: iterations, gates and the ends of a task, with a scripted model and real tools.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_testserver::{Answer, ErrorKind, Script, Server};

use crate::ran::{Ran, assert_says, run};

/// A folder with a task file, a folder to work in, and a model that answers in order.
struct Stage {
    folder: TempDir,
    server: Server,
}

impl Stage {
    fn new(task: &str, answers: impl IntoIterator<Item = Answer>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        fs::write(folder.path().join("work/sum.txt"), "1 + 1 = 3\n").unwrap();
        fs::write(folder.path().join("task.md"), task).unwrap();
        let script = answers.into_iter().fold(Script::new(), Script::then);
        Self { folder, server: Server::start_at(script, 0).unwrap() }
    }

    fn work(&self, file: &str) -> PathBuf {
        self.folder.path().join("work").join(file)
    }

    fn bare(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.folder.path())
            .env("OLLAMA_HOST", "127.0.0.1:9")
            .env("ANTHROPIC_API_KEY", "sk-test-5f2a9c-canary")
            .current_dir(self.folder.path().join("work"));
        command
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.bare();
        command
            .args(["run", "--provider", "anthropic", "--model", "claude-sonnet-4-5", "--base-url"])
            .args([&self.server.url(), "--task", "../task.md"])
            .args(args);
        command
    }

    /// A run that ends with this code; what it printed last.
    #[track_caller]
    fn ends(&self, code: i32, args: &[&str]) -> Value {
        let mut all = vec!["-o", "json"];
        all.extend(args);
        let ran = run(&mut self.command(&all));
        assert_eq!(ran.code, Some(code), "{ran:?}");
        last_object(&ran)
    }

    /// The user's messages of the newest request, without results of tools.
    fn asked(&self) -> Vec<String> {
        let received = self.server.received();
        let body = &received.last().unwrap().body;
        assert!(received.iter().all(|request| request.faults.is_empty()), "{received:?}");
        let messages =
            body["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "user");
        let blocks = messages.flat_map(|message| message["content"].as_array().unwrap());
        blocks.filter_map(|block| block["text"].as_str()).map(str::to_owned).collect()
    }
}

fn last_object(ran: &Ran) -> Value {
    serde_json::from_str(ran.out.lines().last().unwrap_or_default()).unwrap_or_else(|_| panic!("{ran:?}"))
}

fn edit(id: &str, old: &str, new: &str) -> Answer {
    Answer::call(id, "edit_file", json!({"path": "sum.txt", "old_string": old, "new_string": new}))
}

const SUM: &str = "+++\ngates = [{ name = \"sum\", command = \"grep -q '= 2' sum.txt || { cat sum.txt; exit 7; }\" }, \"true\"]\n\
                   +++\n# Fix the sum\n\nThe file sum.txt is wrong.\n\n## Checklist\n- [ ] fix sum.txt\n- [x] look at it\n";

// S0-44
// C-02
#[test]
fn a_failing_gate_is_fixed_by_a_real_edit_and_then_the_task_is_done() {
    let stage = Stage::new(
        SUM,
        [
            Answer::text("I looked at it.\nSIGNAL:ITEM 1 in_progress"),
            Answer::text("It is right already.\nSIGNAL:ITEM 1 completed\nSIGNAL:DONE"),
            edit("c1", "= 3", "= 2"),
            Answer::text("Now it is right.\nSIGNAL:DONE"),
        ],
    );
    let printed = stage.ends(0, &[]);
    assert_eq!((&printed["outcome"], &printed["is_error"]), (&json!("done"), &json!(false)), "{printed}");
    assert_eq!(printed["text"], "Now it is right.\nSIGNAL:DONE");
    assert_eq!(printed["task"]["iterations"], 3, "an answer with a call counts");
    assert_eq!(printed["task"]["completed"], json!(["fix sum.txt", "look at it"]));
    assert_eq!(printed["task"]["gates"][0], json!({"name": "sum", "passed": true, "end": {"exit": 0}}));
    assert_eq!(fs::read_to_string(stage.work("sum.txt")).unwrap(), "1 + 1 = 2\n");

    let asked = stage.asked();
    assert_eq!(asked.len(), 3, "{asked:?}");
    assert_says(&asked[0], &["# Task: Fix the sum", "1. [ ] fix sum.txt", "## Maintaining Your Scratchpad"]);
    assert!(asked[1].starts_with("Iteration 2 of 50. Phase: builder.\n"), "{}", asked[1]);
    assert_says(&asked[2], &["QUALITY_FAILED: sum (exit 7)\n  1 + 1 = 3\nQUALITY_PASSED: true\n"]);

    // The program has written the prompts of the later iterations.
    let handoff = run(stage.bare().args(["handoff", "last", "--json"])).json();
    let requests = handoff["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert!(requests[0].as_str().unwrap().starts_with("# Task: Fix the sum\n"), "{requests:?}");
    assert_eq!(handoff["last_answer"], "Now it is right.\nSIGNAL:DONE");
    let checkpoints = run(stage.bare().args(["checkpoints", "last", "--json"])).done();
    assert!(!checkpoints.contains("Iteration 2 of"), "{checkpoints}");
}

// S0-44
#[test]
fn people_and_programs_see_the_iterations_and_the_gates() {
    let answers = || [edit("c1", "= 3", "= 2"), Answer::text("SIGNAL:ITEM 1 completed\nSIGNAL:DONE")];
    let ran = run(&mut Stage::new(SUM, answers()).command(&[]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "SIGNAL:ITEM 1 completed\nSIGNAL:DONE\n"), "{ran:?}");
    assert_says(
        &ran.err,
        &["— iteration 1 of 50 as builder, 1 item left\n", "→ edit_file", "gate QUALITY_PASSED: sum ["],
    );
    let ran = run(&mut Stage::new(SUM, answers()).command(&["-o", "stream-json"]));
    let objects: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| objects.iter().filter(|object| object["type"] == kind).collect::<Vec<_>>();
    assert_eq!(
        of("iteration"),
        [&json!({"type": "iteration", "iteration": 1, "most": 50, "hat": "builder", "remaining": 1})]
    );
    assert_eq!((of("gate").len(), &of("gate")[0]["passed"], of("result").len()), (2, &json!(true), 1));
}

// S0-44
// C-02
#[test]
fn limits_are_reported_by_code_and_text_and_a_resumed_task_continues_with_the_next_iteration() {
    let task = "+++\nmax_iterations = 2\n+++\n# Count\n\nA goal that is sent once.\n- [ ] one\n- [ ] two\n";
    let list = |id| Answer::call(id, "list_files", json!({}));
    let stage = Stage::new(
        task,
        [
            list("c1"),
            Answer::text("SIGNAL:ITEM 1 completed"),
            list("c2"),
            Answer::text("More."),
            Answer::text("SIGNAL:ITEM 2 completed\nSIGNAL:DONE"),
        ],
    );
    let printed = stage.ends(5, &[]);
    assert_eq!((&printed["outcome"], &printed["task"]["iterations"]), (&json!("max_iterations"), &json!(2)));
    assert_says(printed["error"].as_str().unwrap(), &["raise max_iterations"]);

    fs::write(stage.folder.path().join("task.md"), task.replace("= 2", "= 9")).unwrap();
    let session = printed["session"].as_str().unwrap();
    let again = stage.ends(0, &["--resume", session]);
    assert_eq!((&again["session"], &again["task"]["iterations"]), (&printed["session"], &json!(3)));
    let asked = stage.asked();
    assert_eq!(asked.iter().filter(|text| text.contains("A goal that is sent once.")).count(), 1);
    assert_says(
        &asked[2],
        &["Iteration 3 of 9.", "Continue working on: Count\nCurrent phase: builder\nNext step: two"],
    );

    // What is done stays done, without a request.
    let requests = stage.server.received().len();
    let last = stage.ends(0, &["-c"]);
    assert_eq!((&last["outcome"], stage.server.received().len()), (&json!("done"), requests));
}

// C-02
#[test]
fn the_number_of_requests_is_limited_over_all_turns() {
    let list = |id| Answer::call(id, "list_files", json!({}));
    let answers = [list("c1"), Answer::text("One."), list("c2"), list("c3"), list("c4")];
    let stage = Stage::new("# T\ngoal", answers);
    let printed = stage.ends(5, &["--max-turns", "3"]);
    assert_eq!((&printed["outcome"], &printed["requests"]), (&json!("limit"), &json!(3)), "{printed}");
    assert_eq!(stage.server.received().len(), 3);

    // Begun again, it names the session that has not finished.
    let session = printed["session"].as_str().unwrap();
    let again = run(&mut stage.command(&["--max-turns", "1"]));
    assert_says(
        &again.err,
        &[&format!("session {session} has not finished this task"), &format!("--resume {session}")],
    );
}

// C-02
#[test]
fn a_task_ends_when_its_time_is_over_in_the_middle_of_a_command_or_a_gate() {
    let sleep = Answer::call("c1", "shell", json!({"command": "sleep 60"}));
    let started = Instant::now();
    let printed = Stage::new("+++\nmax_time = \"1s\"\n+++\n# T\ngoal", [sleep]).ends(5, &[]);
    assert_eq!(
        (&printed["outcome"], &printed["task"]["iterations"]),
        (&json!("max_time"), &json!(1)),
        "{printed}"
    );

    let gate = "+++\nmax_time = \"1s\"\ngates = [\"sleep 60\"]\n+++\n# T\ngoal";
    let printed = Stage::new(gate, [Answer::text("SIGNAL:DONE")]).ends(5, &[]);
    assert_eq!(printed["outcome"], "max_time", "{printed}");
    assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
}

// S0-44
#[test]
fn a_gate_that_takes_too_long_fails_with_all_its_processes() {
    let gate = "+++\ngates = [{ name = \"slow\", command = \"(sleep 3; touch late) & echo begun; sleep 60\", timeout = \"1s\" }]\n\
                +++\n# T\ngoal";
    let stage = Stage::new(gate, [Answer::text("SIGNAL:DONE"), Answer::text("SIGNAL:BLOCKED it is slow")]);
    let printed = stage.ends(1, &[]);
    assert_eq!(printed["outcome"], "blocked", "{printed}");
    assert_says(&stage.asked()[1], &["QUALITY_FAILED: slow (timed out after 1s)\n  begun\n"]);
    std::thread::sleep(Duration::from_secs(4));
    assert!(!stage.work("late").exists(), "a process of the gate outlived it");
}

// S0-44
// C-02
#[test]
fn a_task_that_cannot_continue_says_why() {
    let stage = Stage::new("# T\ngoal", [Answer::text("SIGNAL:BLOCKED the server is down")]);
    let ran = run(&mut stage.command(&[]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_says(&ran.err, &["error: the task is blocked: the server is down", "--task ../task.md"]);

    let malformed = (0..3).map(|_| Answer::text("SIGNAL:FINISHED"));
    assert_eq!(Stage::new("# T\ngoal", malformed).ends(1, &[])["outcome"], "malformed");
    let idle = (0..3).map(|n| Answer::text(&format!("I think about it ({n}).")));
    assert_eq!(Stage::new("# T\ngoal", idle).ends(5, &[])["outcome"], "stalled");
}

// C-02
#[test]
fn a_call_that_is_repeated_again_and_again_is_refused_and_another_one_is_run() {
    let grow = |n: u32| Answer::call(&format!("c{n}"), "shell", json!({"command": "echo x >> ran"}));
    let other = Answer::call("c8", "list_files", json!({}));
    let answers =
        (1..=7).map(grow).chain([other, grow(9), Answer::text("SIGNAL:BLOCKED I only repeat myself")]);
    let stage = Stage::new("# T\ngoal", answers);
    let printed = stage.ends(1, &[]);
    assert_eq!((&printed["outcome"], &printed["requests"]), (&json!("blocked"), &json!(10)), "{printed}");
    assert_eq!(
        fs::read_to_string(stage.work("ran")).unwrap().lines().count(),
        6,
        "five in a row, one after another call"
    );
    let body = stage.server.received().last().unwrap().body["messages"].to_string();
    assert_says(
        &body,
        &["shell was not run: it has just been called 5 times in a row", "called 6 times in a row"],
    );
    assert!(!body.contains("7 times in a row"), "{body}");
}

// S0-44
#[test]
fn signals_count_in_answers_that_call_tools_too() {
    let text = throughline_conversation::ContentBlock::Text { text: "SIGNAL:ITEM 1 completed\n".to_owned() };
    let call = throughline_conversation::ContentBlock::ToolCall(throughline_conversation::ToolCall {
        id: "c1".to_owned(),
        name: "list_files".to_owned(),
        input: json!({}),
    });
    let stage =
        Stage::new("# T\n- [ ] one\n", [Answer::blocks(vec![text, call]), Answer::text("SIGNAL:DONE")]);
    assert_eq!(stage.ends(0, &[])["task"]["completed"], json!(["one"]));
}

// S0-44
#[test]
fn a_service_that_fails_and_an_interrupt_keep_the_progress() {
    let stage = Stage::new(
        "# T\n- [ ] one\n- [ ] two\n",
        [
            Answer::text("SIGNAL:ITEM 1 completed"),
            Answer::error(ErrorKind::Unauthorized),
            Answer::call("c1", "shell", json!({"command": "touch begun; sleep 60"})),
            Answer::text("SIGNAL:ITEM 2 completed\nSIGNAL:DONE"),
        ],
    );
    let printed = stage.ends(3, &[]);
    assert_eq!(
        (&printed["outcome"], &printed["task"]["iterations"]),
        (&json!("unauthorized"), &json!(1)),
        "{printed}"
    );

    let mut command = stage.command(&["-o", "json", "-c"]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let waited = Instant::now();
    while !stage.work("begun").exists() && waited.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &printed["outcome"]), (Some(130), &json!("interrupted")), "{printed}");
    assert_eq!(printed["task"]["iterations"], 2, "an answer with a call counts");

    let printed = stage.ends(0, &["-c"]);
    assert_eq!(
        (&printed["outcome"], &printed["task"]["iterations"]),
        (&json!("done"), &json!(3)),
        "{printed}"
    );
    let asked = stage.asked().concat();
    assert_says(&asked, &["Next step: two"]);
    assert_eq!(
        asked.matches("Iteration 2 of 50").count(),
        1,
        "one that was not answered is replaced: {asked}"
    );
}

// S0-44
#[test]
fn an_outage_uses_no_iteration() {
    let failing = || Answer::error(ErrorKind::Unauthorized);
    let stage = Stage::new(
        "+++\nmax_iterations = 2\n+++\n# T\nThe goal.\n- [ ] one\n",
        [failing(), failing(), failing(), Answer::text("SIGNAL:ITEM 1 completed\nSIGNAL:DONE")],
    );
    stage.ends(3, &[]);
    for _ in 0..2 {
        let printed = stage.ends(3, &["-c"]);
        assert_eq!(
            (&printed["outcome"], &printed["task"]["iterations"]),
            (&json!("unauthorized"), &json!(0))
        );
    }
    let printed = stage.ends(0, &["-c"]);
    assert_eq!((&printed["outcome"], &printed["task"]["iterations"]), (&json!("done"), &json!(1)));
    let last = stage.server.received().last().unwrap().body.to_string();
    assert_eq!(last.matches("The goal.").count(), 1, "the task is sent once: {last}");
}

// S0-44
#[test]
fn a_wrong_task_file_is_wrong_usage_and_leaves_no_session() {
    let stage = Stage::new("+++\nmax_iteration = 3\n+++\n# T\ngoal", []);
    let ran = run(&mut stage.command(&[]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert_says(&ran.err, &["../task.md, line 2: unknown field `max_iteration`"]);
    let ran = run(&mut stage.command(&["and a prompt"]));
    assert_eq!(ran.code, Some(2), "{ran:?}");
    fs::remove_file(stage.folder.path().join("task.md")).unwrap();
    let ran = run(&mut stage.command(&[]));
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_says(&ran.err, &["cannot read the task file ../task.md"]);
    assert!(!stage.folder.path().join(".local").exists() && stage.server.received().is_empty());
}

#[test]
fn a_gate_gets_the_variables_that_the_settings_name() {
    let gate =
        "+++\ngates = [\"test \\\"$MY_DATABASE\\\" = here\", \"test -z \\\"$MY_SECRET\\\"\"]\n+++\n# T\ngoal";
    let stage = Stage::new(gate, [Answer::text("SIGNAL:DONE"), Answer::text("SIGNAL:BLOCKED it fails")]);
    let mut command = stage.command(&["-o", "json"]);
    command.env("MY_DATABASE", "here").env("MY_SECRET", "hidden").env("THROUGHLINE_TOOLS_ENV", "MY_DATABASE");
    let ran = run(&mut command);
    let printed = last_object(&ran);
    assert_eq!((ran.code, &printed["outcome"]), (Some(0), &json!("done")), "{ran:?}");
}
