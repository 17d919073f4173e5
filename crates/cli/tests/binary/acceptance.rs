//! A long task with policy `dex`, from end to end: its scratchpad, the guard of its context, and its handoff.
//!
//! Each comment names the criterion that the lines below it show.

use std::fs;

use serde_json::{Value, json};
use throughline_conversation::{DocumentName, DocumentRecord, RecordBody, Source};
use throughline_testserver::{Answer, Script, Server};

use crate::git::git;
use crate::lived::{MODEL, append_to};
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};
use crate::serve::Served;

const TASK: &str =
    "# Fix the sum\n\nIt is wrong.\n\n## Checklist\n- [ ] fix a.txt\n- [ ] look again\n- [x] read it\n";

const PLAN: &str = "I plan.\nSCRATCHPAD:## Current Plan\n1. [ ] fix it\n\n## Key Decisions\n- Keep it small\n\n## Blockers\n- No network";

/// The instructions that the first prompt of each phase has.
const INSTRUCTIONS: &str = "## Maintaining Your Scratchpad";

/// A place with a repository, a task file, and `config.json` of these lines.
fn place(config: &str) -> Place {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.json"), format!("{{\"policy\": \"dex\"{config}}}")).unwrap();
    git(&place.work(), &["init", "-q", "-b", "trunk"]);
    git(&place.work(), &["add", "."]);
    git(&place.work(), &["commit", "-q", "-m", "begin"]);
    fs::write(place.folder.path().join("task.md"), TASK).unwrap();
    place
}

/// A task that is given up after its plan and one step. Its session.
fn given_up(place: &Place) -> (String, Server) {
    let edit = json!({"path": "a.txt", "old_string": "alpha", "new_string": "gamma"});
    let script = Script::new()
        .then(Answer::text(PLAN))
        .then(Answer::call("c1", "edit_file", edit))
        .then(Answer::text("SIGNAL:ITEM 1 completed"))
        .then(Answer::text("SIGNAL:BLOCKED no answer came"));
    let server = serve(script);
    let ran = run(&mut place.asks(&server, MODEL, &["--task", "../task.md", "-o", "json"]));
    let printed: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(printed["outcome"], "blocked", "{ran:?}");
    (printed["session"].as_str().unwrap().to_owned(), server)
}

/// Everything that a request showed the model.
fn shown(server: &Server, request: usize) -> String {
    server.received()[request].body.to_string()
}

// S0-43: the five criteria of the scratchpad.
#[test]
fn a_task_keeps_its_scratchpad() {
    let place = place("");
    let (id, server) = given_up(&place);
    // The prompts of the phases have its instructions.
    assert_says(&shown(&server, 0), &[INSTRUCTIONS]);
    // The signal is read from the response, and the session has the text.
    let kept = run(&mut place.bare(&["scratchpad", &id])).done();
    assert_says(&kept, &["## Current Plan\n1. [ ] fix it", "- Keep it small"]);
    assert!(!kept.contains("I plan.") && !kept.contains("SCRATCHPAD:"), "{kept}");
    // A checkpoint has it.
    let checkpoint = run(&mut place.bare(&["checkpoints", &id, "show", "--json"])).json();
    assert_says(checkpoint["scratchpad"].as_str().unwrap(), &["- Keep it small"]);
    // It is sanitized when it is restored.
    let text = "## Current Plan\n1. [ ] unclean\u{200b}\u{202e}\u{1b}[31m step".to_owned();
    let by = Source::Model(MODEL.1.to_owned());
    let record = DocumentRecord { name: DocumentName::Scratchpad, text, by };
    append_to(&place, &id, 1, RecordBody::Document(record));
    let server = serve(Script::new().then(Answer::text("SIGNAL:BLOCKED again")).repeat_last());
    run(&mut place.asks(&server, MODEL, &["--task", "../task.md", "--resume", &id, "-o", "json"]));
    let body = shown(&server, 0);
    assert!(body.contains("unclean") && !body.contains('\u{202e}') && !body.contains("\\u001b"), "{body}");
    let clean = run(&mut place.bare(&["scratchpad", &id])).done();
    assert!(clean.contains("unclean") && !clean.contains(['\u{200b}', '\u{202e}', '\u{1b}']), "{clean:?}");
}

/// Turns of a conversation that fills a window of 30,000 tokens, all in one session. What the last of them printed.
fn talk(place: &Place, server: &Server, turns: usize) -> Ran {
    let long = "The story has no end, and nothing of it is a tool's. ".repeat(110);
    for turn in 1..=turns {
        let prompt = format!("Part {turn}. {long}");
        let args: &[&str] = if turn == 1 { &[] } else { &["-c"] };
        let ran = run(&mut place.asks(server, MODEL, &[args, &["--max-tokens", "2000", &prompt]].concat()));
        assert_eq!(ran.code, Some(0), "turn {turn}: {ran:?}");
        if ran.err.contains("triggering compaction") {
            return ran;
        }
    }
    panic!("{turns} turns fill no window");
}

const SUMMARY: &str = "<analysis>Seen.</analysis>\n## User Intent\nA story.\n## Current State\nIt continues.";

/// The request that asks for a summary, by its place.
fn summary_request(server: &Server) -> usize {
    let asks = "Summarize this conversation history for session continuation.";
    let received = server.received();
    received.iter().position(|request| request.body.to_string().contains(asks)).unwrap()
}

// S0-43: the eight criteria of the guard.
#[test]
fn a_task_is_compacted_by_its_guard() {
    // A window of 30,000 estimated tokens: 24,000 warn and 27,000 compact.
    let place = place(", \"context_window_max\": 30000");
    let call = |number: usize| {
        let from = 100_000 + number * 1_000;
        Answer::call(&format!("c{number}"), "shell", json!({"command": format!("seq {from} {}", from + 640)}))
    };
    let script = (0..40).fold(Script::new(), |script, number| script.then(call(number)));
    let server = serve(script.then(Answer::text("Done.")));
    let ran = run(&mut place.asks(&server, MODEL, &["--max-tokens", "2000", "Count."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // Tokens are estimated before each request, without a provider's word: 80 % are reported, 90 % compact.
    let lines: Vec<&str> = ran.err.lines().collect();
    let at = |words: &str| {
        lines.iter().position(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {lines:?}"))
    };
    let (warned, triggered) = (at("%, approaching limit"), at("%, triggering compaction"));
    let removed = at("compaction: removed ");
    assert!(warned < triggered && triggered < removed, "{lines:?}");
    let percent = |line: usize| -> u64 {
        let (_, rest) = lines[line].split_once("context at ").unwrap();
        rest.split('%').next().unwrap().parse().unwrap()
    };
    assert!((80..90).contains(&percent(warned)) && (90..100).contains(&percent(triggered)), "{lines:?}");
    // Tool responses leave in levels.
    let level = lines[removed].split("removed ").nth(1).unwrap().split('%').next().unwrap();
    assert!(["10", "20", "50", "100"].contains(&level), "{}", lines[removed]);
    // From the middle outwards: the first and the newest responses are whole.
    let whole = |request: &Value| -> Vec<bool> {
        let messages = request["messages"].as_array().unwrap().iter();
        let blocks = messages.filter_map(|message| message["content"].as_array()).flatten();
        let results = blocks.filter(|block| block["type"] == "tool_result");
        results.map(|result| result.to_string().len() > 3_000).collect()
    };
    let received = server.received();
    let after = received.iter().map(|request| whole(&request.body)).find(|whole| whole.contains(&false));
    let after = after.unwrap();
    assert!(after[0] && after[after.len() - 1] && !after[after.len() / 2], "{after:?}");
    // A checkpoint follows.
    let checkpoints = run(&mut place.bare(&["checkpoints", "last", "--json"])).json();
    assert!(checkpoints.as_array().unwrap().iter().any(|one| one["reason"] == "compaction"), "{checkpoints}");
}

// S0-43: the history is summarized when no level is enough, by a model, and without one when that fails.
#[test]
fn a_history_without_tools_is_summarized() {
    let config = ", \"context_window_max\": 30000";
    let one = place(config);
    let server = serve(Script::new().then(Answer::text(SUMMARY)).repeat_last());
    let ran = talk(&one, &server, 40);
    assert_says(&ran.err, &["triggering compaction"]);
    let asked = summary_request(&server);
    assert_says(&shown(&server, asked + 1), &["## Compacted History", "It continues.", "Part "]);
    let checkpoints = run(&mut one.bare(&["checkpoints", "last", "--json"])).json();
    assert!(checkpoints.as_array().unwrap().iter().any(|one| one["reason"] == "compaction"), "{checkpoints}");

    // The same conversation, in which the model fails at the summary.
    let two = place(config);
    let decided = "I decided to keep the old parser. It is small.";
    let script = (0..asked).fold(Script::new(), |script, _| script.then(Answer::text(decided)));
    let script = script.then(Answer::html(400, "no summary today")).then(Answer::text("Fine.")).repeat_last();
    let server = serve(script);
    talk(&two, &server, 40);
    assert_eq!(summary_request(&server), asked);
    assert_says(&shown(&server, asked + 1), &["## Compacted History", "I decided to keep the old parser."]);
}

// S0-43: the seven criteria of the handoff.
#[test]
fn a_task_hands_itself_over() {
    let place = place("");
    let (id, _server) = given_up(&place);
    // It is one object, with the branch, the progress of the checklist, the decisions and a prompt to continue.
    let checkpoint = run(&mut place.bare(&["checkpoints", &id, "show", "--json"])).json();
    let handoff = &checkpoint["handoff"];
    let expected = [
        ("task_title", json!("Fix the sum")),
        ("current_hat", json!("builder")),
        ("branch", json!("trunk")),
        ("head_commit", json!(git(&place.work(), &["rev-parse", "HEAD"]))),
        ("completed_items", json!(["fix a.txt", "read it"])),
        ("remaining_items", json!(["look again"])),
        ("blocking_issues", json!(["No network"])),
        ("modified_files", json!(["a.txt"])),
        ("key_decisions", json!(["Keep it small"])),
        (
            "continuation_prompt",
            json!("Continue working on: Fix the sum\nCurrent phase: builder\nNext step: look again"),
        ),
    ];
    for (name, value) in &expected {
        assert_eq!(handoff[name], *value, "{name}: {handoff}");
    }
    // It can be viewed over HTTP.
    let served = Served::new(&place);
    let viewed = served.found(&format!("/api/sessions/{id}/handoff"));
    for (name, value) in &expected {
        assert_eq!(viewed[name], *value, "{name}: {viewed}");
    }
    drop(served);
    // A resume uses it.
    let server = serve(Script::new().then(Answer::text("SIGNAL:BLOCKED again")).repeat_last());
    run(&mut place.asks(&server, MODEL, &["--task", "../task.md", "--resume", &id, "-o", "json"]));
    let body = shown(&server, 0);
    let parts = ["## Resuming Session", "Fix the sum", "trunk", "look again", "Keep it small"];
    assert_says(&body, &parts);
}
