//! Steps that the user has undone.

use std::path::Path;

use serde_json::{Value, json};

use crate::read::parse_session;

fn step(number: u64, source: &str, text: &str, hidden: bool) -> Value {
    let extra = if hidden { json!({ "hidden": "undone" }) } else { json!({}) };
    json!({ "step_id": number, "source": source, "message": text, "extra": extra })
}

#[test]
fn undone_steps_are_no_part_of_the_conversation_and_are_said() {
    let steps = [
        step(1, "user", "one", false),
        step(2, "agent", "1", false),
        step(3, "user", "two", true),
        step(4, "agent", "2", true),
        step(5, "user", "three", false),
        step(6, "agent", "3", false),
        step(7, "user", "four", true),
    ];
    let document = json!({ "schema_version": "ATIF-v1.7", "session_id": "s", "steps": steps }).to_string();
    let session = parse_session(Path::new("s.json"), document.as_bytes()).unwrap();
    let asked: Vec<String> = session.turns.iter().map(|turn| turn.user.text()).collect();
    assert_eq!(asked, ["one", "three"]);
    assert_eq!(session.repairs, ["left out 3 messages that the user had rewound"]);
    assert_eq!(session.separate.len(), 1, "what was undone was paid, too");
}
