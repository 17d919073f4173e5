//! The tool of the scratchpad.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use throughline_conversation::Seq;

use super::super::{Managed, Scratchpad, manage, manage_scratchpad_tool};

/// The answer and the new text, or the error, of a call when the document is "old" at revision 7.
fn called(input: &Value) -> String {
    match manage(input, &Scratchpad::restored("old", 2_000), Seq(7)) {
        Ok(Managed { answer, new_text }) => format!("{answer}\n=> {new_text:?}"),
        Err(error) => format!("error: {error}"),
    }
}

fn check(input: &Value, expect: &Expect) {
    expect.assert_eq(&called(input));
}

// S4-12
#[test]
fn actions() {
    check(
        &json!({"action": "read"}),
        &expect![[r#"
        [Scratchpad, revision 7, 3 of at most 2,000 bytes]
        old
        => None"#]],
    );
    check(
        &json!({"action": "update", "content": "new"}),
        &expect![[r#"
        The scratchpad has 3 of at most 2,000 bytes now.
        => Some("new")"#]],
    );
    check(
        &json!({"action": "append", "content": "new", "expected_revision": 7}),
        &expect![[r#"
        The scratchpad has 7 of at most 2,000 bytes now.
        => Some("old\nnew")"#]],
    );
    check(
        &json!({"action": "section", "heading": "H", "content": "b", "expected_revision": "7"}),
        &expect![[r#"
        The scratchpad has 11 of at most 2,000 bytes now.
        => Some("old\n\n## H\nb")"#]],
    );
    check(
        &json!({"action": "update", "content": " old\n"}),
        &expect![[r#"
        The scratchpad already says that; it stays at revision 7.
        => None"#]],
    );
    let empty = manage(&json!({"action": "read"}), &Scratchpad::restored("", 9), Seq(0)).unwrap();
    assert_eq!(empty.answer, "The scratchpad is empty (revision 0).");
}

#[test]
fn a_new_revision_is_in_the_answer() {
    let written = Managed { answer: "Done.".to_owned(), new_text: Some("x".to_owned()) };
    assert_eq!(written.answer_at(Seq(9)), "Done. It is at revision 9 now.");
    let read = Managed { answer: "text".to_owned(), new_text: None };
    assert_eq!(read.answer_at(Seq(9)), "text");
}

#[test]
fn errors_say_what_to_do() {
    check(
        &json!({"action": "replace", "content": "x"}),
        &expect![[
            r#"error: manage_scratchpad has no action "replace"; use one of: read, update, append, section"#
        ]],
    );
    check(
        &json!({}),
        &expect![[
            r#"error: the input of manage_scratchpad is not valid: "action" must be one of: read, update, append, section"#
        ]],
    );
    check(
        &json!({"action": "append"}),
        &expect![[
            r#"error: the input of manage_scratchpad is not valid: "content" must be a string for this action"#
        ]],
    );
    check(
        &json!({"action": "section", "content": "x"}),
        &expect![[
            r#"error: the input of manage_scratchpad is not valid: "heading" must be a string for this action"#
        ]],
    );
    check(
        &json!({"action": "update", "content": "x", "expected_revision": 5}),
        &expect![
            "error: the scratchpad is at revision 7 and not at 5: it was changed since. Read it again, then write with \
         expected_revision 7"
        ],
    );
    check(
        &json!({"action": "update", "content": "x", "expected_revision": -1}),
        &expect![[
            r#"error: the input of manage_scratchpad is not valid: "expected_revision" must be the whole number that the action read gives, or be left out"#
        ]],
    );
    check(
        &json!({"action": "update", "content": "é".repeat(1_001)}),
        &expect![
            "error: the scratchpad would have 2,002 bytes and may have 2,000; it stays unchanged. Shorten it and write it \
         again: leave out finished steps and whatever is in files or tool results"
        ],
    );
}

#[test]
fn the_definition_names_what_is_run() {
    let tool = manage_scratchpad_tool();
    assert_eq!(tool.name, "manage_scratchpad");
    assert_eq!(
        tool.input_schema["properties"]["action"]["enum"],
        json!(["read", "update", "append", "section"])
    );
    for action in ["read", "update", "append", "section"] {
        assert!(tool.description.contains(action), "{action}");
        let answer = called(&json!({"action": action, "content": "c", "heading": "h"}));
        assert!(!answer.starts_with("error"), "{answer}");
    }
}
