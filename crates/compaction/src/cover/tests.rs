//! How the budgets are shared out between the ranges on both sides of the user's last request.

use throughline_conversation::{Action, EditReason, EntryKind, ExchangeId, Seq, Span, Unit, UnitKind, View};
use throughline_ledger::section;
use throughline_testkit::{WordCounter, records, view};

use super::{
    Range, analyze, budgets_left, cover_range, fresh_ranges, leave_out, ranges, units_to_cover,
    units_to_leave_out, whole_range,
};
use crate::budgets::Budgets;
use crate::plan::Plan;
use crate::plan::last_request;
use crate::summarizer::Prose;
use crate::template::Template;
use crate::testing::{appended, compact, session, small, with_summaries, words};
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

/// How many of ten units of 100 tokens each are covered; those at the places are of that kind.
fn covered(kind: UnitKind, places: &[usize], pinned: Option<usize>, aim: u64, budgets: Budgets) -> usize {
    let unit = |at: usize| Unit {
        entries: at..at + 1,
        kind: if places.contains(&at) { kind } else { UnitKind::Step },
        exchange: ExchangeId(1),
        span: Span::one(Seq(at as u64 + 1)),
        tokens: 100,
    };
    let units: Vec<Unit> = (0..10).map(unit).collect();
    assert_eq!(units_to_cover(1_000, &units, pinned, 1, 0, budgets), 1, "no more than the end");
    units_to_cover(1_000, &units, pinned, 10, aim, budgets)
}

#[test]
fn as_many_units_are_covered_as_the_aim_needs_next_to_their_summary() {
    let none = Budgets::default();
    let notes = Budgets { progress: 10, ledger: 10, names: 10, given: 10, ..none };
    let words = |words| Budgets { words, ..none };
    let (step, user, note) = (UnitKind::Step, UnitKind::User, UnitKind::Note);
    for (kind, places, pinned, aim, budgets, expected) in [
        // The frame has 150 tokens.
        (step, vec![], None, 550, none, 6),
        (step, vec![], None, 549, none, 7),
        (step, vec![], None, 150, none, 10),
        (step, vec![], None, 9_000, none, 1),
        // Notes have a fifth of what is covered, or their budgets.
        (step, vec![], None, 590, notes, 6),
        (step, vec![], None, 589, notes, 7),
        (step, vec![], None, 1_070, notes, 1),
        (step, vec![], None, 1_069, notes, 2),
        // Words of the user are repeated within their budget.
        (user, vec![0], None, 1_080, words(30), 1),
        (user, vec![0], None, 1_079, words(30), 2),
        (user, vec![0], None, 1_150, words(500), 1),
        (user, vec![0], None, 1_149, words(500), 2),
        (user, vec![0, 1], None, 1_149, words(500), 3),
        // The pinned unit and earlier summaries gain nothing.
        (step, vec![], Some(0), 550, none, 7),
        (step, vec![], Some(9), 550, none, 6),
        (note, vec![0], None, 550, none, 7),
        (note, vec![0], Some(0), 550, none, 7),
        (note, vec![0, 1], Some(2), 550, none, 9),
    ] {
        let found = covered(kind, &places, pinned, aim, budgets);
        assert_eq!(found, expected, "{kind:?} {places:?}, {pinned:?}, {aim}, {budgets:?}");
    }
}

fn with_draft<T>(view: &View, act: impl FnOnce(&mut Draft<'_>) -> T) -> T {
    let session = session();
    let job = CompactionJob::new(&session, view, &WordCounter, ROOM);
    act(&mut Draft::new(&job))
}

/// First and last record, tokens, and whether it is fresh.
fn shown(range: &Range) -> (u64, u64, u64, bool) {
    (range.span.first.0, range.span.last.0, range.tokens, range.fresh)
}

#[test]
fn a_pinned_unit_parts_what_is_before_it_from_what_is_behind_it() {
    let view = view("user: a\nassistant: b b\nuser: c\nassistant: d d d");
    let (before, behind) = ((1, 2, 3, true), (4, 4, 3, true));
    for (pinned, count, expected) in [
        (Some(2), 4, vec![before, behind]),
        (Some(2), 3, vec![before]),
        (Some(2), 2, vec![before]),
        (Some(2), 1, vec![(1, 1, 1, true)]),
        (Some(0), 2, vec![(2, 2, 2, true)]),
        (None, 4, vec![(1, 4, 7, true)]),
        (None, 0, vec![]),
    ] {
        let found = with_draft(&view, |draft| ranges(&draft.units(), draft.entries(), pinned, count));
        assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expected, "{pinned:?}, {count}");
    }
}

#[test]
fn one_earlier_summary_alone_is_not_covered_again() {
    for (text, summaries, whole, fresh) in [
        ("user: s\nuser: go", vec![0], vec![(1, 2, 2, true)], vec![]),
        ("user: s\nuser: t\nuser: go", vec![0, 1], vec![(1, 3, 3, true)], vec![(1, 2, 2, true)]),
        ("user: s\nassistant: a\nuser: go", vec![0], vec![(1, 3, 3, true)], vec![(1, 2, 2, true)]),
        ("user: s", vec![0], vec![], vec![]),
        ("user: s\nuser: t", vec![0, 1], vec![(1, 2, 2, true)], vec![(1, 2, 2, true)]),
        ("assistant: a", vec![], vec![(1, 1, 1, true)], vec![(1, 1, 1, true)]),
    ] {
        with_draft(&with_summaries(text, &summaries), |draft| {
            let count = draft.units().len();
            let found: Vec<_> = whole_range(draft, count).iter().map(shown).collect();
            assert_eq!(found, whole, "{text}");
            let found: Vec<_> = fresh_ranges(draft, count).iter().map(shown).collect();
            assert_eq!(found, fresh, "{text}");
        });
    }
}

#[test]
fn units_are_left_out_down_to_the_aim() {
    let text: String = (0..9).map(|n| format!("assistant: {}\n", words(100 + n))).collect();
    let view = view(&format!("user: go\n{text}"));
    let (session, policy) = (session(), small());
    let job = CompactionJob::new(&session, &view, &WordCounter, ROOM);
    let plan = Plan { aim: 700, ..Plan::new(&job, &policy) };
    let mut draft = Draft::new(&job);
    let count = units_to_leave_out(&draft, &plan, 10);
    // Of 937 tokens 406 go for a line of 150.
    assert_eq!((count, units_to_leave_out(&draft, &plan, 3)), (5, 3));
    leave_out(&mut draft, &plan, count, &Template::ROLLING);
    draft.settle().unwrap();
    let shown = throughline_testkit::render_view(draft.view());
    assert!(
        shown.starts_with("user: go\nsummary: [Messages left out to fit the window: records 2 to 5."),
        "{shown}"
    );
    assert_eq!(draft.entries().len(), 7);
}

#[test]
fn summaries_outside_of_the_ranges_leave_less_but_a_quarter() {
    let summary =
        |count| format!("user: [Summary]\\n\\n## Progress\\n{}\\n\\n## Reading back\\nnone\n", words(count));
    let view = with_summaries(&format!("{}user: one two three\n{}", summary(10), summary(35)), &[0, 2]);
    let whole = Budgets { words: 40, progress: 40, ledger: 40, names: 40, given: 40 };
    for (spans, progress) in
        [(vec![(2, 3)], 30), (vec![(1, 2)], 10), (vec![(1, 1), (2, 3)], 40), (vec![], 10)]
    {
        let range = |(first, last)| Range {
            span: Span { first: Seq(first), last: Seq(last) },
            tokens: 1,
            fresh: true,
        };
        let ranges: Vec<Range> = spans.iter().copied().map(range).collect();
        let left = with_draft(&view, |draft| budgets_left(draft, &ranges, whole));
        assert_eq!(left, Budgets { progress, ..whole }, "{spans:?}");
    }
}

#[test]
fn a_summary_knows_how_it_was_made_and_which_one_it_follows() {
    let view = with_summaries("user: s\nuser: t\nassistant: a\nuser: go", &[0, 1]);
    with_draft(&view, |draft| {
        let ranges = fresh_ranges(draft, 3);
        let range = ranges.first().unwrap();
        let prose = Prose::by_model("all of it", "m");
        cover_range(draft, range, "all of it".to_owned(), &Template::ROLLING, &prose);
        let edit = draft.edit(EditReason::Manual, Vec::new());
        let [Action::Cover { span, summary, note: Some(note) }] = edit.actions.as_slice() else {
            unreachable!("one summary")
        };
        assert_eq!((*span, summary.as_deref()), (Span { first: Seq(1), last: Seq(3) }, Some("all of it")));
        assert_eq!(
            (note.tokens, note.model.as_deref(), note.parent),
            (3, Some("m"), Some(Span::one(Seq(2))))
        );
        assert_eq!(note.template, Template::ROLLING.name);
    });
}
