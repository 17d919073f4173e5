//! What is found, and where.

use super::{Hits, MatchKind, search};

fn find(text: &str, query: &str) -> Hits {
    search(text.as_bytes(), query, 0, 10_000)
}

#[test]
fn case_does_not_matter_in_any_script() {
    assert_eq!(find("ПРИВЕТ мир\n", "привет").text, "1:0:ПРИВЕТ мир\n");
    assert_eq!(find("naïve İstanbul end\n", "END").text, "1:17:naïve İstanbul end\n");
    assert_eq!(find("ΟΔΟΣ\n", "οδοσ").total, 1);
}

#[test]
fn offsets_are_those_of_the_raw_bytes() {
    let hits = search(b"\xff\xfe\xe2\x82 needle\n", "needle", 0, 100);
    assert_eq!(hits.text, "1:5:\u{fffd}\u{fffd}\u{fffd} needle\n");
}

#[test]
fn each_match_in_a_line_too_long_to_show_counts() {
    let filler = "x".repeat(1_000);
    let text = format!("{filler}needle{filler}needle{filler}");
    let hits = find(&text, "Needle");
    assert_eq!((hits.total, hits.shown, hits.kind), (2, 2, MatchKind::Literal));
    assert!(hits.text.lines().all(|line| line.len() < 400 && line.contains("needle")), "{}", hits.text);
    let second = search(text.as_bytes(), "needle", 1_001, 10_000);
    assert_eq!((second.skipped, second.shown), (1, 1));
    assert!(second.text.starts_with("1:2006:…"));
}

#[test]
fn matches_far_into_one_long_line_are_found() {
    let line = "needle é ".repeat(20_000);
    let hits = find(&line, "needle");
    assert!(hits.total > 500 && hits.next_offset.is_some());
    let last = search(line.as_bytes(), "needle", line.len() - 400, 10_000);
    assert!(last.shown > 0 && last.next_offset.is_none(), "{}", last.text);
}

#[test]
fn words_are_the_second_choice() {
    let text = "fn open(path)\nopen the file path\n";
    assert_eq!(find(text, "open(path").kind, MatchKind::Literal);
    let hits = find(text, "PATH open the");
    assert_eq!((hits.kind, hits.total), (MatchKind::Words, 1));
    assert_eq!(hits.text, "1-0-fn open(path)\n2:14:open the file path\n");
}

#[test]
fn one_match_is_shown_however_small_the_limit() {
    let hits = search(b"needle 1\nneedle 2\n", "needle", 0, 1);
    assert_eq!((hits.shown, hits.next_offset), (1, Some(9)));
}

#[test]
fn an_empty_content_has_no_match() {
    assert_eq!(find("", "a").total, 0);
}
