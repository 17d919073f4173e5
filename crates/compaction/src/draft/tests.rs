//! What a working copy remembers.

use throughline_conversation::Seq;
use throughline_testkit::{WordCounter, render_view, view};

use super::*;
use crate::testing::session;

const TALK: &str = "user: go\nassistant: so\n  -> c1 read {\"path\":\"a.rs\"}\nresults:\n  c1 = old\nassistant: done\nuser: on";

fn span(first: u64, last: u64) -> Span {
    Span { first: Seq(first), last: Seq(last) }
}

/// Does something with a draft of the talk.
fn with_draft<T>(act: impl FnOnce(&mut Draft<'_>) -> T) -> T {
    let (view, session) = (view(TALK), session());
    let job = CompactionJob::new(&session, &view, &WordCounter, 1_000);
    act(&mut Draft::new(&job))
}

#[test]
fn the_original_of_a_span_has_its_first_and_its_last_entry() {
    with_draft(|draft| {
        for (first, last, expected) in [(2, 4, 2..=4), (1, 1, 1..=1), (5, 9, 5..=5)] {
            let seqs: Vec<u64> =
                draft.original_of(span(first, last)).iter().map(|entry| entry.span.first.0).collect();
            assert_eq!(seqs, expected.collect::<Vec<_>>());
        }
        assert!(draft.original_of(span(6, 9)).is_empty());
        assert_eq!(draft.original().len(), 5);
    });
}

#[test]
fn the_newest_progress_within_a_span_is_remembered() {
    with_draft(|draft| {
        assert_eq!(draft.progress_of(span(1, 5)), None);
        for (first, last, text) in [(1, 2, "one"), (1, 3, "two"), (4, 5, "three")] {
            draft.remember_progress(span(first, last), &Prose::by_rule(text));
        }
        let progress = |first, last| draft.progress_of(span(first, last)).map(|prose| prose.text.as_str());
        assert_eq!(progress(1, 5), Some("three"));
        assert_eq!(progress(1, 4), Some("two"));
        assert_eq!(progress(1, 2), Some("one"));
        assert_eq!(progress(2, 3), None);
    });
}

#[test]
fn a_wider_cover_replaces_all_within_it() {
    with_draft(|draft| {
        let stored = draft.keep("read", b"old");
        draft.clear_result("c1", format!("gone: {}", stored.as_str()), stored.clone());
        draft.clip_input("c1", serde_json::json!({"path": "…"}), stored);
        draft.cover(span(4, 4), "four".to_owned(), None);
        draft.cover(span(1, 1), "one".to_owned(), None);
        draft.settle().unwrap();
        let shown = render_view(draft.view());
        assert!(shown.starts_with("summary: one\n") && shown.contains("c1 = gone: r-"), "{shown}");
        assert!(shown.contains("{\"path\":\"…\"}") && shown.contains("summary: four\n"), "{shown}");
        draft.cover(span(2, 4), "two to four".to_owned(), None);
        draft.settle().unwrap();
        assert_eq!(render_view(draft.view()), "summary: one\nsummary: two to four\nuser: on\n");
        assert_eq!((draft.tokens(), draft.entries().len(), draft.units().len()), (5, 3, 3));
    });
}

#[test]
fn only_bytes_that_the_edit_names_stay() {
    with_draft(|draft| {
        let named = draft.keep("read", b"named");
        let (result, input) = (draft.keep("read", b"result"), draft.keep("read", b"input"));
        draft.keep("read", b"unnamed");
        draft.cover(span(4, 4), format!("see ref_id=\"{}\"", named.as_str()), None);
        draft.clear_result("c1", "gone".to_owned(), result);
        draft.clip_input("c1", serde_json::json!({}), input);
        let mut kept: Vec<Vec<u8>> = draft.clone().into_kept().into_iter().map(|kept| kept.bytes).collect();
        kept.sort_unstable();
        assert_eq!(kept, [b"input".to_vec(), b"named".to_vec(), b"result".to_vec()]);
    });
}

#[test]
fn notes_stay_and_degradations_are_taken() {
    with_draft(|draft| {
        draft.note("a line".to_owned());
        draft.degrade("summarizer", "another", "it failed".to_owned());
        assert_eq!(draft.notes(), ["a line"]);
        let taken = draft.take_degraded();
        assert_eq!(taken.iter().map(|lost| lost.cause.as_str()).collect::<Vec<_>>(), ["it failed"]);
        assert!(draft.take_degraded().is_empty());
    });
}
