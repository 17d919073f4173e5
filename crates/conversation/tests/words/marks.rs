//! Marks: which groups and compactions a projection shows.

use throughline_conversation::{
    Action, Edit, EditReason, ExchangeId, GroupStatus, Mark, Millis, Record, RecordBody, Seq, Span, project,
};
use throughline_testkit::{WordCounter, records};

const TALK: &str = "user: one\nassistant: first\nuser: two\nassistant: second\nuser: three\nassistant: third";

fn add(mut log: Vec<Record>, body: RecordBody) -> Vec<Record> {
    let seq = log.last().map_or(Seq(1), |record| record.seq.next());
    log.push(Record { seq, at: Millis(0), exchange: ExchangeId(3), body });
    log
}

fn cover(log: Vec<Record>, first: u64, last: u64, summary: &str) -> Vec<Record> {
    let span = Span { first: Seq(first), last: Seq(last) };
    let action = Action::Cover { span, summary: Some(summary.to_owned()), note: None };
    let strategies = vec!["test".to_owned()];
    add(log, RecordBody::Edit(Edit { reason: EditReason::Manual, actions: vec![action], strategies }))
}

fn group(log: Vec<Record>, exchange: u64, status: GroupStatus) -> Vec<Record> {
    add(log, RecordBody::Mark(Mark::Group { exchange: ExchangeId(exchange), status }))
}

/// The texts in view.
fn shown(log: &[Record]) -> String {
    let view = project(log, &WordCounter).map_err(|error| error.to_string());
    let texts = view.map(|view| view.entries().iter().map(|entry| entry.message.text()).collect::<Vec<_>>());
    texts.map_or_else(|error| error, |texts| texts.join(" · "))
}

#[test]
fn a_hidden_group_is_out_of_view_until_it_is_live_again() {
    for status in [GroupStatus::Dropped, GroupStatus::Undone, GroupStatus::Removed] {
        let log = group(records(TALK), 2, status);
        assert_eq!(shown(&log), "one · first · three · third", "{status:?}");
        let log = group(log, 2, GroupStatus::Live);
        assert_eq!(shown(&log), "one · first · two · second · three · third", "{status:?}");
    }
}

#[test]
fn a_summary_counts_while_the_groups_in_it_are_shown_as_before() {
    let covered = cover(records(TALK), 1, 2, "SUM");
    let summarized = "SUM · two · second · three · third";
    assert_eq!(shown(&covered), summarized);
    // Another group makes no difference, neither before nor behind it.
    assert_eq!(shown(&group(covered.clone(), 2, GroupStatus::Dropped)), "SUM · three · third");
    let behind = cover(group(records(TALK), 1, GroupStatus::Dropped), 3, 4, "SUM");
    assert_eq!(shown(&behind), "SUM · three · third");
    // Its own does.
    let hidden = group(covered, 1, GroupStatus::Dropped);
    assert_eq!(shown(&hidden), "two · second · three · third");
    assert_eq!(shown(&group(hidden, 1, GroupStatus::Live)), summarized);
}

#[test]
fn an_undone_compaction_shows_what_it_covered_until_it_is_redone() {
    let log = cover(records(TALK), 1, 4, "SUM");
    let edit = log.last().map_or(Seq(0), |record| record.seq);
    let log = add(log, RecordBody::Mark(Mark::Compaction { edit, undone: true }));
    assert_eq!(shown(&log), "one · first · two · second · three · third");
    let log = add(log, RecordBody::Mark(Mark::Compaction { edit, undone: false }));
    assert_eq!(shown(&log), "SUM · three · third");
}
