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

#[test]
fn a_long_path_is_listed_by_its_last_two_parts() {
    let mut log = NameLog::default();
    log.note(&entries(
        "user: go\nassistant: I look.\n  -> c1 read_file {\"path\":\"/home/me/project/src/total.rs\"}\n\
         results:\n  c1 = see https://example.com/a/b/c and ./src/total.rs",
    ));
    assert_eq!(rendered(&log, 1_000), "https://example.com/a/b/c src/total.rs");
    assert_eq!(log.render(&HashSet::from(["/srv/src/total.rs"]), 1_000), "https://example.com/a/b/c");
}

#[test]
fn names_that_count_on_are_one_item() {
    let numbers: Vec<String> = (1..=40).filter(|at| *at != 30).map(|at| format!("AU-{at:05}")).collect();
    let mut log = NameLog::default();
    log.note(&entries(&format!("user: go\nassistant: Wrong: {} and IT-00003 IT-00004", numbers.join(" "))));
    assert_eq!(rendered(&log, 1_000), "AU-00001…AU-00029 AU-00031…AU-00040 IT-00003 IT-00004");
}
