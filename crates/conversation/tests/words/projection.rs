//! Laws of the projection.

use expect_test::expect;
use proptest::prelude::*;
use std::sync::Arc;
use throughline_conversation::{
    ContentBlock, EntryKind, ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, Source,
    Transcript, View, ViewError, project, validate,
};
use throughline_testkit::{WordCounter, records, render_view, view};

use crate::log::{events, log};

proptest! {
    #[test]
    fn a_view_of_the_start_extends_to_the_view_of_the_whole(events in events(), cut in 0usize..60) {
        let records = log(&events);
        let (start, rest) = records.split_at(cut.min(records.len()));
        let mut view = project(start, &WordCounter).expect("a start of a sound log");
        for record in rest {
            view.apply(record, &WordCounter).expect("the rest of a sound log");
        }
        prop_assert_eq!(view, project(&records, &WordCounter).expect("a sound log"));
    }

    #[test]
    fn what_a_view_tracks_is_what_a_fresh_look_finds(events in events()) {
        let view = project(&log(&events), &WordCounter).expect("a sound log");
        let tokens: u64 = view.entries().iter().map(|entry| entry.tokens).sum();
        prop_assert_eq!(view.tokens(), tokens);
        prop_assert_eq!(view.violations(), validate(view.transcript().messages()));
        let spans: Vec<Seq> = view.entries().iter().flat_map(|entry| [entry.span.first, entry.span.last]).collect();
        prop_assert!(spans.is_sorted(), "entries overlap or are out of order: {spans:?}");
        prop_assert!(spans.last().is_none_or(|last| *last <= view.last()));
    }

    #[test]
    fn kept_entries_make_the_same_view(events in events()) {
        let view = project(&log(&events), &WordCounter).expect("a sound log");
        let json = serde_json::to_string(view.native()).expect("text");
        let entries = serde_json::from_str(&json).expect("entries");
        let reader = view.reader().cloned();
        let restored = View::restored(entries, reader, view.epoch(), view.last(), &WordCounter);
        prop_assert_eq!(restored.saying(view.said().clone()), view);
    }

    #[test]
    fn within_an_epoch_a_view_only_grows_at_its_end(events in events()) {
        let mut view = View::default();
        for record in log(&events) {
            let before = view.clone();
            view.apply(&record, &WordCounter).expect("a sound log");
            prop_assert_eq!(view.last(), record.seq);
            let edits = view.epoch() - before.epoch();
            match record.body {
                RecordBody::Edit(_) => prop_assert_eq!(edits, 1),
                RecordBody::Model(_) => prop_assert!(edits <= 1),
                _ => prop_assert_eq!(edits, 0),
            }
            if edits == 0 {
                let kept = before.entries().len();
                prop_assert_eq!(&view.entries()[..kept], before.entries());
                prop_assert_eq!(view.transcript().common_prefix(before.transcript()), kept);
            }
            if !record.body.shapes_view() {
                prop_assert_eq!(view.clone().at(before.last()), before.at(record.seq));
            }
        }
    }
}

#[test]
fn records_must_come_in_order_and_may_skip() {
    let records = records("user: one\nassistant: two\nuser: three");
    let mut view = View::default();
    assert_eq!(view.apply(&records[1], &WordCounter), Ok(()));
    let before = view.clone();
    for earlier in [0, 1] {
        let found = Seq(earlier + 1);
        let refused = view.apply(&records[earlier as usize], &WordCounter);
        assert_eq!(refused, Err(ViewError::OutOfOrder { last: Seq(2), found }));
        assert_eq!(view, before);
    }
    expect!["record 1 follows record 2; the log must be read in order"]
        .assert_eq(&ViewError::OutOfOrder { last: Seq(2), found: Seq(1) }.to_string());
}

#[test]
fn a_view_knows_who_spoke() {
    let mut view = view("user: hello\nassistant: hi\n  -> c1 read {}\nresults:\n  c1 = text");
    let body = RecordBody::Message(MessageRecord {
        message: Message::user("you were cut off"),
        source: Source::Engine,
        usage: None,
    });
    let record = Record { seq: Seq(4), at: Millis(0), exchange: ExchangeId(1), body };
    view.apply(&record, &WordCounter).expect("the next record");
    let kinds: Vec<EntryKind> = view.entries().iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::User, EntryKind::Assistant, EntryKind::Results, EntryKind::Notice]);
    expect![[r#"
        user: hello
        assistant: hi
          -> c1 read {}
        results:
          c1 = text
        notice: you were cut off
    "#]]
    .assert_eq(&render_view(&view));
}

#[test]
fn a_view_waits_for_the_results_of_its_last_calls() {
    let open = view("user: go\nassistant:\n  -> c1 read {}\n  -> c2 read {}");
    assert_eq!(open.open_calls(), ["c1", "c2"]);
    let closed = view("user: go\nassistant:\n  -> c1 read {}\nresults:\n  c1 = text");
    assert!(closed.open_calls().is_empty());
    assert_eq!(View::default().exchange(), ExchangeId(0));
    assert_eq!(closed.exchange(), ExchangeId(1));
}

#[test]
fn a_clone_shares_its_list_until_one_of_them_grows() {
    let records = records("user: one\nassistant: two\nuser: three");
    let mut view = project(&records[..2], &WordCounter).expect("a sound log");
    let sent: Transcript = view.transcript().clone();
    assert!(sent.is_same(view.transcript()));
    view.apply(&records[2], &WordCounter).expect("the next record");
    assert!(!sent.is_same(view.transcript()));
    assert_eq!((sent.len(), view.transcript().len()), (2, 3));
    assert_eq!(sent.common_prefix(view.transcript()), 2);
    assert!(!sent.is_empty() && Transcript::default().is_empty());
}

#[test]
fn a_call_that_no_provider_accepts_is_shown_in_a_valid_form() {
    let mut entries = view("user: go\nassistant:\n  -> c1 read {}\nresults:\n  c1 = x").entries().to_vec();
    let mut message = entries[1].message.as_ref().clone();
    for block in &mut message.content {
        if let ContentBlock::ToolCall(call) = block {
            call.name.clear();
            call.input = serde_json::json!([1]);
        }
    }
    let unchanged = Arc::clone(&entries[0].message);
    // As a snapshot of an earlier version has it.
    entries[1].message = Arc::new(message.clone());
    let restored = View::restored(entries, None, 0, Seq(3), &WordCounter);
    assert_eq!(restored.violations(), []);
    assert!(Arc::ptr_eq(&restored.entries()[0].message, &unchanged), "a valid message is not copied");
    // As a log has it.
    let record = Record {
        seq: Seq(2),
        at: Millis(0),
        exchange: ExchangeId(1),
        body: RecordBody::Message(MessageRecord {
            message,
            source: Source::Model("m".to_owned()),
            usage: None,
        }),
    };
    let mut taken = view("user: go");
    assert_eq!(taken.apply(&record, &WordCounter), Ok(()));
    assert_eq!(taken.entries()[1], restored.entries()[1]);
    let call = taken.entries()[1].message.tool_calls().next().expect("a call");
    assert_eq!((call.name.as_str(), call.input.to_string().as_str()), ("unknown_tool", r#"{"value":[1]}"#));
}
