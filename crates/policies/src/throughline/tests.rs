//! The policy `throughline`: what its summary covers, and what a model is asked for.

use std::sync::{Arc, Mutex};

use throughline_compaction::{CompactionPolicy, Compactor, MockSummarizer, ModelSummaries, Prose};
use throughline_conversation::EntryKind;
use throughline_testkit::view;

use super::DeepChain;
use crate::economy::Economy;
use crate::policy::Policy;
use crate::summary_style::SummaryStyle;
use crate::testing::{compact_by, words};

/// Two turns, the first one long.
fn turns() -> String {
    format!(
        "user: fix it\nassistant: {}\n  -> a read {{}}\nresults:\n  a = {}\nassistant: done\nuser: now the docs\nassistant: so",
        words(400),
        words(400)
    )
}

#[test]
fn everything_but_the_newest_work_goes_behind_one_summary() {
    let compactor = Compactor::new(Policy::Throughline.settings(100_000, 4_096).compaction, None);
    let done = compact_by(&compactor, &view(&turns()), 100_000, 0, None).expect("it shrinks");
    let entries = done.view.entries();
    let kinds: Vec<EntryKind> = entries.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::Summary, EntryKind::Assistant, EntryKind::User, EntryKind::Assistant]);
    let texts: Vec<String> = entries.iter().skip(1).map(|entry| entry.message.text()).collect();
    assert_eq!(texts, ["done", "now the docs", "so"]);
}

#[test]
fn short_steps_before_the_newest_one_stay_too() {
    let step = |n: usize, size: usize| {
        format!("assistant:\n  -> c{n} read {{}}\nresults:\n  c{n} = {}\n", words(size))
    };
    let steps = format!("user: go\n{}{}{}{}", step(1, 900), step(2, 290), step(3, 290), step(4, 2_000));
    let left = |economy: Economy| {
        let mut own = Policy::Throughline.settings(100_000, 4_096);
        own = super::settings(own, economy);
        let compactor = Compactor::new(own.compaction, None);
        let done = compact_by(&compactor, &view(&steps), 100_000, 0, None).expect("it shrinks");
        let calls = done.view.entries().iter().flat_map(|entry| entry.message.tool_calls());
        calls.map(|call| call.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(left(Economy::Faithful), ["c2", "c3", "c4"]);
    assert_eq!(left(Economy::Balanced), ["c2", "c3", "c4"]);
    assert_eq!(left(Economy::Lean), ["c3", "c4"]);
}

/// What a model is asked for a summary of this style.
fn asked(style: SummaryStyle) -> String {
    let asked = Arc::new(Mutex::new(String::new()));
    let mut summarizer = MockSummarizer::new();
    let seen = Arc::clone(&asked);
    summarizer.expect_summarize().returning(move |request| {
        request.prompt.clone_into(&mut seen.lock().expect("no panic"));
        Ok(Prose::by_model("## Now\n- on\n\n## Done\n- all\n\nTechnical Context\n\nImmediate Next Step", "m"))
    });
    let own = Policy::Throughline.settings(100_000, 4_096).compaction;
    let policy = CompactionPolicy {
        chain: Arc::new(DeepChain(style)),
        model_summaries: ModelSummaries::Always,
        ..own
    };
    let compactor = Compactor::new(policy, Some(Arc::new(summarizer)));
    compact_by(&compactor, &view(&turns()), 100_000, 0, None).expect("it shrinks");
    let asked = asked.lock().expect("no panic");
    asked.clone()
}

#[test]
fn a_thorough_summary_is_asked_for_in_seven_sections_with_a_limit() {
    let thorough = asked(SummaryStyle::Thorough);
    let start = "Provide a detailed but concise summary of our conversation. Structure it as follows:\n";
    assert!(thorough.starts_with(start), "{thorough}");
    assert!(thorough.contains("\n7. Immediate Next Step\n"), "{thorough}");
    // Tokens of a summary under this policy, without settings for the style.
    assert!(thorough.contains("\nWrite at most 200 tokens."), "{thorough}");
    let brief = asked(SummaryStyle::Brief);
    assert!(!brief.is_empty() && !brief.starts_with(start), "{brief}");
}
