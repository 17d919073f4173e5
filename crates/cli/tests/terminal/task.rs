//! A whole task: asked for, approved, done, compacted, interrupted, left and taken up again.

use std::time::Duration;

use serde_json::json;
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script, Server};

use crate::place::serve;
use crate::project::{lib, project};
use crate::tmux::Tmux;

const NOTES: &str =
    "### Now\nCounting numbers for the user.\n### Done\nThe sum is fixed; `cargo test` passes.";

fn usage(read: u64, write: u64) -> Usage {
    Usage { input: 40, cache_read: read, cache_write: write, output: 60, searches: 0 }
}

/// Everything that the model says, in order.
fn script() -> Script {
    let edit = json!({
        "path": "src/lib.rs",
        "old_string": "numbers.iter().skip(1).sum()",
        "new_string": "numbers.iter().sum()"
    });
    let test = json!({"command": "cargo test --offline --quiet 2>&1 | grep 'test result' | sort | uniq -c"});
    let count = |id: &str| Answer::call(id, "shell", json!({"command": format!("seq 1 2500 # {id}")}));
    let long = "The numbers continue, each a little larger than the one before. ".repeat(250);
    Script::new()
        .then(Answer::call("c1", "read_file", json!({"path": "src/lib.rs"})).usage(usage(0, 4_000)))
        .then(Answer::call("c2", "edit_file", edit).usage(usage(4_000, 200)))
        .then(Answer::call("c3", "shell", test).usage(usage(4_200, 200)))
        .then(
            Answer::text("Fixed: `sum` adds **all** numbers now, and the test passes.")
                .usage(usage(4_400, 200)),
        )
        .then(count("c4").usage(usage(4_600, 200)))
        .then(Answer::text(&long))
        .then(Answer::text(&long))
        .then(Answer::text(&long))
        .then(Answer::text(&long))
        .then(Answer::text(&long))
        .then(Answer::text("That was all."))
        .then(Answer::text(NOTES))
        .then(
            Answer::text("A story without an audience at its end, because it comes so slowly.")
                .wait_each(Duration::from_millis(700)),
        )
        .then(Answer::text("The sum was fixed first.").usage(usage(5_000, 900)))
}

fn bodies(server: &Server) -> Vec<String> {
    server.received().iter().map(|request| request.body.to_string()).collect()
}

// S3-23 S3-24 S3-31 S4-24: a task in a real project, from the question to the next day
#[test]
fn a_task_is_done_approved_compacted_interrupted_and_taken_up_again() {
    let (place, server) = (project(), serve(script()));
    let screen = Tmux::start(&place, &server, (100, 40), &["--window", "100k"]);
    screen.shows("sonnet-4-5 · main");

    // Reading is free; the edit is asked about, and shown.
    screen.say("Why does the test of the sum fail? Fix it.");
    let asked = screen.shows("? edit src/lib.rs:3  +1 −1");
    assert!(
        asked.contains("3 -     numbers.iter().skip(1).sum()")
            && asked.contains("3 +     numbers.iter().sum()"),
        "{asked}"
    );
    assert!(lib(&place).contains("skip(1)"), "nothing is changed before it was allowed");
    screen.answer("Apply this edit?", "y");
    screen.answer("Run this command?", "y");
    assert!(lib(&place).contains("numbers.iter().sum()"));
    let done = screen.shows("and the test passes");
    assert!(done.contains("test result: ok. 1 passed"), "the project's own test ran: {done}");
    screen.idle();

    // The window fills.
    screen.say("Count to 2500.");
    screen.answer("Run this command?", "y");
    screen.idle();
    for _ in 0..4 {
        let before = server.received().len();
        screen.say("Continue.");
        screen.asked(&server, before + 1);
        assert_eq!(server.received().len(), before + 1, "{}", screen.screen());
    }
    screen.say("Is that all?");
    screen.printed("That was all.");
    screen.idle();
    screen.say("/context");
    let context = screen.printed("LARGEST");
    assert!(context.contains("next compaction at") && context.contains("LAST REQUEST"), "{context}");
    screen.idle();
    screen.say("/compact keep the port numbers");
    let compacted = screen.printed("/undo --compaction reverts");
    assert!(
        compacted.contains("◆ compacted  as asked") && compacted.contains(" messages · summary by"),
        "{compacted}"
    );
    assert!(
        bodies(&server).iter().any(|body| body.contains("keep the port numbers")),
        "the summarizer saw it"
    );
    screen.idle();

    // A turn that is interrupted.
    screen.say("Tell me a story.");
    screen.shows("A story");
    screen.key("Escape");
    screen.printed("Interrupted.");
    screen.idle();
    screen.say("/quit");
    assert_eq!(screen.ended(), 0);
    assert!(screen.all().contains("To continue: throughline --resume chat-"), "{}", screen.all());

    // The next day.
    let again = Tmux::start(&place, &server, (100, 40), &["-c"]);
    let restored = again.printed("Tell me a story.");
    assert!(restored.contains("earlier messages are summarized"), "{restored}");
    again.idle();
    again.say("What was fixed first?");
    again.printed("The sum was fixed first.");
    let last = server.received();
    let last = last.last().unwrap();
    assert!(last.faults.is_empty(), "{:?}", last.faults);
    let body = last.body.to_string();
    assert!(body.contains("Counting numbers for the user") && body.contains("Tell me a story."), "{body}");
    again.idle();
    again.key("C-d");
    assert_eq!(again.ended(), 0);
}
