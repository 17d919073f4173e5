//! Which of the user's words stand.

use std::sync::Arc;

use super::*;
use crate::ids::ExchangeId;
use crate::message::Message;

fn entry(seq: u64, text: &str) -> Entry {
    let (span, exchange) = (Span::one(Seq(seq)), ExchangeId(seq));
    let message = Arc::new(Message::user(text));
    Entry { span, exchange, kind: EntryKind::User, origin: None, message, tokens: 0 }
}

fn said(texts: &[&str]) -> Said {
    let entries: Vec<Entry> = (1..).zip(texts).map(|(seq, text)| entry(seq, text)).collect();
    Said::of(&entries)
}

#[test]
fn a_rule_that_is_said_once_more_is_the_newest() {
    let said = said(&["never do a", "never do b", "never do a", "never [… 9 bytes left out …] c"]);
    assert_eq!(said.rules(), ["never do b", "never do a"]);
    assert_eq!(said.request(), Some("never [… 9 bytes left out …] c"));
}

#[test]
fn only_messages_of_the_user_say_something() {
    for kind in [EntryKind::Assistant, EntryKind::Results, EntryKind::Summary, EntryKind::Notice] {
        assert_eq!(Said::of(&[Entry { kind, ..entry(1, "never do a") }]), Said::default());
    }
}

#[test]
fn the_newest_two_hundred_rules_stand() {
    let talk = |count: usize| {
        let texts: Vec<String> = (0..count).map(|number| format!("never touch part {number}")).collect();
        said(&texts.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for (count, first) in [(200, 0), (201, 1), (1_300, 1_100)] {
        let said = talk(count);
        let rules = said.rules();
        assert_eq!((rules.len(), rules[0]), (200, format!("never touch part {first}").as_str()));
    }
    assert_eq!(talk(1_300).rules.len(), 1_000);
}

#[test]
fn what_a_rewound_list_has_no_more_is_forgotten() {
    let mut said = said(&["never do a", "never do b", "never do a", "go"]);
    let left = [entry(1, "never do a"), entry(2, "never do b")];
    said.forget(Span { first: Seq(3), last: Seq(4) }, &left);
    assert_eq!((said.rules(), said.request()), (vec!["never do a", "never do b"], Some("never do b")));
    said.forget(Span { first: Seq(1), last: Seq(1) }, &left[1..]);
    assert_eq!((said.rules(), said.request()), (vec!["never do b"], Some("never do b")));
    said.forget(Span { first: Seq(2), last: Seq(2) }, &[]);
    assert_eq!(said, Said::default());
}

#[test]
fn a_last_request_that_entries_have_is_not_stored_again() {
    let all = [entry(1, "never do a"), entry(2, "go")];
    let said = Said::of(&all);
    let stored = said.without_shown_request(&all);
    assert_eq!((stored.request(), stored.rules()), (None, vec!["never do a"]));
    assert_eq!(stored.with_shown_request(&all), said);
    // A compaction has taken it out of view.
    let stored = said.without_shown_request(&all[..1]);
    assert_eq!(stored.request(), Some("go"));
    assert_eq!(stored.with_shown_request(&all[..1]), said);
}
