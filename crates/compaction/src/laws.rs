//! A rolling summary stays bounded from compaction to compaction, and keeps what must not be lost.

use proptest::prelude::*;
use throughline_conversation::{Action, EntryKind, TokenCounter, View};
use throughline_ledger::also_changed;
use throughline_testkit::{WordCounter, records, view};

use crate::testing::{appended, compact, small, words};
use crate::{CompactionPolicy, Compactor, Goal, TargetSize};

const ROOM: u64 = 3_000;

fn append(view: &mut View, notation: &str) {
    for mut record in records(notation) {
        record.seq = view.last().next();
        view.apply(&record, &WordCounter).expect("in order");
    }
}

/// A step of work on one file, as long as `size` words.
fn step(id: &str, what: usize, n: usize, size: usize) -> String {
    let call = match what {
        0 => format!(r#"read {{"path":"src/r{n}.rs"}}"#),
        1 => format!(r#"edit {{"path":"src/e{n}.rs","oldText":"a","newText":"b"}}"#),
        _ => format!(r#"bash {{"command":"cargo test t{n}"}}"#),
    };
    let failed = if what > 2 { "! error: it failed" } else { "=" };
    format!(
        "assistant: now step {id} of the work\n  -> {id} {call}\nresults:\n  {id} {failed} {}\n",
        words(size)
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    // F-17 F-19 F-24
    #[test]
    fn twenty_compactions_keep_what_counts(
        rounds in prop::collection::vec(prop::collection::vec((0usize..4, 0usize..40, 100usize..300), 8..14), 20),
    ) {
        let policy = CompactionPolicy { target: TargetSize { fraction: 0.4, tokens: 2_000 }, ..small() };
        let bound = policy.user_words_tokens.min(ROOM * 15 / 100)
            + 2 * policy.progress_tokens.min(ROOM * 5 / 100)
            + policy.names_tokens.min(ROOM / 10)
            + 300;
        let compactor = Compactor::new(policy, None);
        let mut view = view("user: build the engine described in docs/plan.md");
        append(&mut view, "assistant: I will\nuser: never touch vendor/lock.txt, whatever happens\nassistant: no, I will not\n");
        append(&mut view, "user: keep going\n");
        append(&mut view, &step("first", 1, 99, 50));
        let mut summarized = 0;
        for (round, steps) in rounds.iter().enumerate() {
            for (index, (what, n, size)) in steps.iter().enumerate() {
                append(&mut view, &step(&format!("c{round}_{index}"), *what, *n, *size));
            }
            append(&mut view, &format!("assistant: round {round} is over\nuser: keep on with round {}\n", round + 1));
            let Ok(done) = compact(&compactor, &view, ROOM, Goal::Deep) else { continue };
            view = appended(&view, &done);
            prop_assert_eq!(view.violations(), []);
            let summaries: Vec<_> = view.entries().iter().filter(|entry| entry.kind == EntryKind::Summary).collect();
            prop_assert!(summaries.len() <= 1 && summaries.len() >= usize::from(summarized > 0));
            let Some(summary) = summaries.first() else { continue };
            summarized += 1;
            prop_assert!(summary.tokens <= bound, "round {}: {} > {}", round, summary.tokens, bound);
            let text = summary.message.text();
            for kept in ["> build the engine described in docs/plan.md", "> never touch vendor/lock.txt", "src/e99.rs"] {
                let named = text.contains(kept) || also_changed(&text).any(|path| path == kept);
                prop_assert!(named, "round {}: {} is lost in {}", round, kept, text);
            }
            prop_assert_eq!(text.matches("[Summary of earlier messages").count(), 1);
            for action in &done.edit.actions {
                if let Action::Cover { summary: Some(text), note, .. } = action {
                    let note = note.as_ref().expect("each summary has a note");
                    prop_assert_eq!(note.tokens, WordCounter.text(text));
                    prop_assert_eq!(note.model.clone(), None);
                }
            }
        }
        prop_assert!(summarized >= 10, "{} summaries", summarized);
    }
}
