//! Texts that are pinned stay in every request.

use serde_json::Value;

use crate::lived::Lived;
use crate::purge::holding;
use crate::ran::{assert_says, run};

const ANSWER: &str = "It ends with MARK.";

/// The id of the message with this text in turn 1.
fn id_of(lived: &Lived, text: &str) -> String {
    let shown = lived.run(&["messages", "show", &lived.id, "1", "--json"]).done();
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let parts = shown["parts"].as_array().unwrap();
    let part = parts.iter().find(|part| part["content"].as_str().unwrap().contains(text)).unwrap();
    part["id"].to_string()
}

#[test]
fn a_pinned_message_stays_in_the_next_request_when_its_turn_leaves_the_view() {
    let lived = Lived::new();
    let (id, answer) = (lived.id.as_str(), id_of(&lived, ANSWER));
    let pinned = lived.run(&["pin", id, &answer]).done();
    let revert = format!("To revert: throughline unpin {id} 1");
    assert_says(&pinned, &["Pinned 1 text of turn 1", "1 pin has ", " tokens that pins may have", &revert]);
    assert_says(&lived.run(&["pins", id]).done(), &["PIN", "in place", ANSWER, "$"]);
    let before = lived.next_body(&lived.copied("whole"));
    assert_eq!(before.matches(ANSWER).count(), 1, "{before}");

    lived.run(&["context", id, "window", "1"]).done();
    assert_says(&lived.run(&["pins", id]).done(), &["in a note", ANSWER]);
    assert_says(&lived.run(&["context", id]).done(), &["1 pin has ", "of each request"]);
    let kept = lived.next_body(&lived.copied("kept"));
    assert!(kept.contains("Pinned by the user") && kept.contains(ANSWER), "{kept}");
    assert!(!kept.contains("Say two."), "{kept}");

    let unpinned = lived.run(&["unpin", id, "1"]).done();
    assert_says(&unpinned, &["Removed pin 1.", &format!("To revert: throughline pin {id} {answer}")]);
    let gone = lived.next_body(&lived.copied("gone"));
    assert!(!gone.contains(ANSWER) && !gone.contains("Pinned by the user"), "{gone}");
}

#[test]
fn a_pinned_span_of_a_turn_stays_word_for_word_and_the_rest_goes() {
    let lived = Lived::new();
    let id = lived.id.as_str();
    assert_says(
        &lived.run(&["pin", id, "1", "--text", "1000\n1001\n1002"]).failed(),
        &["the text does not occur there"],
    );
    lived.run(&["pin", id, "1", "--text", "ends with MARK"]).done();
    lived.run(&["context", id, "window", "1"]).done();
    let kept = lived.next_body(&lived.copied("kept"));
    assert!(kept.contains("ends with MARK\\n</pinned>") && !kept.contains(ANSWER), "{kept}");
}

#[test]
fn pins_beyond_their_share_of_the_window_are_refused_with_the_figures() {
    let lived = Lived::new();
    let before = lived.records().len();
    let mut command = lived.command(&["pin", &lived.id, "1"]);
    assert_says(
        &run(command.env("THROUGHLINE_COMPACTION_PIN_SHARE", "0.0001")).failed(),
        &["not pinned: the pins would have "],
    );
    assert_says(&lived.run(&["pin", &lived.id, "9"]).failed(), &["there is no turn 9"]);
    assert_says(&lived.run(&["pin", &lived.id, "990000"]).failed(), &["no message has this id"]);
    assert_says(&lived.run(&["unpin", &lived.id, "1"]).failed(), &["there is no pin 1; nothing is pinned"]);
    lived.run(&["context", &lived.id, "drop", "1"]).done();
    assert_says(
        &lived.run(&["pin", &lived.id, "1"]).failed(),
        &["turn 1 is dropped; restore it before you pin it"],
    );
    assert_eq!(lived.records().len(), before + 1, "a refusal wrote a record");
}

#[test]
fn a_pin_is_deleted_with_its_turn() {
    let lived = Lived::with("zq8-unmistakable");
    lived.run(&["pin", &lived.id, "1"]).done();
    lived.run(&["context", &lived.id, "window", "1"]).done();
    lived.run(&["messages", "remove", &lived.id, "1", "--yes"]).done();
    assert_says(&lived.run(&["pins", &lived.id]).done(), &["Nothing is pinned."]);
    assert_eq!(holding(&lived.data(), "zq8-unmistakable"), Vec::<std::path::PathBuf>::new());
}
