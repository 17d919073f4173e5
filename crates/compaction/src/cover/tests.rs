//! How the budgets are shared out between the ranges on both sides of the user's last request.

use throughline_conversation::{EntryKind, View};
use throughline_ledger::section;
use throughline_testkit::{WordCounter, records, view};

use super::{analyze, ranges};
use crate::budgets::Budgets;
use crate::plan::last_request;
use crate::testing::{appended, compact, session, small, words};
use crate::{CompactionJob, Compactor, Draft, Goal, RollingSummary};

const ROOM: u64 = 4_000;
const WHOLE: Budgets = Budgets { words: 100, progress: 100, ledger: 90, names: 300, given: 0 };

fn append(view: &mut View, notation: &str) {
    for mut record in records(notation) {
        record.seq = view.last().next();
        view.apply(&record, &WordCounter).expect("in order");
    }
}

/// Steps with many names in short results, or in long ones.
fn steps(from: usize, count: usize, size: usize) -> String {
    let step = |n: usize| {
        format!(
            "assistant: step {n} of this long work\n  -> c{n} edit {{\"path\":\"src/f{n}.rs\",\"oldText\":\"a\",\"newText\":\"b\"}}\n  \
             -> b{n} bash {{\"command\":\"cargo test t{n}\"}}\nresults:\n  c{n} = only_in_{n} {}\n  b{n} ! error: it failed\n",
            words(size)
        )
    };
    (from..from + count).map(step).collect()
}

fn compactor() -> Compactor {
    Compactor::with_strategies(small(), vec![std::sync::Arc::new(RollingSummary::new(None))])
}

fn first_summary(view: &View) -> String {
    let summary = view.entries().iter().find(|entry| entry.kind == EntryKind::Summary);
    summary.expect("a summary").message.text()
}

/// A view with a summary of a long work in front.
fn summarized() -> View {
    let first =
        view(&format!("user: the first request\n{}assistant: that is done now\nuser: on", steps(1, 12, 60)));
    let done = compact(&compactor(), &first, ROOM, Goal::Deep).expect("it shrinks");
    appended(&first, &done)
}

/// What each side of the last request gets of the whole.
fn shares(view: &View) -> Vec<Budgets> {
    let session = session();
    let job = CompactionJob::new(&session, view, &WordCounter, ROOM);
    let draft = Draft::new(&job);
    let units = draft.units();
    let sides = ranges(&units, draft.entries(), last_request(&units, draft.entries()), units.len());
    analyze(&draft, &sides, WHOLE).into_iter().map(|known| known.budgets).collect()
}

#[test]
fn without_a_summary_the_tokens_decide() {
    let text = format!("user: one\nassistant: {}\nuser: two\nassistant: {}", words(99), words(300));
    let [before, behind] = shares(&view(&text)).try_into().expect("two sides");
    assert_eq!(before, Budgets { words: 100, progress: 25, ledger: 22, names: 75, given: 0 });
    assert_eq!(behind, Budgets { words: 0, progress: 75, ledger: 67, names: 225, given: 0 });
}

#[test]
fn a_summary_keeps_its_share_next_to_a_long_loop() {
    let mut view = summarized();
    let held = Budgets::held_by(&first_summary(&view), &WordCounter).at_most(WHOLE);
    assert!(held.progress > 50 && held.ledger > 50 && held.names > 20, "{held:?}");
    append(&mut view, &format!("{}user: the last\n{}", steps(100, 1, 20), steps(200, 10, 2_000)));
    let [before, behind] = shares(&view).try_into().expect("two sides");
    assert_eq!(before, Budgets { words: 100, ..held });
    assert!(behind.progress > 95 && behind.ledger > 85 && behind.names > 290, "{behind:?}");
}

#[test]
fn a_summary_with_a_large_share_gets_no_more() {
    let mut view = summarized();
    append(&mut view, &format!("{}user: the last\n{}", steps(100, 2, 9_000), steps(200, 1, 20)));
    let [before, behind] = shares(&view).try_into().expect("two sides");
    assert!(before.progress == 99 && behind.progress == 0, "{before:?} {behind:?}");
}

#[test]
fn what_a_summary_says_outlives_a_long_loop() {
    let mut view = summarized();
    let before = first_summary(&view);
    append(&mut view, &format!("{}user: the last\n{}", steps(100, 1, 20), steps(200, 5, 500)));
    let done = compact(&compactor(), &view, ROOM, Goal::Deep).expect("it shrinks");
    let after = first_summary(&done.view);
    assert!(!after.contains("records 1 to 25 "), "it is rewritten: {after}");
    for name in ["Progress", "Files", "Commands", "Names"] {
        let lines = |text| section(text, name).unwrap_or_default().split(['\n', ',']).count();
        assert!(lines(&after) + 1 >= lines(&before), "{name} of {before}\nin {after}");
    }
}
