//! Tests of what was needed after a compaction.

use expect_test::{Expect, expect};
use throughline_conversation::{
    Action, Edit, EditReason, ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, Source,
    Span, View,
};
use throughline_testkit::{WordCounter, parse, view};

use super::{ReadBack, RegretTracker};
use crate::need::Shown;

const TALK: &str = r#"
user: Fix the total.
assistant:
  -> c1 read {"path": "src/total.rs"}
results:
  c1 = let total = first + second_part;\nlet rounded = total / factor_of_ten;
assistant: I have read it.
user: Now fix it.
"#;

fn covering(first: u64, last: u64, summary: &str) -> Edit {
    let span = Span { first: Seq(first), last: Seq(last) };
    let actions = vec![Action::Cover { span, summary: Some(summary.to_owned()), note: None }];
    Edit { reason: EditReason::Early, actions, strategies: vec!["summary".to_owned()] }
}

/// The view before and after a compaction of all but the newest message.
fn compacted(summary: &str) -> (View, View) {
    let before = view(TALK);
    let after = before.edited(&covering(1, 4, summary), &WordCounter).unwrap();
    (before, after)
}

fn shown(view: &View) -> Shown<'_> {
    Shown::of(view.entries().iter().map(|entry| entry.message.as_ref()), [])
}

fn answer(calls: &str) -> Message {
    parse(&format!("assistant:\n{calls}\n")).remove(0)
}

/// What the calls need of a compaction with this summary.
fn check(summary: &str, calls: &str, expected: &Expect) {
    let (before, after) = compacted(summary);
    let mut tracker = RegretTracker::default();
    tracker.cut(Seq(9), before.entries(), after.entries());
    let found = tracker.needed(&answer(calls), &shown(&after));
    let lines: Vec<String> = found
        .iter()
        .map(|one| format!("{} names {:?} lines {:?} files {:?}", one.edit, one.names, one.lines, one.files))
        .collect();
    expected.assert_eq(&lines.join("\n"));
}

const EDIT: &str =
    r#"  -> c2 edit {"path": "src/total.rs", "old_string": "let total = first + second_part;"}"#;

#[test]
fn a_line_that_only_the_compacted_part_had_is_needed_again() {
    check(
        "It was read.",
        EDIT,
        &expect![[r#"9 names ["second_part"] lines ["let total = first + second_part;"] files []"#]],
    );
    check("let total = first + second_part; is in it", EDIT, &expect![[""]]);
}

#[test]
fn a_file_that_is_read_again_counts_and_one_that_was_never_read_does_not() {
    check(
        "It was read.",
        r#"  -> c2 read {"path": "src/total.rs"}"#,
        &expect![[r#"9 names [] lines [] files ["src/total.rs"]"#]],
    );
    check("It was read.", r#"  -> c2 read {"path": "src/other.rs"}"#, &expect![[""]]);
}

#[test]
fn the_newest_compaction_that_removed_it_is_named() {
    let (before, after) = compacted("let total = first + second_part; stays");
    let again = after.edited(&covering(1, 4, "Nothing stays."), &WordCounter).unwrap();
    let mut tracker = RegretTracker::default();
    tracker.cut(Seq(9), before.entries(), after.entries());
    tracker.cut(Seq(12), after.entries(), again.entries());
    let found = tracker.needed(&answer(EDIT), &shown(&again));
    assert_eq!(found.iter().map(|one| one.edit).collect::<Vec<_>>(), [Seq(12)], "{found:?}");
}

#[test]
fn a_read_back_counts_if_it_shows_what_the_compaction_removed() {
    let (before, after) = compacted("It was read.");
    let mut tracker = RegretTracker::default();
    tracker.cut(Seq(9), before.entries(), after.entries());
    let read = |text| {
        let found = tracker.read_back([ReadBack { name: "query_db", text }], &shown(&after));
        found.into_iter().map(|one| (one.edit, one.read_back)).collect::<Vec<_>>()
    };
    let once = [(Seq(9), vec!["query_db".to_owned()])];
    assert_eq!(read("seq | content\n3 | let rounded = total / factor_of_ten;"), once);
    assert_eq!(read("nothing that was ever in view here"), []);
}

#[test]
fn a_log_gives_the_same_as_following_it() {
    let (mut records, mut messages) = (Vec::new(), parse(TALK));
    let body = |message| RecordBody::Message(MessageRecord { message, source: Source::User, usage: None });
    for (place, message) in messages.drain(..).enumerate() {
        let seq = Seq(place as u64 + 1);
        records.push(Record { seq, at: Millis(0), exchange: ExchangeId(1), body: body(message) });
    }
    let edit = RecordBody::Edit(covering(1, 4, "It was read."));
    records.push(Record { seq: Seq(6), at: Millis(0), exchange: ExchangeId(1), body: edit });
    let (_, after) = compacted("It was read.");
    let found = RegretTracker::of(&records).needed(&answer(EDIT), &shown(&after));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].edit, found[0].lines.len()), (Seq(6), 1));
}

#[test]
fn the_newest_part_of_a_log_is_followed_without_the_rest() {
    let mut records = Vec::new();
    let body = |message| RecordBody::Message(MessageRecord { message, source: Source::User, usage: None });
    for (place, message) in parse(TALK).drain(..).enumerate() {
        let (seq, exchange) = (Seq(place as u64 + 1), ExchangeId(1));
        records.push(Record { seq, at: Millis(0), exchange, body: body(message) });
    }
    // The covered stretch begins before the part that is read.
    let edit = RecordBody::Edit(covering(1, 4, "It was read."));
    records.push(Record { seq: Seq(6), at: Millis(0), exchange: ExchangeId(1), body: edit });
    let (_, after) = compacted("It was read.");
    let found = RegretTracker::of(&records[1..]).needed(&answer(EDIT), &shown(&after));
    assert_eq!((found[0].edit, found[0].lines.len()), (Seq(6), 1));
}
