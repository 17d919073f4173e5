//! The names of a session.

use std::collections::HashSet;

use throughline_conversation::Entry;
use throughline_testkit::view;

use super::{NameLog, NameUse};
use crate::testing::with_summaries;

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

/// Messages, calls, places and the last message of a name.
fn uses(log: &NameLog, name: &str) -> Option<(u32, u32, u32, u32)> {
    log.names.get(name).map(|known| (known.messages, known.calls, known.places, known.last))
}

#[test]
fn a_name_is_counted_by_message_by_call_and_by_place() {
    let mut log = NameLog::default();
    log.note_whole("c1", "hidden_helper, hidden_helper and hidden_helper");
    log.note(&entries(WORK));
    log.note(&entries(&format!("{WORK}\nuser: is round_total round_total?")));
    assert_eq!(uses(&log, "src/total.rs"), Some((1, 1, 1, 2)));
    assert_eq!(uses(&log, "round_total"), Some((2, 0, 3, 5)));
    assert_eq!(uses(&log, "hidden_helper"), Some((1, 0, 3, 3)));
    assert_eq!(uses(&log, "old_helper"), None, "the whole result replaces its preview");
}

#[test]
fn the_names_of_an_earlier_summary_add_to_those_that_were_met() {
    let summary =
        "[Summary]\\n\\n## Names\\nin some: round_total\\nin one: new_name\\n\\n## Reading back\\nnone_of_it";
    let mut log = NameLog::default();
    log.note(with_summaries(&format!("user: use round_total\nuser: {summary}"), &[1]).entries());
    assert_eq!(uses(&log, "round_total"), Some((3, 0, 1, 2)));
    assert_eq!(uses(&log, "new_name"), Some((1, 0, 0, 2)));
    assert_eq!(uses(&log, "none_of_it"), None);
}

#[test]
fn the_room_is_filled_to_the_last_byte() {
    let mut log = NameLog::default();
    log.note(&entries(WORK));
    for (bytes, expected) in [
        (36, "old_helper round_total src/total.rs"),
        (35, "round_total src/total.rs"),
        (25, "round_total src/total.rs"),
        (24, "old_helper round_total"),
        (12, "round_total"),
        (11, "old_helper"),
        (10, ""),
        (0, ""),
    ] {
        assert_eq!(rendered(&log, bytes), expected, "{bytes}");
    }
}

#[test]
fn in_a_last_gap_no_shorter_name_is_looked_for() {
    let mut log = NameLog::default();
    log.note(&entries(&format!("user: b_cd\nassistant: {}", "long_name_of_all ".repeat(30))));
    assert_eq!(rendered(&log, 8), "b_cd");
    assert_eq!(rendered(&log, 7), "");
}

#[test]
fn the_likeliest_name_is_first_and_equals_go_by_their_letters() {
    let mut log = NameLog::default();
    log.note(&entries("user: b_two a_one c_six\nassistant: z_last\nuser: c_six"));
    assert_eq!(log.likely("", 1_000), ["c_six", "a_one", "b_two", "z_last"]);
    assert_eq!(log.likely("we know a_one", 1_000), ["c_six", "b_two", "z_last"]);
}

#[test]
fn a_value_is_a_name_only_if_it_is_met_again() {
    let work = "user: go\nassistant:\n  -> c1 get {\"key\":\"commit\"}\nresults:\n  c1 = 3f2a9c1e";
    let mut log = NameLog::default();
    log.note(&entries(work));
    assert_eq!(rendered(&log, 1_000), "");
    log.note(&entries(&format!("{work}\nassistant: I take 3f2a9c1e.")));
    assert_eq!(rendered(&log, 1_000), "3f2a9c1e");
}

#[test]
fn what_is_a_part_of_a_visible_name_is_left_out() {
    let mut log = NameLog::default();
    log.note(&entries("user: deep/log.rs log_name total.rs src/deep and_more"));
    assert_eq!(
        log.render(&HashSet::from(["src/deep/log.rs", "pkg:log_name", "x-y@and_more"]), 1_000),
        "src/deep total.rs"
    );
}

#[test]
fn six_numbers_in_a_row_are_one_item() {
    let listed = |numbers: &[u64], digits: usize| {
        let names: Vec<String> = numbers.iter().map(|number| format!("AU-{number:0digits$}")).collect();
        let mut log = NameLog::default();
        log.note(&entries(&format!("user: {}", names.join(" "))));
        rendered(&log, 1_000)
    };
    assert_eq!(listed(&[1, 2, 3, 4, 5], 3), "AU-001 AU-002 AU-003 AU-004 AU-005");
    assert_eq!(listed(&[1, 2, 3, 4, 5, 6], 3), "AU-001…AU-006");
    assert_eq!(
        listed(&[1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12], 3),
        "AU-001 AU-002 AU-003 AU-004 AU-005 AU-007…AU-012"
    );
    assert_eq!(listed(&[1, 2, 3, 4, 5, 6], 9), "AU-000000001…AU-000000006");
    assert!(!listed(&[1, 2, 3, 4, 5, 6], 10).contains('…'));
}

#[test]
fn of_too_many_names_those_of_one_old_message_are_forgotten() {
    let log = |count: u32| {
        let old = NameUse { messages: 1, calls: 0, places: 1, last: 1 };
        let mut log = NameLog::default();
        log.names.extend((0..count).map(|number| (format!("n_{number}").into(), old)));
        log.note(&entries(
            "user: twice_old\nassistant: twice_old second_old\nuser: third_new\nassistant: fourth_new",
        ));
        log
    };
    assert_eq!(log(99_996).names.len(), 100_000);
    let forgotten = log(99_997);
    let mut left: Vec<&str> = forgotten.names.keys().map(|name| &**name).collect();
    left.sort_unstable();
    assert_eq!(left, ["fourth_new", "third_new", "twice_old"]);
}
