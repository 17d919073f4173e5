//! What a person has while the model works: sub-agents, hooks, plans, commands without a question.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::tmux::Tmux;

#[test]
fn a_plan_is_approved_and_carried_out() {
    let server = serve(
        Script::new()
            .then(Answer::text("It is 17."))
            .then(Answer::text("## Plan\n\n1. Write b.txt"))
            .then(Answer::text("## Plan\n\n1. Write c.txt"))
            .then(Answer::call("c1", "write_file", json!({ "path": "c.txt", "content": "x\n" })))
            .then(Answer::text("Written.")),
    );
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (100, 30), &[]);
    screen.ready();
    screen.say("/permissions plan");
    screen.shows("mode plan");
    // An answer without a plan is not asked about.
    screen.say("How many?");
    screen.shows("It is 17.");
    screen.idle();
    screen.say("Plan it.");
    screen.answer("Go ahead with this plan?", "Down");
    screen.key("Down");
    screen.key("Enter");
    screen.shows("Still in plan mode: write what to change.");
    screen.say("Use c.txt.");
    screen.shows("1. Write c.txt");
    screen.answer("Go ahead with this plan?", "Down");
    screen.key("Enter");
    screen.shows("Written.");
    screen.idle();
    assert_eq!(fs::read_to_string(place.work().join("c.txt")).unwrap(), "x\n");
    let asked = server.received().last().unwrap().body.to_string();
    assert!(asked.contains("The plan is approved. Carry it out."), "{asked}");
}

#[test]
fn a_command_that_only_reads_is_not_asked_about_and_another_is() {
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "shell", json!({ "command": "ls -la && cat a.txt | head -1" })))
            .then(Answer::call("c2", "shell", json!({ "command": "touch made" })))
            .then(Answer::text("Done.")),
    );
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (100, 30), &[]);
    screen.ready();
    screen.say("Look, then make.");
    screen.answer("touch made", "n");
    screen.shows("Done.");
    let bodies = server.received();
    assert!(bodies[1].body.to_string().contains("alpha"), "the first command ran without a question");
    assert!(!place.work().join("made").exists());
}

#[test]
fn a_sub_agent_is_seen_at_work_and_asks_by_its_name() {
    let task = json!({ "agent": "general", "title": "Make a file", "prompt": "Make made.txt." });
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task))
            .then(Answer::call("s1", "read_file", json!({ "path": "a.txt" })))
            .then(Answer::call("s2", "shell", json!({ "command": "touch made.txt" })))
            .then(Answer::text("Made made.txt.").wait_head(Duration::from_millis(500)))
            .then(Answer::text("All done.")),
    );
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 40), &[]);
    screen.ready();
    screen.say("Have it made.");
    let asked = screen.answer("sub-agent general: Make a file", "y");
    assert!(asked.contains("touch made.txt"), "{asked}");
    screen.shows("All done.");
    screen.idle();
    assert!(place.work().join("made.txt").exists());
    screen.say("/agents");
    let page = screen.shows("SUB-AGENT");
    for part in ["explore", "general", "built in", "agent-", "Make a file", "3 "] {
        assert!(page.contains(part), "{part}: {page}");
    }
    screen.idle();
    screen.say("/undo");
    screen.shows("which changed made.txt");
}

#[test]
fn hooks_are_listed_and_a_memo_an_effort_and_a_copy_take_a_word() {
    let server = serve(Script::new().then(Answer::text("Fine.")).repeat_last());
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    let hook = json!({ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./check.sh" }] });
    fs::write(folder.join("hooks.json"), json!({ "hooks": { "PreToolUse": [hook] } }).to_string()).unwrap();
    fs::create_dir(place.folder.path().join("other")).unwrap();
    let screen = Tmux::start(&place, &server, (110, 40), &[]);
    screen.ready();
    screen.say("Hello.");
    screen.shows("Fine.");
    screen.idle();
    for (line, shows) in [
        ("/hooks", "./check.sh"),
        ("#use tabs in this project", "Added memo"),
        ("/memos", "use tabs in this project"),
        ("/effort", "Effort: the provider's default."),
        ("/effort huge", "there is no effort \"huge\""),
        ("/effort low", "Effort: low, up to 1,024 tokens of thinking, from the next request on."),
        ("/add-dir ../other", "File tools may read"),
        ("/add-dir ../missing", "cannot use"),
        ("/fork", "a copy of chat-"),
    ] {
        screen.say(line);
        screen.answered(&format!("› {line}"), shows);
        screen.idle();
    }
    screen.say("/review the last commit");
    screen.idle();
    let asked = server.received().last().unwrap().body.to_string();
    assert!(asked.contains("What to review: the last commit") && asked.contains("\"thinking\""), "{asked}");
}

#[test]
fn a_continued_session_thinks_as_much_as_before() {
    let server = serve(Script::new().then(Answer::text("Fine.")).repeat_last());
    let place = Place::new();
    let budget = || server.received().last().unwrap().body["thinking"]["budget_tokens"].clone();
    let screen = Tmux::start(&place, &server, (110, 40), &[]);
    screen.ready();
    screen.say("/effort low");
    screen.shows("from the next request on");
    screen.say("Hello.");
    screen.shows("Fine.");
    screen.idle();
    assert_eq!(budget(), 1_024);
    drop(screen);
    let screen = Tmux::start(&place, &server, (110, 40), &["-c"]);
    screen.ready();
    screen.say("/effort");
    screen.shows("Effort: low, up to 1,024 tokens of thinking");
    screen.say("Again.");
    screen.idle();
    assert_eq!(budget(), 1_024);
    drop(screen);
    // What the command line says is newer.
    let screen = Tmux::start(&place, &server, (110, 40), &["-c", "--thinking", "4096"]);
    screen.ready();
    screen.say("Once more.");
    screen.idle();
    assert_eq!(budget(), 4_096);
}

#[test]
fn a_command_goes_to_the_background_and_its_end_is_said() {
    let wait = "echo begun; until [ -e go ]; do sleep 0.05; done; echo over; exit 3";
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "shell", json!({ "command": wait })))
            .then(Answer::text("It runs in the background."))
            .then(Answer::text("So it failed.")),
    );
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (100, 30), &["--allow", "shell"]);
    screen.ready();
    screen.say("Serve it.");
    screen.shows("begun");
    screen.key("C-b");
    screen.shows("It runs in the background.");
    let result = server.received().last().unwrap().body.to_string();
    assert!(result.contains("begun") && result.contains("it runs on as job 1"), "{result}");
    screen.say("/jobs");
    screen.shows("runs ");
    screen.say("/jobs 1");
    screen.shows("Job 1 has run for");
    fs::write(place.work().join("go"), "").unwrap();
    screen.shows("Job 1 has ended after");
    screen.say("And now?");
    screen.shows("So it failed.");
    let asked = server.received().last().unwrap().body.to_string();
    assert!(asked.contains("Background job 1 has ended (exit status 3)"), "{asked}");
    screen.idle();
    screen.say("/jobs stop 1");
    screen.shows("no job 1 runs");
}

#[test]
fn a_sub_agent_works_in_the_background_across_turns() {
    let begin = |id: &str, title: &str| {
        let task =
            json!({ "agent": "general", "title": title, "prompt": "Wait for go.", "background": true });
        Answer::call(id, "agent", task)
    };
    let wait = "until [ -e go ]; do sleep 0.05; done; touch made.txt";
    let own = Script::new()
        .then(begin("c1", "Wait for it"))
        .then(Answer::text("It waits."))
        .then(Answer::text("Thinking.").wait_head(Duration::from_secs(30)))
        .then(begin("c2", "Wait again"))
        .then(Answer::text("So it is made."))
        .then(Answer::text("It was stopped."));
    let server = serve(own.unscripted(move |body| {
        let text = body.to_string();
        text.contains("You work for another agent").then(|| match text.contains("exit status") {
            true => Answer::text("Made made.txt."),
            false => Answer::call("s1", "shell", json!({ "command": wait })),
        })
    }));
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (110, 40), &["--allow", "shell"]);
    screen.ready();
    screen.say("Have it made.");
    screen.shows("It waits.");
    screen.idle();
    screen.say("/agents");
    let page = screen.shows("In the background:");
    assert!(page.contains("general: Wait for it") && page.contains("works"), "{page}");
    // Esc ends the turn and not the sub-agent.
    screen.say("And you?");
    let begun = Instant::now();
    while server.received().len() < 4 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the turn never began");
        std::thread::sleep(Duration::from_millis(20));
    }
    screen.key("Escape");
    screen.shows("Interrupted.");
    screen.idle();
    fs::write(place.work().join("go"), "").unwrap();
    screen.shows("Sub-agent 1 (general: Wait for it) has ended after");
    assert!(place.work().join("made.txt").exists());
    fs::remove_file(place.work().join("go")).unwrap();
    screen.say("And now?");
    screen.shows("So it is made.");
    screen.idle();
    let own = |server: &throughline_testserver::Server| {
        let bodies = server.received().into_iter().map(|one| one.body.to_string());
        bodies.filter(|body| !body.contains("You work for another agent")).collect::<Vec<_>>()
    };
    let asked = own(&server);
    assert!(asked[3].contains("has ended.\\nMade made.txt."), "{}", asked[3]);
    screen.say("/agents stop 2");
    screen.shows("Stopped sub-agent 2");
    screen.idle();
    screen.say("Why?");
    screen.shows("It was stopped.");
    let asked = own(&server).pop().unwrap();
    assert!(asked.contains("was stopped by the user."), "{asked}");
    assert_eq!(asked.matches("Made made.txt.").count(), 1, "{asked}");
}

#[test]
fn a_server_is_added_while_the_session_runs() {
    let find = json!({ "query": "search the history of earlier sessions" });
    let script = Script::new().then(Answer::text("First.")).then(Answer::call("c1", "tool_search", find));
    let server = serve(script.then(Answer::text("Second.")));
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (100, 30), &[]);
    screen.ready();
    screen.say("Hello.");
    screen.shows("First.");
    screen.idle();
    screen.say(&format!("/mcp add own {} mcp", env!("CARGO_BIN_EXE_throughline")));
    screen.printed("mcp__own__");
    screen.say("And now?");
    screen.shows("Second.");
    let bodies = server.prompted();
    assert!(!bodies[0].body.to_string().contains("mcp__own__"));
    // The front of the request is cached, so that new tools are found by a search.
    let next = bodies[1].body.to_string();
    assert!(next.contains("\"tool_search\""), "{next}");
    let found = bodies[2].body.to_string();
    assert!(found.contains("mcp__own__search_history"), "{found}");
    screen.idle();
    screen.say("/mcp remove own");
    screen.shows("No MCP servers.");
}
