//! Groups that are taken out and brought back.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use throughline_continuity::contract::{SampleCounter, sample_log};
use throughline_conversation::{
    Action, CompactionReceipt, Edit, EditReason, ExchangeId, GroupStatus, KeyOutcome, KeyRecord, Mark,
    Message, MessageRecord, Millis, Receipt, Record, RecordBody, RegretReceipt, SearchOutcome, Seq, Source,
    Span, View, Violation, WebSearch, WebSource, project,
};
use throughline_testkit::{WordCounter, receipt, records, render_view};

use super::*;

const THREE: &str = "
user: one
assistant: first
user: two
assistant:
  -> c1 read {}
results:
  c1 = text
assistant: second
user: three
assistant: third
";

/// A log that changes are made to, as a session would make them.
struct Life {
    log: Vec<Record>,
}

impl Life {
    fn of(text: &str) -> Self {
        Self { log: records(text) }
    }

    fn add(&mut self, body: RecordBody) {
        let last = self.log.last().map_or(Seq(0), |record| record.seq);
        let exchange = newest(&self.log);
        self.log.push(Record { seq: last.next(), at: Millis(0), exchange, body });
    }

    fn change(&mut self, change: Change) -> Result<(), GroupError> {
        let mark = mark(&self.log, change)?;
        self.add(RecordBody::Mark(mark));
        if let Some(edit) = window_edit(&self.view()) {
            self.add(RecordBody::Edit(edit));
        }
        Ok(())
    }

    fn cover(&mut self, first: u64, last: u64, summary: &str) {
        let span = Span { first: Seq(first), last: Seq(last) };
        let action = Action::Cover { span, summary: Some(summary.to_owned()), note: None };
        let edit =
            Edit { reason: EditReason::Manual, actions: vec![action], strategies: vec!["test".to_owned()] };
        self.add(RecordBody::Edit(edit));
    }

    fn view(&self) -> View {
        project(&self.log, &WordCounter).unwrap()
    }

    fn shown(&self) -> String {
        render_view(&self.view())
    }
}

use super::listing::newest;

fn check(life: &Life, shown: &Expect) {
    shown.assert_eq(&life.shown());
}

// S4-15
#[test]
fn undo_takes_the_newest_group_back_and_redo_brings_it_back() {
    let mut life = Life::of(THREE);
    let before = life.shown();
    life.change(Change::Undo).unwrap();
    let without_three = life.shown();
    life.change(Change::Undo).unwrap();
    check(
        &life,
        &expect![[r#"
        user: one
        assistant: first
    "#]],
    );
    life.change(Change::Redo).unwrap();
    assert_eq!(life.shown(), without_three);
    life.change(Change::Redo).unwrap();
    assert_eq!(life.shown(), before);
    let error = life.change(Change::Redo).unwrap_err();
    assert_eq!(error.to_string(), "there is no turn to redo");
}

// S4-17 S4-25
#[test]
fn a_dropped_group_is_hidden_and_restored_in_its_place() {
    let mut life = Life::of(THREE);
    let before = life.shown();
    life.change(Change::Drop(ExchangeId(2))).unwrap();
    check(
        &life,
        &expect![[r#"
        user: one
        assistant: first
        user: three
        assistant: third
    "#]],
    );
    let listed = groups(&life.log, &life.view());
    assert_eq!(
        listed.iter().map(|group| group.status.name()).collect::<Vec<_>>(),
        ["live", "dropped", "live"]
    );
    assert_eq!(listed[1].shown, Shown::No);
    assert_eq!((listed[1].messages, listed[1].calls, listed[1].request.as_str()), (4, 1, "two"));
    life.change(Change::Restore(ExchangeId(2))).unwrap();
    assert_eq!(life.shown(), before);
}

// S4-02 S4-24
#[test]
fn a_window_shows_the_newest_groups_in_order_and_none_shows_all() {
    let mut life = Life::of(THREE);
    let before = life.shown();
    life.change(Change::Window(Some(2))).unwrap();
    check(
        &life,
        &expect![[r#"
        user: two
        assistant:
          -> c1 read {}
        results:
          c1 = text
        assistant: second
        user: three
        assistant: third
    "#]],
    );
    // An undone group makes room for an older one.
    life.change(Change::Undo).unwrap();
    assert!(life.shown().starts_with("user: one\n"));
    life.change(Change::Redo).unwrap();
    assert!(life.shown().starts_with("user: two\n"));
    life.change(Change::Window(None)).unwrap();
    assert_eq!(life.shown(), before);
}

// S4-02 S4-22
#[test]
fn a_window_hides_messages_and_leaves_summaries() {
    let mut life = Life::of(THREE);
    life.cover(1, 2, "one happened");
    let before = life.shown();
    life.change(Change::Window(Some(1))).unwrap();
    assert_eq!(life.shown(), "summary: one happened\nuser: three\nassistant: third\n");
    life.change(Change::Window(None)).unwrap();
    assert_eq!(life.shown(), before);
}

// S4-02 S4-17
#[test]
fn a_summary_that_was_made_under_a_window_does_not_count_for_the_turns_that_it_lacks() {
    let mut life = Life::of(THREE);
    life.cover(1, 2, "one happened");
    let before = life.shown();
    life.change(Change::Window(Some(1))).unwrap();
    let first = life.log.last().unwrap().seq.next();
    life.cover(1, 8, "one and three happened");
    assert_eq!(life.shown(), "summary: one and three happened\n");
    // Another mark that leaves the turn hidden changes nothing, and a summary of the summary lacks as much.
    life.change(Change::UndoCompaction).unwrap();
    life.change(Change::RedoCompaction).unwrap();
    assert_eq!(life.shown(), "summary: one and three happened\n");
    life.cover(1, 8, "once more");
    assert_eq!(life.shown(), "summary: once more\n");
    life.change(Change::Window(None)).unwrap();
    assert_eq!(life.shown(), before);
    let rows = summaries(&life.log, &life.view(), &WordCounter);
    let made: Vec<_> = rows.iter().filter(|row| row.record >= first).map(|row| row.status).collect();
    assert_eq!(made, [SummaryStatus::Stale, SummaryStatus::Stale]);
    life.change(Change::Window(Some(1))).unwrap();
    assert_eq!(life.shown(), "summary: once more\n");
    // A compaction of all turns counts under any window.
    life.change(Change::Window(None)).unwrap();
    life.cover(1, 8, "all happened");
    life.change(Change::Window(Some(2))).unwrap();
    life.change(Change::Window(None)).unwrap();
    assert_eq!(life.shown(), "summary: all happened\n");
}

#[test]
fn a_summary_that_tells_of_a_hidden_group_does_not_count_until_it_is_back() {
    let mut life = Life::of(THREE);
    life.cover(1, 6, "one and two happened");
    let before = life.shown();
    assert!(before.starts_with("summary: one and two happened\n"), "{before}");
    life.change(Change::Drop(ExchangeId(2))).unwrap();
    check(
        &life,
        &expect![[r#"
        user: one
        assistant: first
        user: three
        assistant: third
    "#]],
    );
    // A new summary is made without it; it does not count once the group is back.
    life.cover(1, 2, "one happened");
    assert!(life.shown().starts_with("summary: one happened\n"));
    life.change(Change::Restore(ExchangeId(2))).unwrap();
    assert!(life.shown().contains("one and two happened"), "{}", life.shown());
}

#[test]
fn a_compaction_is_undone_and_redone() {
    let mut life = Life::of(THREE);
    let full = life.shown();
    life.cover(1, 2, "one");
    let once = life.shown();
    life.cover(1, 6, "one and two");
    let twice = life.shown();
    life.change(Change::UndoCompaction).unwrap();
    assert_eq!(life.shown(), once);
    life.change(Change::UndoCompaction).unwrap();
    assert_eq!(life.shown(), full);
    assert_eq!(
        life.change(Change::UndoCompaction).unwrap_err().to_string(),
        "there is no compaction to undo"
    );
    life.change(Change::RedoCompaction).unwrap();
    assert_eq!(life.shown(), once);
    life.change(Change::RedoCompaction).unwrap();
    assert_eq!(life.shown(), twice);
    life.change(Change::UndoCompaction).unwrap();
    life.cover(7, 8, "three");
    let error = life.change(Change::RedoCompaction).unwrap_err().to_string();
    assert_eq!(error, "there is no compaction to redo: the view was compacted again since");
}

#[test]
fn an_impossible_change_names_the_possible_ones() {
    let mut life = Life::of(THREE);
    let say = |life: &mut Life, change| life.change(change).unwrap_err().to_string();
    assert_eq!(
        say(&mut life, Change::Drop(ExchangeId(9))),
        "there is no turn 9; the session has turns 1 to 3"
    );
    assert_eq!(
        say(&mut life, Change::Drop(ExchangeId(0))),
        "there is no turn 0; the session has turns 1 to 3"
    );
    assert_eq!(say(&mut life, Change::Restore(ExchangeId(1))), "turn 1 is live; there is nothing to restore");
    life.change(Change::Drop(ExchangeId(1))).unwrap();
    assert_eq!(say(&mut life, Change::Drop(ExchangeId(1))), "turn 1 is dropped; restore shows it again");
    let empty = mark(&[], Change::Undo).unwrap_err().to_string();
    assert_eq!(empty, "there is no turn to undo");
    assert_eq!(
        mark(&[], Change::Restore(ExchangeId(1))).unwrap_err().to_string(),
        "there is no turn 1; the session has none yet"
    );
    life.change(Change::Undo).unwrap();
    life.add(RecordBody::Message(MessageRecord {
        message: Message::user("four"),
        source: Source::User,
        usage: None,
    }));
    if let Some(last) = life.log.last_mut() {
        last.exchange = ExchangeId(4);
    }
    let error = say(&mut life, Change::Redo);
    assert_eq!(
        error,
        "there is no turn to redo: turn 4 began since; `restore 3` still brings the old one back"
    );
}

// S4-16
#[test]
fn a_purge_takes_summaries_documents_and_stored_results_with_it() {
    let all = sample_log(11, 300);
    let last = newest(&all);
    for exchange in [1, last.0 / 2, last.0].map(ExchangeId) {
        let purge = purge(&all, exchange, &[]);
        let mut after = all.clone();
        for record in &purge.redacted {
            after[(record.seq.0 - 1) as usize] = record.clone();
        }
        for (old, new) in all.iter().zip(&after) {
            assert_eq!((old.seq, old.at, old.exchange), (new.seq, new.at, new.exchange));
            assert!(
                !(new.exchange == exchange && matches!(new.body, RecordBody::Message(_))),
                "a message of the group is left"
            );
        }
        let seq = after.last().unwrap().seq.next();
        let status = GroupStatus::Removed;
        let body = RecordBody::Mark(Mark::Group { exchange, status });
        after.push(Record { seq, at: Millis(0), exchange: last, body });
        let view = project(&after, &SampleCounter).unwrap();
        assert!(
            view.entries()
                .iter()
                .all(|entry| entry.exchange != exchange || entry.span.first != entry.span.last)
        );
        let again = super::purge(&after, exchange, &[]);
        assert_eq!(again.redacted, [], "a second time there is nothing left to do");
    }
}

#[test]
fn a_purge_takes_the_keys_of_its_turn_and_no_others() {
    let mut life = Life::of(THREE);
    life.add(RecordBody::Keyed(KeyRecord {
        key: "said by ann".to_owned(),
        operation: "user".to_owned(),
        input: None,
        message: None,
        outcome: KeyOutcome::Accepted,
        since: Seq(1),
    }));
    let takes = |exchange: u64| {
        let is_key =
            |record: &Record| matches!(&record.body, RecordBody::Removed(removed) if removed.was == "keyed");
        purge(&life.log, ExchangeId(exchange), &[]).redacted.iter().any(is_key)
    };
    assert_eq!([takes(2), takes(3)], [false, true]);
}

#[test]
fn a_purge_takes_the_names_that_compactions_lost_since_its_turn() {
    let mut life = Life::of(THREE);
    let lost = CompactionReceipt {
        lost: vec!["src/secret.rs".to_owned()],
        lost_count: 1,
        ..CompactionReceipt::new(EditReason::Manual, 900, 400)
    };
    life.add(RecordBody::Receipt(Box::new(Receipt { compaction: Some(lost), ..receipt() })));
    for exchange in [1, 2, 3].map(ExchangeId) {
        let purge = purge(&life.log, exchange, &[]);
        let left = purge.redacted.iter().find_map(|record| match &record.body {
            RecordBody::Receipt(receipt) => receipt.compaction.clone(),
            _ => None,
        });
        let left = left.unwrap();
        assert_eq!((left.lost, left.lost_count), (Vec::new(), 1), "{exchange}");
    }
}

#[test]
fn a_purge_takes_searches_and_what_later_answers_needed_of_its_turn() {
    let mut life = Life::of(THREE);
    let regret = RegretReceipt {
        edit: Seq(3),
        names: vec!["secret_name".to_owned()],
        lines: vec!["let secret = 1;".to_owned()],
        files: vec!["src/secret.rs".to_owned()],
        read_back: vec!["r1".to_owned()],
        price: 7.5,
    };
    let search = WebSearch {
        id: "s1".to_owned(),
        query: "a private matter".to_owned(),
        outcome: SearchOutcome::Running,
    };
    life.add(RecordBody::Receipt(Box::new(Receipt {
        regret: vec![regret],
        searches: vec![search],
        cited: vec![WebSource { title: "private".to_owned(), url: "https://a.example".to_owned() }],
        ..receipt()
    })));
    let left = |exchange: u64| {
        let purge = purge(&life.log, ExchangeId(exchange), &[]);
        purge.redacted.iter().find_map(|record| match &record.body {
            RecordBody::Receipt(receipt) => Some(receipt.clone()),
            _ => None,
        })
    };
    // The turns before it may be quoted in what it needed again; its own searches are its own.
    for exchange in [1, 3] {
        let left = left(exchange).unwrap();
        let text = serde_json::to_string(&left.regret).unwrap();
        assert!(!text.contains("secret") && left.regret[0].price > 7.0, "{text}");
    }
    let own = left(3).unwrap();
    assert!(own.searches.is_empty() && own.cited.is_empty(), "{own:?}");
}

/// A change and the one that takes it back.
fn change_and_inverse(choice: u8, group: ExchangeId) -> (Change, Change) {
    match choice % 4 {
        0 => (Change::Undo, Change::Redo),
        1 => (Change::Drop(group), Change::Restore(group)),
        2 => (Change::UndoCompaction, Change::RedoCompaction),
        _ => (Change::Restore(group), Change::Drop(group)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// A change and its inverse round-trip byte for byte, on any log, and the view is valid in between.
    #[test]
    fn a_change_and_its_inverse_round_trip(seed: u64, length in 1_usize..150, choice: u8, group in 1_u64..40) {
        let mut life = Life { log: sample_log(seed, length) };
        let shown = |life: &Life| {
            let view = project(&life.log, &SampleCounter).unwrap();
            // The samples hide first messages as they like, but pairs stay whole whatever is hidden.
            let of_pairs = |one: &Violation| {
                matches!(
                    one,
                    Violation::MissingResult { .. } | Violation::OrphanResult { .. } | Violation::DuplicateCall { .. }
                )
            };
            prop_assert!(!view.violations().iter().any(of_pairs));
            Ok(serde_json::to_string(view.transcript()).unwrap() + &serde_json::to_string(view.documents()).unwrap())
        };
        let before = shown(&life)?;
        let was_dropped = groups(&life.log, &life.view())
            .iter()
            .any(|one| one.id.0 == group && one.status.name() == "dropped");
        let (there, back) = change_and_inverse(choice, ExchangeId(group));
        // Coming back from `undone` by a drop is no way back.
        prop_assume!(!matches!(there, Change::Restore(_)) || was_dropped);
        if life.change(there).is_ok() {
            shown(&life)?;
            life.change(back).unwrap();
            prop_assert!(shown(&life)? == before, "{there:?} and its inverse");
        }
    }

    #[test]
    fn taking_records_one_by_one_gives_what_the_whole_log_gives(seed: u64, length in 1_usize..120, cut in 0_usize..120) {
        let all = sample_log(seed, length);
        let cut = cut.min(all.len());
        let mut view = project(&all[..cut], &SampleCounter).unwrap();
        for (at, record) in all.iter().enumerate().skip(cut) {
            if view.apply(record, &SampleCounter).is_err() {
                view = project(&all[..=at], &SampleCounter).unwrap();
            }
        }
        prop_assert!(view == project(&all, &SampleCounter).unwrap());
    }
}

#[test]
fn what_stands_before_the_first_turn_is_no_turn() {
    let mut life = Life::of("user: one\nassistant: first\n");
    // Messages of exchange 0 belong to the session, as those of an import before its first turn.
    life.log.iter_mut().for_each(|record| record.exchange = ExchangeId(0));
    let error = life.change(Change::Undo).unwrap_err();
    assert_eq!(error.to_string(), "there is no turn to undo");
    for change in [Change::Drop(ExchangeId(0)), Change::Restore(ExchangeId(0))] {
        assert!(matches!(mark(&life.log, change), Err(GroupError::Unknown { .. })), "{change:?}");
    }
    assert!(removal(&life.log, ExchangeId(0)).is_err());
}
