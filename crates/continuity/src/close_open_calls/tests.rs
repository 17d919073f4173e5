//! Sealing what a crash cut off.

use throughline_conversation::{MessageRecord, Millis, Record, RecordBody, Source, View, continue_note};
use throughline_testkit::{WordCounter, render, view};

use super::*;

fn check(before: &str, after: &expect_test::Expect) {
    after.assert_eq(&render(close_open_calls(&view(before)).as_ref()));
}

#[test]
fn calls_that_were_cut_off_get_results() {
    check(
        "user: go\nassistant:\n  -> c1 read {}\n  -> c2 shell {}\n",
        &expect_test::expect![[r#"
            results:
              c1 ! [no result: the call was cut off before the tool answered]
              c2 ! [no result: the call was cut off before the tool answered]
        "#]],
    );
}

#[test]
fn there_is_nothing_to_seal_in_a_whole_view() {
    check("", &expect_test::expect![""]);
    check("user: go\n", &expect_test::expect![""]);
    check("user: go\nassistant: done\n", &expect_test::expect![""]);
    check("user: go\nassistant:\n  -> c1 read {}\nresults:\n  c1 = text\n", &expect_test::expect![""]);
}

/// A model's message that was cut off anywhere in a session is closed once, and the next request is valid.
#[test]
fn a_sealed_view_is_valid_and_needs_no_second_seal() {
    let mut view: View = view("user: go\nassistant: look\n  -> c1 read {}\n");
    assert_eq!(view.violations().len(), 2, "an open call, and the model speaks last");
    let message = close_open_calls(&view).unwrap();
    let body = RecordBody::Message(MessageRecord { message, source: Source::Engine, usage: None });
    let record = Record { seq: view.last().next(), at: Millis(0), exchange: view.exchange(), body };
    view.apply(&record, &WordCounter).unwrap();
    assert_eq!(view.violations(), []);
    assert_eq!(close_open_calls(&view), None);
}

#[test]
fn a_stop_is_known_by_its_kind_and_its_text() {
    let of = |kind: EntryKind, message: Message| {
        let seen = view("user: go\n");
        let entry = seen.entries().last().unwrap();
        is_stop_note(&Entry { kind, message: message.into(), ..entry.clone() })
    };
    assert!(of(EntryKind::Notice, stop_note()));
    // The user may write the same words, and the engine other ones.
    assert!(!of(EntryKind::User, stop_note()));
    assert!(!of(EntryKind::Notice, continue_note()));
    assert!(!of(EntryKind::User, Message::user("go")));
}

#[test]
fn the_notes_of_the_engine_are_in_these_words() {
    let stopped = "[The turn was stopped here, before it was finished.]";
    assert_eq!(stop_note(), Message::user(stopped));
    let no_call = "[Your answer ended as if a tool call followed, and none arrived. Make the call now, or finish your answer.]";
    assert_eq!(no_call_note(), Message::user(no_call));
}
