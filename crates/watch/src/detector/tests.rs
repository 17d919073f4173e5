//! Compactions on a screen.

use super::ScreenSign::{Compaction, UnknownWording};
use super::{CompactionDetector, ScreenSign};

fn seen(detector: &mut CompactionDetector, screen: &str) -> Vec<ScreenSign> {
    detector.observe(screen.lines())
}

// S1-03
#[test]
fn patterns_ignore_case_and_the_list_can_be_extended() {
    let known = CompactionDetector::new([]);
    for output in
        ["Auto-compacting conversation…", "AUTO-COMPACTING CONVERSATION", "x\n• compacting context (1s)"]
    {
        assert!(known.detect(output), "{output}");
    }
    assert!(
        !known.detect("The context is compact.") && !known.detect("") && !known.detect("Squeezing history")
    );
    let more = CompactionDetector::new(["squeezing HISTORY", " "]);
    assert!(more.detect("• Squeezing history") && !more.detect("anything else"));
}

#[test]
fn a_compaction_is_seen_once_while_it_is_in_view() {
    let mut detector = CompactionDetector::new([]);
    let compaction = |pattern: &str| Compaction(pattern.to_owned());
    assert_eq!(seen(&mut detector, "> work\n"), []);
    assert_eq!(
        seen(&mut detector, "Auto-compacting conversation (1s)"),
        [compaction("auto-compacting conversation")]
    );
    assert_eq!(seen(&mut detector, "Auto-compacting conversation (2s)"), []);
    assert_eq!(seen(&mut detector, "Compacting context"), []);
    assert_eq!(seen(&mut detector, "done"), []);
    assert_eq!(seen(&mut detector, "Compacting context"), [compaction("compacting context")]);
}

#[test]
fn an_unknown_wording_is_reported_once_without_escape_sequences() {
    let mut detector = CompactionDetector::new([]);
    let first = seen(&mut detector, "Re-compacting all \u{1b}]0;x\u{7}things (1s)");
    let [UnknownWording(text)] = first.as_slice() else { panic!("{first:?}") };
    assert!(text.starts_with("Re-compacting all") && !text.contains('\u{1b}'), "{text:?}");
    assert_eq!(seen(&mut detector, "Re-compacting all \u{1b}]0;x\u{7}things (27s)"), []);
    let many: String = (0..200).map(|number| format!("compact {}\n", "ab".repeat(number + 1))).collect();
    assert_eq!(seen(&mut detector, &many).len(), 49);
}
