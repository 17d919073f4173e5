//! The documents of a session, and the context as it will be sent.

use std::fs;
use std::process::Stdio;

use throughline_conversation::{DocumentName, DocumentRecord, RecordBody, Source};

use crate::lived::Lived;
use crate::ran::{assert_says, run};

fn note(lived: &Lived, exchange: u64, name: DocumentName, text: &str) {
    let by = Source::Model("claude-sonnet-4-5".to_owned());
    lived.append(exchange, RecordBody::Document(DocumentRecord { name, text: text.to_owned(), by }));
}

// S4-11 S4-13
#[test]
fn the_user_reads_and_writes_the_scratchpad_and_the_model_is_shown_it() {
    let lived = Lived::new();
    let id = lived.id.as_str();
    assert_says(&lived.run(&["scratchpad", id]).done(), &["has no scratchpad yet"]);
    let plan = lived.place.work().join("plan.md");
    fs::write(&plan, "\n## Plan\n- [ ] find the cause\u{200b}\n\n").unwrap();
    let out = run(lived.command(&["scratchpad", id, "set"]).arg(&plan)).done();
    assert_says(&out, &["Saved the scratchpad: 28 bytes (revision ", "history"]);
    assert_eq!(lived.run(&["scratchpad", id, "show"]).done(), "## Plan\n- [ ] find the cause\n");
    assert_says(&run(lived.command(&["scratchpad", id, "set"]).arg(&plan)).done(), &["is unchanged"]);

    // From standard input, and as a line of `run`.
    let mut child = lived.command(&["scratchpad", id, "set", "-"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"Second plan").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(lived.run(&["run", "-c", "/session scratchpad"]).done(), "Second plan\n");

    // In an editor.
    let mut edit = lived.command(&["scratchpad", id, "edit"]);
    let out = run(edit.env("EDITOR", "printf ' and more' >>")).done();
    assert_says(&out, &["Saved the scratchpad: 20 bytes"]);
    let failed = run(lived.command(&["scratchpad", id, "edit"]).env("EDITOR", "false")).failed();
    assert_says(&failed, &["failed (", "nothing was changed"]);
    assert_says(&lived.run(&["scratchpad", id, "edit"]).failed(), &["no editor is set", "$EDITOR"]);

    let history = lived.run(&["scratchpad", id, "history", "--json"]).json();
    let of = |name: &str| history.as_array().unwrap().iter().map(|one| one[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("status"), ["older", "older", "active"]);
    assert_eq!(of("by"), ["user"; 3]);
    assert_says(&lived.run(&["scratchpad", id, "history"]).done(), &["REVISION", "Second plan", "current"]);
    assert_says(&lived.run(&["scratchpad", id, "history", "--full"]).done(), &["find the cause"]);
    assert!(lived.next_body(&lived.data()).contains("Second plan and more"));
}

#[test]
fn a_document_that_is_too_large_is_refused_whole() {
    let lived = Lived::new();
    let file = lived.place.work().join("long.md");
    fs::write(&file, "x".repeat(16 * 1024 + 1)).unwrap();
    let says = run(lived.command(&["scratchpad", &lived.id, "set"]).arg(&file)).failed();
    assert_says(&says, &["the scratchpad would have 16,385 bytes and may have 16,384", "it stays unchanged"]);
    let missing = lived.run(&["scratchpad", &lived.id, "set", "none.md"]).failed();
    assert_says(&missing, &["could not read the text from none.md"]);
    fs::write(&file, [0xff, 0xfe]).unwrap();
    assert_says(
        &run(lived.command(&["scratchpad", &lived.id, "set"]).arg(&file)).failed(),
        &["is not UTF-8"],
    );
}

// S4-15: what the model wrote goes with its group; what a person wrote stays.
#[test]
fn an_undo_takes_the_documents_of_the_model_with_it() {
    let lived = Lived::new();
    let id = lived.id.as_str();
    note(&lived, 2, DocumentName::State, "Goal: count");
    note(&lived, 3, DocumentName::State, "Goal: count to three");
    assert_eq!(lived.run(&["state", id]).done(), "Goal: count to three\n");
    assert_says(&lived.run(&["undo", id]).done(), &["Also changed: state."]);
    assert_eq!(lived.run(&["state", id, "show"]).done(), "Goal: count\n");
    let history = lived.run(&["state", id, "history"]).done();
    assert_says(&history, &["undone", "current", "claude-sonnet-4-5"]);
    lived.run(&["redo", id]).done();
    assert_eq!(lived.run(&["state", id]).done(), "Goal: count to three\n");
}

// S4-18: O-09
#[test]
fn state_is_regenerated_without_a_model() {
    let lived = Lived::new();
    let id = lived.id.as_str();
    note(&lived, 3, DocumentName::State, "Goal: something else\nTechnical Anchors: port 8080");
    let out = lived.run(&["context", id, "rebuild"]).done();
    assert_says(&out, &["Regenerated STATE by rule", "Say three.", "port 8080", "history"]);
    let state = lived.run(&["state", id]).done();
    assert_says(&state, &["Say three.", "port 8080"]);
    assert!(!state.contains("something else"), "{state}");
    assert_says(&lived.run(&["context", id, "rebuild"]).done(), &["is already up to date"]);
}

// S4-08 S4-24
#[test]
fn the_assembled_context_is_what_is_sent_next() {
    let lived = Lived::new();
    let id = lived.id.as_str();
    note(&lived, 3, DocumentName::Scratchpad, "- [ ] the one step");
    let out = lived.run(&["context", id, "show"]).done();
    let places: Vec<usize> = [
        "# Context of session",
        "## System prompt",
        "### identity · ",
        // The policy of this session puts the documents at the end of the system prompt.
        "- [ ] the one step",
        "## Tools (",
        "tool_search",
        "## Messages (8)",
        "What does MARK end with?",
        "→ shell call_1 {\"command\":\"seq 1 2000; echo MARK\"}",
        "← call_1",
        "Say three.",
        "## At the end of the request",
    ]
    .iter()
    .map(|part| out.find(part).unwrap_or_else(|| panic!("{part:?} is missing in: {out}")))
    .collect();
    assert!(places.is_sorted(), "{places:?} in {out}");

    let shown = lived.run(&["context", id, "show", "--request"]).json();
    let sent: serde_json::Value = serde_json::from_str(&lived.next_body(&lived.data())).unwrap();
    let texts = |body: &serde_json::Value, name: &str| {
        let mut body = body[name].clone();
        unmarked(&mut body);
        body
    };
    assert_eq!(texts(&shown, "tools"), texts(&sent, "tools"));
    // A note about the resumed session is added when the request is sent.
    let blocks = shown["system"].as_array().unwrap().len();
    assert_eq!(
        texts(&shown, "system").as_array().unwrap()[..],
        texts(&sent, "system").as_array().unwrap()[..blocks]
    );
    let count = shown["messages"].as_array().unwrap().len();
    let (shown, sent) = (texts(&shown, "messages"), texts(&sent, "messages"));
    // The next request has the new message after them.
    assert_eq!(shown.as_array().unwrap()[..count - 1], sent.as_array().unwrap()[..count - 1]);
}

/// Without the marks of the cache.
fn unmarked(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.shift_remove("cache_control");
            fields.values_mut().for_each(unmarked);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(unmarked),
        _ => {}
    }
}

#[test]
fn text_of_others_cannot_steer_the_terminal() {
    let lived = Lived::with("M\u{1b}]0;title\u{7}K");
    for command in [
        &["messages", "show", &lived.id, "1"][..],
        &["messages", "list", &lived.id],
        &["context", &lived.id, "show"],
        &["undo", &lived.id, "--purge", "--yes"],
        &["context", &lived.id, "drop", "1"],
    ] {
        let out = lived.run(command).done();
        assert!(!out.contains(['\u{1b}', '\u{7}']), "{command:?}: {out:?}");
    }
}
