//! Compactions on a screen.

mod recorded;

use std::time::{Duration, Instant};

use super::ScreenSign::{Compaction, UnknownWording};
use super::{CompactionDetector, ScreenSign};

fn seen(detector: &mut CompactionDetector, screen: &str) -> Vec<ScreenSign> {
    detector.observe(screen.lines(), Instant::now()).into_iter().collect()
}

// S1-03
#[test]
fn patterns_ignore_case_and_the_list_can_be_extended() {
    let known = CompactionDetector::new([]);
    let is_seen = |detector: &CompactionDetector, screen: &str| {
        seen(&mut detector.clone(), screen).iter().any(|sign| matches!(sign, Compaction(_)))
    };
    for screen in
        ["Auto-compacting conversation…", "AUTO-COMPACTING CONVERSATION", "x\n• compacting context (1s)"]
    {
        assert!(is_seen(&known, screen), "{screen}");
    }
    for screen in ["The context is compact.", "", "Squeezing history"] {
        assert!(!is_seen(&known, screen), "{screen}");
    }
    let more = CompactionDetector::new(["squeezing HISTORY", " "]);
    assert!(is_seen(&more, "• Squeezing history") && !is_seen(&more, "anything else"));
}

#[test]
fn a_compaction_is_seen_once_while_it_is_in_view() {
    let mut detector = CompactionDetector::new([]);
    let begun = Instant::now();
    let mut seen = |seconds: u64, screen: &str| {
        let sign = detector.observe(screen.lines(), begun + Duration::from_secs(seconds))?;
        let Compaction(pattern) = sign else { panic!("{sign:?}") };
        Some(pattern)
    };
    let mut check = |seconds: u64, screen: &str, pattern: Option<&str>| {
        assert_eq!(seen(seconds, screen).as_deref(), pattern, "{seconds} s: {screen}");
    };
    check(0, "> work\n", None);
    check(1, "Auto-compacting conversation (1s)", Some("auto-compacting conversation"));
    check(2, "Auto-compacting conversation (2s)", None);
    check(3, "Compacting context", None);
    check(20, "done", None);
    // It was in view until then: an agent draws it again.
    check(21, "Compacting context", None);
    check(22, "done", None);
    check(25, "Compacting  context", Some("compacting context"));
}

#[test]
fn a_second_compaction_is_seen_while_the_mark_of_the_first_is_in_view() {
    let mut detector = CompactionDetector::new([]);
    let begun = Instant::now();
    let mut is_seen = |seconds: u64, screen: &str| {
        detector.observe(screen.lines(), begun + Duration::from_secs(seconds)).is_some()
    };
    assert!(is_seen(0, "▣ Compaction · model"));
    assert!(!is_seen(1, "▣ Compaction · model\nCompacting context"), "it is drawn in two rows");
    assert!(!is_seen(9, "▣ Compaction · model · 3 s\nwork\nmore work"));
    assert!(is_seen(10, "▣ Compaction · model · 3 s\nwork\n▣ Compaction · model"));
    assert!(!is_seen(20, "work\n▣ Compaction · model · 4 s"), "the first one scrolls away");
}

#[test]
fn a_line_that_is_shown_after_a_compaction_tells_of_it_if_the_one_before_was_not_seen() {
    let after = "✦ Chat history compressed from 900 to 40 tokens.";
    let begun = Instant::now();
    for (first, is_missed) in [("working", true), ("⠋ Compressing chat history", false)] {
        let mut detector = CompactionDetector::new([]);
        let mut sign = |milliseconds: u64, screen: &str| {
            detector.observe(screen.lines(), begun + Duration::from_millis(milliseconds))
        };
        assert_eq!(sign(0, first).is_none(), is_missed, "{first}");
        assert_eq!(sign(60, ""), None);
        assert_eq!(sign(120, after).is_some(), is_missed, "{first}");
        assert_eq!(sign(20_000, &format!("{after}\nwork")), None);
    }
}

// S1-03 S1-04
#[test]
fn the_screens_of_agents_tell_of_a_compaction_while_it_runs_and_of_none_before() {
    for (task, compacting, pattern) in [
        (
            include_str!("../../recordings/claude_task.txt"),
            include_str!("../../recordings/claude_compacting.txt"),
            "compacting conversation",
        ),
        (
            include_str!("../../recordings/codex_task.txt"),
            include_str!("../../recordings/codex_compacting.txt"),
            "compacting context",
        ),
        (
            include_str!("../../recordings/opencode_task.txt"),
            include_str!("../../recordings/opencode_compacted.txt"),
            "▣ compaction",
        ),
    ] {
        let mut detector = CompactionDetector::new([]);
        assert_eq!(seen(&mut detector, task), [], "{task}");
        assert_eq!(detector.rest(), [], "{task}");
        assert_eq!(seen(&mut detector, compacting), [Compaction(pattern.to_owned())], "{compacting}");
    }
    for after in [
        include_str!("../../recordings/claude_compacted.txt"),
        include_str!("../../recordings/codex_compacted.txt"),
    ] {
        assert_eq!(seen(&mut CompactionDetector::new([]), after), [], "{after}");
    }
}

#[test]
fn an_unknown_wording_is_reported_once_without_escape_sequences() {
    let mut detector = CompactionDetector::new([]);
    assert_eq!(seen(&mut detector, "Re-compacting all \u{1b}]0;x\u{7}things (1s)"), []);
    let first = detector.rest();
    let [UnknownWording(text)] = first.as_slice() else { panic!("{first:?}") };
    assert!(text.starts_with("Re-compacting all") && !text.contains('\u{1b}'), "{text:?}");
    seen(&mut detector, "Re-compacting all \u{1b}]0;x\u{7}things (27s)");
    assert_eq!(detector.rest(), []);
    let many: String = (0..200).map(|number| format!("compact {}\n", "ab".repeat(number + 1))).collect();
    seen(&mut detector, &many);
    assert_eq!(detector.rest().len(), 49);
}

// S1-06
#[test]
fn a_line_is_a_wording_when_it_is_unchanged_for_a_second() {
    let mut detector = CompactionDetector::new([]);
    let begin = Instant::now();
    let after = |millis: u64| begin + Duration::from_millis(millis);
    let wording = |text: &str| vec![UnknownWording(text.to_owned())];
    for (at, screen) in [
        (0, "\nRe-comp"),
        (100, "\nRe-compacting"),
        (300, "\nRe-compacting h"),
        (500, "\nRe-compacting history (1s)"),
    ] {
        detector.observe(screen.lines(), after(at));
        assert_eq!(detector.settled(after(at)), []);
    }
    // A counter in it and other lines do not disturb it.
    detector.observe("* work\nRe-compacting history (2s)".lines(), after(1_400));
    assert_eq!(detector.settled(after(1_400)), []);
    assert_eq!(detector.settled(after(1_500)), wording("Re-compacting history (2s)"));
    assert_eq!((detector.settled(after(9_000)), detector.rest()), (vec![], vec![]));
    // A piece that becomes a known pattern is dropped.
    detector.observe(["Compacting conv"], after(10_000));
    assert!(detector.observe(["Compacting conversation"], after(10_200)).is_some());
    assert_eq!((detector.settled(after(20_000)), detector.rest()), (vec![], vec![]));
}
