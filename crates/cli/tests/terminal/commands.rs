//! Commands that are typed on the screen.

use std::fs;
use std::time::Duration;

use serde_json::json;
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::run;
use crate::tmux::Tmux;

// S3-23 S4-13 S4-15: commands change the session that is open, and errors are shown
#[test]
fn commands_work_on_the_open_session() {
    let server =
        serve(Script::new().then(Answer::text("One it is.")).then(Answer::text("Two it is.")).repeat_last());
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 50), &[]);
    screen.ready();
    screen.say("Say one.");
    screen.shows("One it is.");
    screen.idle();
    screen.say("Say two.");
    screen.shows("Two it is.");
    screen.idle();
    for (line, shows) in [
        ("/undo", "Undid turn 2 (\"Say two.\")"),
        ("/redo", "Restored turn 2 (\"Say two.\")."),
        ("/undoo", "did you mean /undo?"),
        ("/context window x", "\"x\" does not fit"),
        ("/messages remove 1", "nothing deleted: this would permanently delete turn 1"),
        ("/messages", "TURN  STATUS"),
        ("/pin 2", "Pinned 2 texts of turn 2 (\"Say two.\"): pin 1."),
        ("/pins", "in place"),
        ("/unpin 1", "Removed pin 1."),
        ("/compact", "Nothing was compacted"),
        ("/permissions plan", "mode plan: reads only"),
        ("/permissions", "→ plan"),
        ("/permissions remove 7", "there is no rule 7"),
        ("/permissions ask", "mode ask"),
        ("/plan", "mode plan: reads only"),
        ("/permissions ask", "mode ask"),
        ("/rename A better title", ""),
        ("/status", "A better title"),
        ("/config agent.policy", "(throughline)"),
        ("/config agent.polcy dex", "did you mean `agent.policy`?"),
        ("/config agent.policy dex", "Set agent.policy in"),
        ("/config agent.policy", "From the next start on: agent.policy = \"dex\""),
        ("/output-style", "explains the reasons behind the code"),
        ("/output-style terse", "there is no output style \"terse\""),
        ("/output-style Concise", "Set agent.output_style to concise in"),
        ("/output-style default", "Set agent.output_style to default in"),
        ("/memos", "No memos yet."),
        ("/skills", "AGENTS.md"),
        ("/mcp", "No MCP servers"),
        ("/handoff", "Handoff of session chat-"),
        ("/export --text out.txt", "Exported the session to "),
        ("/export out.txt", "replaced"),
        ("/export missing/out.jsonl", "could not write "),
        ("/export", ".jsonl."),
        ("/checkpoints", "checkpoint"),
        ("/continue", "Nothing to continue"),
        ("/model claude-haiku-4-5", "answers from now on."),
        ("/help", "/rename TITLE"),
    ] {
        screen.say(line);
        screen.answered(&format!("› {line}"), shows);
        screen.idle();
    }
    let text = fs::read_to_string(place.work().join("out.txt")).unwrap();
    assert!(text.contains("Say two.") && text.contains("Two it is."), "{text}");
    let files = fs::read_dir(place.work()).unwrap().map(|entry| entry.unwrap().path());
    let records = files.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    let records = fs::read_to_string(records.unwrap()).unwrap();
    assert!(records.lines().all(|line| line.starts_with('{')) && records.contains("Two it is."), "{records}");
    let plan = place.work().join("plan.md");
    fs::write(&plan, "# Task Scratchpad\n## Current Plan\n1. [ ] count\n").unwrap();
    screen.say("/session scratchpad set plan.md");
    screen.printed("Saved the scratchpad: ");
    screen.idle();
    let before = server.received().len();
    screen.say("Say it again.");
    screen.asked(&server, before + 1);
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("1. [ ] count") && body.contains("claude-haiku-4-5"), "{body}");
    screen.say("/quit");
    assert_eq!(screen.ended(), 0);
}

#[test]
fn a_fresh_session_shows_the_request_that_would_be_sent() {
    let server = serve(Script::new().then(Answer::text("Hello.")));
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 50), &[]);
    screen.ready();
    screen.say("/context show");
    screen.printed("## Messages (0)");
    screen.idle();
    let shown = screen.all();
    assert!(shown.contains("You are Throughline") && shown.contains("read_file"), "{shown}");
    let tokens =
        shown.split_once(" messages, ").unwrap().1.split_once(" tokens (estimated)").unwrap().0.to_owned();
    screen.say("/context");
    screen.printed("/context --all shows");
    screen.idle();
    let all = screen.all();
    let page = all.rsplit_once("› /context\n").unwrap().1;
    // The report, its heading and the status line count the same request.
    assert!(page.contains(&format!("~{tokens} of ")), "{tokens}:\n{page}");
    assert!(page.contains("would not help: the conversation is empty"), "{page}");
    let (thousands, rest) = tokens.split_once(',').unwrap();
    let short: f64 = format!("{thousands}.{rest}").parse().unwrap();
    let share = format!("{}% of 184k", (short * 1_000.0 / 183_616.0 * 100.0).floor());
    assert!(page.contains(&share), "{share}, {tokens}:\n{page}");
    // The prompt that was shown is the one that is sent.
    screen.say("Hello?");
    screen.shows("Hello.");
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("You are Throughline"), "{body}");
    screen.say("/quit");
    assert_eq!(screen.ended(), 0);
    let log = run(&mut place.bare(&["export", "last"])).done();
    assert_eq!(log.matches("\"kind\":\"prompt\"").count(), 1, "the prompt is stored once");
}

#[test]
fn an_undo_shows_the_diff_and_lets_the_user_choose_what_to_restore() {
    let edit = json!({ "path": "a.txt", "old_string": "alpha", "new_string": "ALPHA" });
    let script = Script::new().then(Answer::call("c1", "edit_file", edit)).then(Answer::text("Changed it."));
    let server = serve(script);
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 50), &[]);
    let file = || fs::read_to_string(place.work().join("a.txt")).unwrap();
    screen.ready();
    screen.say("Change the file.");
    screen.answer("Apply this edit?", "y");
    screen.shows("Changed it.");
    screen.idle();
    screen.say("/undo");
    screen.shows("Undo turn 1, which changed");
    let asked = screen.idle();
    for part in ["+alpha", "-ALPHA", "› conversation and files", "  conversation only"] {
        assert!(asked.contains(part), "{part:?} is missing in:\n{asked}");
    }
    screen.key("Escape");
    screen.shows("Nothing changed.");
    assert_eq!(file(), "ALPHA\nbeta\n");
    screen.say("/undo");
    screen.shows("Undo turn 1, which changed");
    screen.idle();
    screen.key("Down");
    screen.key("Enter");
    screen.shows("File changes were kept:");
    assert_eq!(file(), "ALPHA\nbeta\n");
    screen.say("/redo");
    screen.shows("Restored turn 1");
    screen.idle();
    screen.say("/undo");
    screen.shows("Undo turn 1, which changed");
    screen.idle();
    screen.key("Enter");
    screen.shows("To revert: /redo --files");
    assert_eq!(file(), "alpha\nbeta\n");
    screen.idle();
    screen.say("/redo");
    screen.shows("Redo turn 1, which changed");
    screen.idle();
    screen.key("Enter");
    screen.shows("To revert: /undo --files");
    assert_eq!(file(), "ALPHA\nbeta\n");
    screen.say("/quit");
    assert_eq!(screen.ended(), 0);
}

#[test]
fn escape_twice_goes_back_to_an_earlier_turn() {
    let edit = json!({ "path": "a.txt", "old_string": "alpha", "new_string": "ALPHA" });
    let script = Script::new()
        .then(Answer::text("Hello."))
        .then(Answer::call("c1", "edit_file", edit))
        .then(Answer::text("Changed it."))
        .then(Answer::text("Bye."))
        .then(Answer::text("Again."));
    let server = serve(script);
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 50), &[]);
    let file = || fs::read_to_string(place.work().join("a.txt")).unwrap();
    screen.ready();
    screen.say("Say hello.");
    screen.shows("Hello.");
    screen.idle();
    screen.say("Change the file.");
    let asked = screen.shows("Apply this edit?");
    // The change is shown in its place in the file.
    assert!(
        asked.contains("1 - alpha") && asked.contains("1 + ALPHA") && asked.contains("2   beta"),
        "{asked}"
    );
    std::thread::sleep(Duration::from_millis(900));
    screen.key("Down");
    screen.key("Enter");
    screen.shows("Changed it.");
    screen.idle();
    screen.say("Say bye.");
    screen.shows("Bye.");
    screen.idle();
    screen.key("Escape");
    screen.shows("esc again to go back");
    screen.key("Escape");
    let turns = screen.shows("Go back to before a turn");
    assert!(turns.contains("› Say bye.") && turns.contains("1 file"), "{turns}");
    screen.key("Down");
    screen.key("Enter");
    screen.shows("Go back to before turn 2");
    let asked = screen.idle();
    for part in ["+alpha", "-ALPHA", "› conversation and files", "  conversation only"] {
        assert!(asked.contains(part), "{part:?} is missing in:\n{asked}");
    }
    screen.key("Enter");
    screen.shows("To revert: /redo --files, once for each turn.");
    assert_eq!(file(), "alpha\nbeta\n");
    // The text of the turn is back in the input.
    screen.shows("› Change the file.");
    screen.key("Enter");
    screen.asked(&server, 5);
    let body = server.received().last().unwrap().body.to_string();
    assert!(!body.contains("Say bye.") && body.contains("Hello."), "{body}");
}

#[test]
fn the_text_of_a_turn_that_a_compaction_covers_comes_back_too() {
    let server = serve(Script::new().then(Answer::text("Noted.")).repeat_last());
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 40), &[]);
    screen.ready();
    for line in ["Begin with apples.", "Then pears."] {
        screen.say(line);
        screen.idle();
    }
    screen.say("/compact");
    screen.idle();
    screen.key("Escape");
    screen.shows("esc again to go back");
    screen.key("Escape");
    screen.shows("Go back to before a turn");
    screen.key("Down");
    screen.key("Enter");
    screen.shows("To revert: /redo");
    screen.shows("› Begin with apples.");
    screen.key("End");
    screen.key("Enter");
    screen.idle();
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("Begin with apples.") && !body.contains("Then pears."), "{body}");
}

#[test]
fn what_a_command_asks_of_the_model_can_be_stopped() {
    let slow =
        Answer::text("### STATE\nGoal: to be written in many words").wait_each(Duration::from_secs(30));
    let server = serve(Script::new().then(Answer::text("One it is.")).then(slow).then(Answer::text("Here.")));
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 50), &[]);
    screen.ready();
    screen.say("Say one.");
    screen.shows("One it is.");
    screen.idle();
    screen.say("/context rebuild");
    screen.shows("working");
    while server.received().len() < 2 {
        std::thread::sleep(Duration::from_millis(20));
    }
    screen.key("Escape");
    screen.shows("Stopped; STATE is unchanged.");
    screen.idle();
    screen.say("Are you there?");
    screen.shows("Here.");
    screen.idle();
    screen.key("C-d");
    assert_eq!(screen.ended(), 0);
}

// S3-25: the note is in the system prompt for as long as the window is four fifths full
#[test]
fn with_rubichan_each_request_over_the_threshold_notes_that_the_window_is_nearly_full() {
    let full = Usage { input: 12_900, cache_read: 0, cache_write: 0, output: 10, searches: 0 };
    let server = serve(Script::new().then(Answer::text("Noted.").usage(full)).repeat_last());
    let args = ["--policy", "rubichan", "--window", "20k"];
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (100, 30), &args);
    screen.ready();
    for (said, count) in [("One.", 1), ("Two.", 2), ("Three.", 3)] {
        screen.say(said);
        screen.asked(&server, count);
        assert_eq!(server.received().len(), count);
    }
    let received: Vec<bool> = server
        .received()
        .iter()
        .map(|request| request.body.to_string().contains("You can call compact_context to free space"))
        .collect();
    assert_eq!(received, [false, true, true]);
}

#[test]
fn a_rule_is_edited_before_it_is_accepted() {
    let call = |id, command| Answer::call(id, "shell", json!({ "command": command }));
    let server = serve(
        Script::new()
            .then(call("c1", "git status --short"))
            .then(call("c2", "git --version"))
            .then(Answer::text("Looked around.")),
    );
    let place = Place::new();
    // Otherwise a command that only reads is not asked about.
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "[permissions]\nsandboxed_commands = \"ask\"\n").unwrap();
    let screen = Tmux::start(&place, &server, (80, 24), &[]);
    screen.ready();
    screen.say("Look around.");
    screen.answer("Run this command?", "p");
    screen.shows("Always allow: shell(git status *)");
    for _ in 0.."status *)".len() {
        screen.key("BSpace");
    }
    screen.text("log *)");
    screen.key("Enter");
    // A rule that does not allow this call is not used, and its text is not lost.
    screen.shows("the rule shell(git log *) is not used: it does not allow");
    std::thread::sleep(Duration::from_millis(900));
    screen.key("p");
    screen.shows("Always allow: shell(git log *)");
    for _ in 0.."log *)".len() {
        screen.key("BSpace");
    }
    screen.text("*)");
    screen.key("Enter");
    // The second call is not asked about.
    screen.shows("Looked around.");
    screen.idle();
    screen.say("/permissions");
    screen.shows("shell(git *)");
    assert_eq!(server.received().len(), 3);
}

// S3-27: a mode holds from the next call on, and one key too many does not allow everything
#[test]
fn the_mode_changes_while_the_model_speaks() {
    let slow = Answer::text(&"A story that takes its time to be read, word by word. ".repeat(40))
        .wait_each(Duration::from_millis(300));
    let server = serve(Script::new().then(slow).then(Answer::text("Yes.")));
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 40), &[]);
    screen.ready();
    screen.say("Tell me a story.");
    screen.shows("A story");
    screen.key("BTab");
    screen.shows("\nauto-edit  ");
    screen.key("BTab");
    screen.shows("\nplan  ");
    screen.say("/status");
    let status = screen.printed("reserved for output");
    assert!(status.contains("plan") && !status.contains("yolo"), "{status}");
    assert!(screen.screen().contains("esc stops"), "all of this while it speaks: {}", screen.screen());
    screen.key("Escape");
    screen.idle();
}

#[test]
fn a_document_is_not_read_from_under_the_screen() {
    let server = serve(Script::new().then(Answer::text("Yes.")).repeat_last());
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 40), &["Are you there?"]);
    screen.shows("Yes.");
    screen.idle();
    screen.say("/session scratchpad set -");
    screen.printed("standard input belongs to the screen; name a file");
    screen.key("C-d");
    assert_eq!(screen.ended(), 0);
}

// S3-03: another model and back again, without losing how the first is reached
#[test]
fn a_model_is_left_and_taken_again() {
    let server = serve(Script::new().then(Answer::text("Yes.")).repeat_last());
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 40), &["Are you there?"]);
    screen.shows("Yes.");
    screen.idle();
    screen.say("/model claude-haiku-4-5");
    screen.shows("haiku-4-5");
    screen.say("/model anthropic/claude-sonnet-4-5");
    screen.shows("sonnet-4-5");
    screen.say("And now?");
    screen.asked(&server, 2);
    assert_eq!(server.received().len(), 2, "the server that was named at the start is asked");
}

#[test]
fn a_message_that_is_sent_in_a_turn_reaches_the_model_behind_the_results() {
    let wait = json!({ "command": "while [ ! -e go ]; do sleep 0.1; done; echo gone" });
    let script = Script::new().then(Answer::call("c1", "shell", wait)).then(Answer::text("Only one, then."));
    let (place, server) = (Place::new(), serve(script));
    let screen = Tmux::start(&place, &server, (100, 30), &["--mode", "yolo", "Count them."]);
    screen.shows("while [ ! -e go ]");
    screen.say("Stop after one.");
    screen.shows("Stop after one.  next");
    fs::write(place.work().join("go"), "").unwrap();
    screen.shows("› Stop after one.");
    screen.shows("Only one, then.");
    screen.idle();
    let received = server.received();
    assert_eq!(received.len(), 2);
    let messages = received[1].body["messages"].as_array().unwrap();
    let last = messages.last().unwrap();
    assert_eq!(last["role"], "user");
    let text = last.to_string();
    let (result, said) = (text.find("gone").unwrap(), text.find("Stop after one.").unwrap());
    assert!(result < said, "{text}");
    screen.key("C-d");
    assert_eq!(screen.ended(), 0);
    let turns = run(&mut place.bare(&["messages", "list", "last", "--json"])).json();
    assert_eq!(turns.as_array().unwrap().len(), 1, "one turn has both: {turns}");
}

#[test]
fn the_whole_transcript_is_the_screen_with_results_and_inputs_whole() {
    let rows = json!({ "command": "seq 1 30" });
    let script = Script::new().then(Answer::call("c1", "shell", rows)).then(Answer::text("All **thirty**."));
    let (place, server) = (Place::new(), serve(script));
    let screen = Tmux::start(&place, &server, (100, 60), &["--mode", "yolo", "Count to thirty."]);
    screen.shows("All thirty.");
    let short = screen.idle();
    assert!(short.contains("⋯ 27 lines") && !short.contains("\n    17\n"), "{short}");
    screen.key("C-o");
    let whole = screen.shows("\n    17\n");
    for row in ["› Count to thirty.", "✓ $ seq 1 30", "    1", "    30", "All thirty."] {
        assert!(whole.contains(row), "{row}: {whole}");
    }
    assert!(!whole.contains("toolu"), "{whole}");
    // The pager gives the screen back.
    screen.key("q");
    assert!(screen.shows("⋯ 27 lines").contains("All thirty."));
    screen.key("C-d");
    assert_eq!(screen.ended(), 0);
}
