//! Which messages a provider accepts.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use throughline_conversation::{
    ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Role, Seq, Source, View, Violation,
    validate,
};
use throughline_testkit::{WordCounter, parse};

use crate::log::any_messages;

/// Returns true if nothing is wrong that the next message does not fix.
pub(crate) fn ends_well(violations: &[Violation]) -> bool {
    violations.iter().all(|found| matches!(found, Violation::Empty | Violation::EndsWithAssistant))
}

#[expect(clippy::needless_pass_by_value, reason = "the form in which expectations are written")]
fn check(transcript: &str, violations: Expect) {
    let found: Vec<String> = validate(&parse(transcript)).iter().map(ToString::to_string).collect();
    violations.assert_eq(&found.join("\n"));
}

// S4-26
#[test]
fn calls_side_by_side_are_answered_by_one_message_in_any_order() {
    let calls = "user: go\nassistant: two at once\n  -> c1 read {}\n  -> c2 read {}\n";
    check(&format!("{calls}results:\n  c1 = one\n  c2 = two"), expect![""]);
    check(&format!("{calls}results:\n  c2 = two\n  c1 = one"), expect![""]);
    check(
        &format!("{calls}results:\n  c1 = one\nresults:\n  c2 = two"),
        expect![[r#"
            message 1: call c2 has no result in the next message
            message 3: result for c2 answers no call of the message before"#]],
    );
}

#[test]
fn every_rule_has_its_words() {
    check("", expect!["there is no message"]);
    check("assistant: hello\nuser: hi", expect!["the first message is the model's; it must be the user's"]);
    check(
        "user: hi\nassistant: hello",
        expect!["the last message is the model's; a request must end with the user's side"],
    );
    check(
        "user: hi\nassistant: a\nassistant: b\nuser: c",
        expect!["message 2: follows another message of the model"],
    );
    check("user:\nassistant: a\nuser: b", expect!["message 0: has no content"]);
    check(
        "user: \\n\\n \\n x\nassistant:\n  thinking: hm\nuser: b",
        expect!["message 1: has thinking and nothing else"],
    );
    check(
        "user: a\nassistant: b\n  -> c1 read {}\nuser: c",
        expect!["message 1: call c1 has no result in the next message"],
    );
    check(
        "user: a\nassistant: b\n  -> c1 read {}\nuser: wait\n  c1 = late",
        expect!["message 2: result for c1 comes after other content; results come first"],
    );
    check(
        "user: a\nassistant:\n  -> c1 read {}\nresults:\n  c1 = x\nassistant:\n  -> c1 read {}\nresults:\n  c1 = y",
        expect!["message 3: call id c1 is used before"],
    );
    check(
        "user: a\n  -> c1 read {}\nassistant: b\n  c1 = x\nuser: c",
        expect![[r#"
            message 0, block 1: this kind of block belongs to the other role
            message 1, block 1: this kind of block belongs to the other role"#]],
    );
    check(
        "user: a\nassistant:\n  -> c1 read 7\nresults:\n  c1 = x\n  c1 = y",
        expect![[r#"
            message 1: call c1 must have a tool name and a JSON object as input
            message 2: result for c1 answers no call of the message before"#]],
    );
    let blank = Message::user(" \n\t");
    let words: Vec<String> = validate([&blank]).iter().map(ToString::to_string).collect();
    assert_eq!(words, ["message 0, block 0: the text is empty"]);
}

#[test]
fn two_messages_of_the_user_may_follow_each_other() {
    check("user: a\nuser: b\nassistant:\n  -> c1 read {}\nresults:\n  c1 = x\nuser: c", expect![""]);
    let mut messages = parse("user: a\nassistant:\n  -> c1 read {}\nresults:\n  c1 = x");
    messages[2].content.extend(Message::user("and continue").content);
    assert_eq!(validate(&messages), []);
}

proptest! {
    #[test]
    fn checking_one_by_one_finds_what_checking_all_finds(messages in any_messages()) {
        let mut view = View::default();
        for (index, message) in messages.into_iter().enumerate() {
            let (role, before) = (message.role, view.entries().len());
            let body = RecordBody::Message(MessageRecord { message, source: Source::User, usage: None });
            let record = Record { seq: Seq(index as u64 + 1), at: Millis(0), exchange: ExchangeId(1), body };
            prop_assert_eq!(view.apply(&record, &WordCounter), Ok(()));
            prop_assert_eq!(view.violations(), validate(view.transcript().messages()));
            // A message that says nothing has no entry.
            let Some(newest) = view.entries().len().checked_sub(1).filter(|newest| *newest == before) else {
                continue;
            };
            let waits = view.violations().iter().any(
                |found| matches!(found, Violation::MissingResult { message, .. } if *message == newest)
            );
            prop_assert_eq!(waits, !view.open_calls().is_empty());
            prop_assert!(role == Role::Assistant || view.open_calls().is_empty());
        }
    }
}
