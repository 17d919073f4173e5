//! Gemini CLI. It takes no hooks for one run: its transcript is read, a context goes into its input field, and its tools are
//! those that the user has added to its settings. A user can add our hook there, too.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_conversation::Usage;
use throughline_testserver::Answer;

use crate::bodies::CONTEXT;
use crate::installed::GEMINI;
use crate::ran::{assert_says, run};
use crate::screens::{ROUNDS, Round, record_rounds};
use crate::stage::{Habits, LONG, SLOW, Stage, children, is_running, kill};
use crate::tmux::Tmux;

/// What every start needs: a model, a folder that it trusts, and tools that run without a question.
const START: [&str; 5] = ["--skip-trust", "-m", "gemini-2.5-pro", "--approval-mode", "yolo"];

/// The same with tools that ask first.
const ASKING: [&str; 3] = ["--skip-trust", "-m", "gemini-2.5-pro"];

/// After how long an Enter is pressed again.
const AGAIN: Duration = Duration::from_secs(5);

/// More than half of what its models take: then it compacts before the next request.
const FULL: Usage = Usage { input: 600_000, cache_read: 0, cache_write: 0, output: 10, searches: 0 };

/// How long after its input field shows a text the agent takes an Enter. Its handler of keys is made again after each drawing
/// (`useKeypress` in an effect of React) and has the text of that time: an Enter that comes in between sends the field without
/// what was typed last, and empties it.
const DRAWN: Duration = Duration::from_millis(900);

/// What its input field shows of a context.
const PASTED: &str = "[Pasted Text:";

/// What the status says where an answer came before the context.
const LATE: &str = "compactions 1\n  1  context delivered with a later message of the user\n";

const HABITS: Habits = Habits {
    installed: GEMINI,
    unscripted,
    messages: "contents",
    transcripts: ".gemini/tmp",
    compacted: "\"They count lines.",
};

/// Summaries are asked for without tools.
fn unscripted(body: &Value) -> Option<Answer> {
    let has_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    (!has_tools).then(|| Answer::text("They count lines."))
}

/// The same; summaries take a while.
fn slowly(body: &Value) -> Option<Answer> {
    unscripted(body).map(|answer| answer.wait_head(SLOW))
}

fn stage() -> Option<Stage> {
    stage_with(HABITS)
}

fn stage_with(habits: Habits) -> Option<Stage> {
    stage_with_hooks(habits, &json!({}))
}

/// The stage, with these hooks in the settings of the user.
fn stage_with_hooks(habits: Habits, hooks: &Value) -> Option<Stage> {
    let mut stage = Stage::new(habits)?;
    stage.set("GEMINI_API_KEY", "x");
    let url = stage.server.url();
    stage.set("GOOGLE_GEMINI_BASE_URL", &url);
    let ours = json!({"command": env!("CARGO_BIN_EXE_throughline"), "args": ["mcp"]});
    let settings = json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": false},
        "privacy": {"usageStatisticsEnabled": false},
        "mcpServers": {"throughline": ours},
        "hooks": hooks
    });
    stage.write(".gemini/settings.json", &settings.to_string());
    Some(stage)
}

fn terminal(stage: &Stage, args: &[&str]) -> Tmux {
    started(stage, &[&START, args].concat())
}

fn started(stage: &Stage, args: &[&str]) -> Tmux {
    let terminal = stage.terminal(&[], args);
    terminal.shows("Type your message");
    terminal.idle();
    terminal
}

fn call(id: &str, command: &str) -> Answer {
    Answer::call(id, "run_shell_command", json!({"command": command}))
}

/// Asks something. An Enter that the agent reads together with the text before it is a line break to it.
fn ask(stage: &Stage, terminal: &Tmux, text: &str) {
    let before = stage.server.received().len();
    terminal.text(text);
    terminal.shows(text);
    std::thread::sleep(DRAWN);
    let mut pressed: Option<Instant> = None;
    stage.wait("nothing is asked", || {
        if pressed.is_none_or(|at| at.elapsed() > AGAIN) {
            pressed = Some(Instant::now());
            terminal.key("Enter");
        }
        stage.server.received().len() > before
    });
}

/// Types a command of the agent. Where the first Enter takes the one that it offers, it is pressed again.
fn command(terminal: &Tmux, name: &str) {
    terminal.enter(name);
    let begun = Instant::now();
    while terminal.screen().contains(&format!("* {name}")) {
        if begun.elapsed() > AGAIN {
            terminal.key("Enter");
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

// S1-02 S1-04
#[test]
fn a_task_runs_under_watch_and_a_compression_is_seen_on_the_screen() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[]);
    stage.server.push(call("1", "wc -l a.txt"));
    stage.server.push(Answer::text("There are two."));
    ask(&stage, &terminal, "Count the lines of a.txt.");
    terminal.shows("There are two.");
    terminal.idle();
    command(&terminal, "/compress");
    terminal.shows("Chat history compressed from");
    terminal.idle();
    stage.server.push(Answer::text("Continuing now."));
    ask(&stage, &terminal, "Continue.");
    terminal.shows("Continuing now.");
    let requests = stage.requests();
    assert_eq!(requests.len(), 3);
    assert_says(&requests[1], &["2 a.txt"]);
    assert_says(&requests[2], &["They count lines.", "Continue."]);
    assert!(!requests[2].contains("2 a.txt"), "it was compressed");
    command(&terminal, "/quit");
    assert_eq!(terminal.ended(), 0);
    // An answer that comes at once leaves its line of progress no time to be drawn.
    let seen = stage.seen();
    assert!(seen == ["compressing chat history"] || seen == ["chat history compressed from"], "{seen:?}");
}

/// Runs a task and compacts it.
fn compress(stage: &Stage, terminal: &Tmux) {
    stage.server.push(call("1", "wc -l a.txt"));
    stage.server.push(Answer::text("There are two."));
    ask(stage, terminal, "Count the lines of a.txt.");
    terminal.shows("There are two.");
    terminal.idle();
    command(terminal, "/compress");
    terminal.shows("Chat history compressed from");
}

// S1-12 S1-13
#[test]
fn after_a_compaction_the_context_goes_into_the_input_field_and_the_user_sends_it() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[]);
    compress(&stage, &terminal);
    terminal.shows(PASTED);
    assert_eq!(stage.requests().len(), 2, "nothing was sent");
    stage.server.push(Answer::text("Continuing now."));
    ask(&stage, &terminal, "Now continue.");
    terminal.shows("Continuing now.");
    terminal.idle();
    let last = stage.last_request();
    let asked = "word for word:\nCount the lines of a.txt.\n";
    assert_says(&last, &["They count lines.", CONTEXT, asked, "Now continue."]);
    assert!(!last.contains("2 a.txt"), "it was compressed: {last}");
    command(&terminal, "/quit");
    assert_eq!(terminal.ended(), 0);
    assert_says(&stage.status(), &["Session gemini:", "compactions 1\n  1  context delivered\n"]);
    let list = run(&mut stage.throughline(&["watch", "--list"])).done();
    assert_says(&list, &["gemini-", "1 of 1", "Count the lines of a.txt."]);
    // What is stored is what the user wrote.
    let session = list.split_whitespace().find(|word| word.starts_with("gemini-")).unwrap().to_owned();
    let text = run(&mut stage.throughline(&["export", "--text", &session])).done();
    assert_says(&text, &["2 a.txt", "Now continue.", "Continuing now."]);
    stage.record("gemini_compactions.jsonl", &stage.transcripts());
}

// S1-02 S1-03 S1-12
#[test]
fn after_a_compaction_by_threshold_the_context_goes_into_the_input_field_and_is_delivered_late() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[]);
    compress_by_threshold(&stage, &terminal);
    // It compacts between a message and its answer: no context can be there before.
    let last = stage.last_request();
    assert_says(&last, &["They count lines.", "Count again."]);
    assert!(!last.contains(CONTEXT) && !last.contains("1499"), "{last}");
    terminal.shows(PASTED);
    assert_eq!(stage.requests().len(), 3, "nothing was sent");
    let status = run(&mut stage.throughline(&["watch", "--status"]));
    assert_eq!(status.code, Some(1), "{status:?}");
    assert_says(&status.out, &["compactions 1\n  1  context not delivered\n"]);
    stage.server.push(Answer::text("Continuing now."));
    ask(&stage, &terminal, "Now continue.");
    terminal.shows("Continuing now.");
    terminal.idle();
    assert_says(&stage.last_request(), &["They count lines.", CONTEXT, "word for word:\nCount again.\n"]);
    command(&terminal, "/quit");
    assert_eq!(terminal.ended(), 0);
    assert_says(&stage.status(), &[LATE]);
    assert_eq!(stage.seen(), ["context compressed from"]);
    stage.record("gemini_threshold.jsonl", &without_screens(&stage.transcripts()));
}

/// The lines of a transcript without the calls, which have the colours of each cell that a command has shown.
fn without_screens(transcript: &str) -> String {
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("toolCalls");
        format!("{line}\n")
    };
    transcript.lines().map(line).collect()
}

// S1-02 S1-12
#[test]
fn after_a_compaction_by_threshold_a_hook_of_the_user_brings_the_context_with_the_next_message() {
    let Some(stage) = stage_with_hooks(HABITS, &own_hooks()) else { return };
    let terminal = terminal(&stage, &[]);
    compress_by_threshold(&stage, &terminal);
    assert!(!stage.last_request().contains(CONTEXT));
    stage.server.push(Answer::text("Continuing now."));
    ask(&stage, &terminal, "Now continue.");
    terminal.shows("Continuing now.");
    terminal.idle();
    assert_says(
        &stage.last_request(),
        &["<hook_context>", CONTEXT, "word for word:\nCount again.\n", "Now continue."],
    );
    command(&terminal, "/quit");
    assert_eq!(terminal.ended(), 0);
    assert_says(&stage.status(), &[LATE]);
}

/// Fills the window, and asks once more: the agent compacts before it sends that.
fn compress_by_threshold(stage: &Stage, terminal: &Tmux) {
    // Long, so that most of the history is older than the last message: of that it keeps a third.
    stage.server.push(call("1", "seq 1 1500"));
    stage.server.push(Answer::text("There are many.").usage(FULL));
    ask(stage, terminal, "Count the lines of a.txt.");
    terminal.shows("There are many.");
    terminal.idle();
    stage.server.push(Answer::text("Counted again."));
    ask(stage, terminal, "Count again.");
    terminal.shows("Counted again.");
    terminal.idle();
}

/// Our hook, as a user adds it.
fn own_hooks() -> Value {
    let command = format!("{} watch --hook gemini 2>>$HOME/hook.err", env!("CARGO_BIN_EXE_throughline"));
    let hook = json!([{"hooks": [{"type": "command", "command": command}]}]);
    json!({"BeforeAgent": hook, "AfterAgent": hook})
}

// S1-12
#[test]
fn a_hook_of_the_user_brings_the_context_into_the_next_request() {
    let Some(stage) = stage_with_hooks(HABITS, &own_hooks()) else { return };
    let terminal = terminal(&stage, &[]);
    compress(&stage, &terminal);
    terminal.idle();
    std::thread::sleep(SLOW);
    assert!(!terminal.idle().contains(PASTED), "the hook does it");
    stage.server.push(Answer::text("Continuing now."));
    ask(&stage, &terminal, "Now continue.");
    terminal.shows("Continuing now.");
    stage.server.push(Answer::text("Still there."));
    ask(&stage, &terminal, "And then.");
    terminal.shows("Still there.");
    terminal.idle();
    command(&terminal, "/quit");
    assert_eq!(terminal.ended(), 0);
    let last = stage.last_request();
    assert_says(&last, &["<hook_context>", "word for word:\nCount the lines of a.txt.\n", "And then."]);
    assert_eq!(last.matches(CONTEXT).count(), 1, "{last}");
    assert_says(&stage.status(), &["compactions 1\n  1  context delivered\n"]);
    // In the minute in which the session began, if the machine is not slow, and in another one.
    for _ in 0..2 {
        stage.server.push(Answer::text("Resumed."));
        let args = [&START[..], &["-r", "latest", "-p", "Continue."]].concat();
        let ran = run(&mut stage.watched(&[], &args));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(stage.last_request().matches(CONTEXT).count(), 1, "nothing is missing");
        begin_long_ago(&stage);
    }
    let said = fs::read_to_string(stage.place.folder.path().join("hook.err")).unwrap();
    assert_eq!(said, "");
}

/// Names the file of the session as if it had begun in another minute. On a resume the agent writes the beginning of a chat into a
/// file of the current minute first: into that of the session only if it began in the same one.
fn begin_long_ago(stage: &Stage) {
    let files = stage.files(HABITS.transcripts, "jsonl").into_iter();
    let of_session = |file: &PathBuf| fs::read_to_string(file).unwrap().contains("And then.");
    for file in files.filter(of_session) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let (_, id) = name.rsplit_once('-').unwrap();
        fs::rename(&file, file.with_file_name(format!("session-2026-01-01T00-00-{id}.jsonl"))).unwrap();
    }
}

// S1-12 S1-13
#[test]
fn a_context_waits_while_the_agent_asks_for_permission() {
    let Some(stage) = stage() else { return };
    let terminal = started(&stage, &ASKING);
    compress(&stage, &terminal);
    // Before a context can be there.
    stage.server.push(call("2", "touch b.txt"));
    ask(&stage, &terminal, "Touch b.txt.");
    terminal.shows("1. Allow once");
    stage.record("gemini_dialog.txt", &terminal.idle());
    std::thread::sleep(2 * SLOW);
    assert!(!terminal.idle().contains(PASTED), "a dialog is open");
    stage.server.push(Answer::text("Touched it."));
    terminal.key("Enter");
    terminal.shows("Touched it.");
    terminal.shows(PASTED);
    stage.server.push(Answer::text("Continuing now."));
    ask(&stage, &terminal, "Now continue.");
    terminal.shows("Continuing now.");
    terminal.idle();
    assert_says(&stage.last_request(), &[CONTEXT, "Now continue."]);
    command(&terminal, "/quit");
    assert_eq!(terminal.ended(), 0);
    assert_says(&stage.status(), &[LATE]);
}

#[test]
fn the_tools_of_our_server_work_across_a_compression() {
    let Some(stage) = stage() else { return };
    let headless = |args: &[&str]| {
        let ran = run(&mut stage.watched(&[], &[&START, args].concat()));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    };
    let memo = json!({"content": "The parser expects a comma.", "tags": ["parser"]});
    stage.server.push(Answer::call("1", "mcp_throughline_save_memo", memo));
    stage.server.push(Answer::text("Noted."));
    headless(&["-p", "Note it."]);
    // Without a terminal the model is asked once more.
    stage.server.push(Answer::text("Compressed."));
    headless(&["-r", "latest", "-p", "/compress"]);
    stage.server.push(Answer::call("2", "mcp_throughline_retrieve_memos", json!({"query": "comma"})));
    stage.server.push(Answer::text("It expects a comma."));
    headless(&["-r", "latest", "-p", "What does the parser expect?"]);
    let last = stage.last_request();
    let answer = last.rfind("retrieve_memos").unwrap();
    assert_says(&last[answer..], &["The parser expects a comma."]);
}

#[test]
fn a_session_is_resumed_after_the_agent_or_watch_was_killed() {
    for kills_watch in [false, true] {
        let Some(stage) = stage() else { return };
        let terminal = terminal(&stage, &[]);
        stage.server.push(call("1", "wc -l a.txt"));
        stage.server.push(Answer::text("Never seen.").wait_head(LONG));
        ask(&stage, &terminal, "Count the lines of a.txt.");
        stage.wait("no second request", || stage.requests().len() == 2);
        stage.wait("no result in the transcript", || stage.transcripts().contains("2 a.txt"));
        let watch = terminal.pid();
        let agents = children(watch);
        assert_eq!(agents.len(), 1);
        kill(if kills_watch { watch } else { agents[0] });
        assert_eq!(terminal.ended(), 137);
        stage.wait("the agent stays", || !is_running(agents[0]));
        stage.server.push(Answer::text("Continuing now."));
        let args = [&START[..], &["-r", "latest", "-p", "Continue."]].concat();
        let ran = run(&mut stage.watched(&[], &args));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_says(&ran.out, &["Continuing now."]);
        assert_says(&stage.last_request(), &["Count the lines of a.txt.", "2 a.txt", "Continue."]);
    }
}

// S1-03 S1-04
#[test]
fn each_compaction_of_a_session_is_seen_once_and_nothing_else_is_taken_for_one() {
    let Some(stage) = stage_with(Habits { unscripted: slowly, ..HABITS }) else { return };
    let terminal = terminal(&stage, &[]);
    let does = Round {
        call: &|round| call(&round.to_string(), "wc -l a.txt"),
        ask: &|text| ask(&stage, &terminal, text),
        compact: &|round| {
            command(&terminal, "/compress");
            stage.compacted(round);
        },
    };
    record_rounds(&stage, &terminal, "gemini_screens.txt", &does);
    assert_eq!(stage.seen().len(), ROUNDS, "{:?}", stage.seen());
}
