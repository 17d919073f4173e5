//! The names of a session.

use std::collections::HashSet;

use throughline_conversation::Entry;
use throughline_testkit::view;

use super::NameLog;

fn rendered(log: &NameLog, bytes: usize) -> String {
    log.render(&HashSet::new(), bytes)
}

fn entries(text: &str) -> Vec<Entry> {
    view(text).entries().to_vec()
}

const WORK: &str = "user: go\nassistant: I look.\n  -> c1 read_file {\"path\":\"src/total.rs\"}\n\
                    results:\n  c1 = fn round_total uses old_helper\nassistant: Now round_total.";

#[test]
fn names_of_calls_and_of_many_messages_come_first() {
    let mut log = NameLog::default();
    log.note(&entries(WORK));
    assert_eq!(rendered(&log, 1_000), "old_helper round_total src/total.rs");
    assert_eq!(rendered(&log, 14), "round_total");
    assert_eq!(rendered(&log, 27), "round_total src/total.rs");
}

#[test]
fn what_is_visible_elsewhere_is_left_out() {
    let mut log = NameLog::default();
    log.note(&entries(WORK));
    assert_eq!(log.render(&HashSet::from(["round_total"]), 1_000), "old_helper src/total.rs");
}

#[test]
fn entries_count_once_however_often_they_are_seen() {
    let (mut once, mut twice) = (NameLog::default(), NameLog::default());
    once.note(&entries(WORK));
    twice.note(&entries(WORK));
    twice.note(&entries(WORK));
    assert_eq!(
        format!("{:?}", once.names.get("round_total")),
        format!("{:?}", twice.names.get("round_total"))
    );
}

#[test]
fn names_that_a_preview_hides_are_known() {
    let mut log = NameLog::default();
    log.note_whole("c1", "fn round_total uses old_helper and hidden_helper");
    log.note(&entries(WORK));
    assert_eq!(rendered(&log, 1_000), "hidden_helper old_helper round_total src/total.rs");
}
