//! Resuming: the law over random logs, and every way in which a snapshot may be of no use.

use std::collections::BTreeMap;
use std::sync::Arc;

use expect_test::expect;
use throughline_conversation::{
    Action, CheckpointReason, CheckpointRecord, Edit, EditReason, ExchangeId, ForeignTools, GroupStatus,
    Mark, Millis, ModelRecord, Origin, PolicyRecord, PromptRecord, RemovedRecord, Span, ToolsRecord, project,
};
use throughline_testkit::{WordCounter, receipt, records, render_view};

use super::*;
use crate::contract::{SampleCounter, session};
use crate::memory::{InMemoryMessageLog, InMemorySnapshotStore};
use crate::snapshot::snapshot_of;

mod damage;
mod law;

struct Kept {
    log: InMemoryMessageLog,
    snapshots: InMemorySnapshotStore,
    session: SessionId,
}

impl Kept {
    async fn of(records: &[Record]) -> Self {
        let kept = Self {
            log: InMemoryMessageLog::new(),
            snapshots: InMemorySnapshotStore::new(),
            session: session("s1"),
        };
        kept.log.append(&kept.session, records).await.unwrap();
        kept
    }

    /// With a snapshot after the first `covers` records.
    async fn with_snapshot(records: &[Record], covers: usize) -> Self {
        let kept = Self::of(records).await;
        let view = project(&records[..covers], &SampleCounter).unwrap();
        kept.snapshots.save(&snapshot_of(&kept.session, &view, Millis(1))).await.unwrap();
        kept
    }

    async fn resume(&self) -> Result<Resumed, ResumeError> {
        resume(&self.log, &self.snapshots, &self.session, &SampleCounter).await
    }
}

#[tokio::test]
async fn an_empty_session_opens_empty() {
    let resumed = Kept::of(&[]).await.resume().await.unwrap();
    assert_eq!(resumed.view, View::default());
    assert_eq!((resumed.last, resumed.exchange), (Seq(0), ExchangeId(0)));
    assert_eq!((resumed.prompt, resumed.tools, resumed.receipt), (None, None, None));
    assert_eq!((resumed.rebuilt, resumed.from_snapshot, resumed.records_read), (None, false, 0));
}

#[tokio::test]
async fn the_snapshot_of_a_session_without_records_is_used_or_the_reason_is_reported() {
    let kept = Kept::with_snapshot(&[], 0).await;
    let resumed = kept.resume().await.unwrap();
    assert_eq!((resumed.from_snapshot, resumed.rebuilt, resumed.records_read), (true, None, 0));
    let mut ahead = kept.snapshots.load(&kept.session).await.unwrap().unwrap();
    ahead.covers = Seq(2);
    kept.snapshots.save(&ahead).await.unwrap();
    let resumed = kept.resume().await.unwrap();
    assert_eq!((resumed.from_snapshot, resumed.view), (false, View::default()));
    assert!(resumed.rebuilt.unwrap().contains("the log ends with record 0"));
}

/// A log of a message and one record for each of these contents.
fn and(bodies: Vec<RecordBody>) -> Vec<Record> {
    let mut all = records("user: one\n");
    let at = all.len() as u64;
    all.extend(bodies.into_iter().zip(at + 1..).map(|(body, seq)| Record {
        seq: Seq(seq),
        at: Millis(i64::try_from(seq).unwrap()),
        exchange: ExchangeId(1),
        body,
    }));
    all
}

#[tokio::test]
async fn the_newest_record_of_each_kind_is_found() {
    let model = |name: &str| ModelRecord {
        origin: Arc::new(Origin::new("anthropic", name)),
        window: 200_000,
        learnt: BTreeMap::new(),
        foreign: ForeignTools::default(),
        thinking_from: None,
        thinking: None,
    };
    let policy = PolicyRecord { name: "dex".to_owned(), before: None, economy: None };
    let prompt = PromptRecord { sections: Vec::new() };
    let tools = ToolsRecord { tools: Vec::new(), why: "first request".to_owned() };
    let all = and(vec![
        RecordBody::Model(model("older")),
        RecordBody::Model(model("newer")),
        RecordBody::Policy(policy.clone()),
        RecordBody::Prompt(prompt.clone()),
        RecordBody::Tools(tools.clone()),
        RecordBody::Receipt(Box::new(receipt())),
    ]);
    let resumed = Kept::of(&all).await.resume().await.unwrap();
    assert_eq!((resumed.model, resumed.policy), (Some(model("newer")), Some(policy)));
    assert_eq!((resumed.prompt, resumed.tools), (Some(prompt), Some(tools)));
    assert_eq!((resumed.receipt, resumed.answered), (Some(receipt()), Some(Millis(7))));
    assert_eq!(resumed.checkpoint, None);
}

#[tokio::test]
async fn a_checkpoint_counts_unless_its_work_is_undone() {
    let checkpoint = CheckpointRecord {
        iteration: 3,
        input_tokens: 100,
        output_tokens: 20,
        ..CheckpointRecord::new(CheckpointReason::Interval, Seq(1))
    };
    let mut all = and(vec![RecordBody::Checkpoint(Box::new(checkpoint.clone()))]);
    let resumed = Kept::of(&all).await.resume().await.unwrap();
    assert_eq!(resumed.checkpoint, Some(checkpoint.clone()));
    let mut add = |exchange, body| {
        let seq = Seq(all.len() as u64 + 1);
        all.push(Record { seq, at: Millis(0), exchange: ExchangeId(exchange), body });
        all.clone()
    };
    let undone = |exchange| {
        RecordBody::Mark(Mark::Group { exchange: ExchangeId(exchange), status: GroupStatus::Undone })
    };
    let later = CheckpointRecord {
        reason: CheckpointReason::Exit,
        iteration: 5,
        input_tokens: 300,
        output_tokens: 70,
        last_error: Some("it is undone".to_owned()),
        ..checkpoint.clone()
    };
    add(2, RecordBody::Checkpoint(Box::new(later)));
    let resumed = Kept::of(&add(2, undone(2))).await.resume().await.unwrap();
    let spent = CheckpointRecord { iteration: 5, input_tokens: 300, output_tokens: 70, ..checkpoint };
    assert_eq!(resumed.checkpoint, Some(spent.clone()), "the one before holds, and what was spent was spent");
    let sums = CheckpointRecord { reason: CheckpointReason::Exit, messages: Seq(0), ..spent };
    let resumed = Kept::of(&add(2, undone(1))).await.resume().await.unwrap();
    assert_eq!(resumed.checkpoint, Some(sums), "no work is left, and what was spent was spent");
}

#[tokio::test]
async fn a_mark_behind_the_snapshot_needs_the_whole_log_and_is_no_fault() {
    let mut all = records("user: one\nassistant: two\nuser: three\nassistant: four\n");
    let mark = Mark::Group { exchange: ExchangeId(1), status: GroupStatus::Undone };
    all.push(Record { seq: Seq(5), at: Millis(0), exchange: ExchangeId(2), body: RecordBody::Mark(mark) });
    let resumed = Kept::with_snapshot(&all, 2).await.resume().await.unwrap();
    assert_eq!(resumed.view, project(&all, &SampleCounter).unwrap());
    // Three behind the snapshot, and then all five.
    assert_eq!((resumed.from_snapshot, resumed.rebuilt, resumed.records_read), (false, None, 8));
}

// S3-20
#[tokio::test]
async fn the_snapshot_comes_first_and_then_the_messages_behind_it() {
    let all = records("user: one\nassistant: two\nuser: three\nassistant: four\n");
    let kept = Kept::with_snapshot(&all, 3).await;
    let resumed = kept.resume().await.unwrap();
    assert!(resumed.from_snapshot);
    assert_eq!(resumed.records_read, 1);
    expect![[r#"
        user: one
        assistant: two
        user: three
        assistant: four
    "#]]
    .assert_eq(&render_view(&resumed.view));
    kept.snapshots.remove(&kept.session).await.unwrap();
    let whole = kept.resume().await.unwrap();
    assert_eq!((whole.from_snapshot, whole.records_read, whole.rebuilt), (false, 4, None));
    assert_eq!(whole.view, resumed.view, "the audit log alone gives the same view");
}

/// A snapshot counted by another tokenizer would make the budget wrong from the first request on.
#[tokio::test]
async fn tokens_are_counted_by_the_counter_that_is_in_use_now() {
    let all = records("user: one two three four five\nassistant: six\n");
    let kept = Kept::with_snapshot(&all, 2).await;
    let resumed = resume(&kept.log, &kept.snapshots, &kept.session, &WordCounter).await.unwrap();
    assert!(resumed.from_snapshot);
    assert_eq!(resumed.view.tokens(), 6);
    assert_eq!(resumed.view, project(&all, &WordCounter).unwrap());
}

/// The next exchange must not take a number that was used, even when the view no longer shows it.
#[tokio::test]
async fn the_exchange_is_the_newest_one_of_the_log() {
    let mut all = records("user: one\nassistant: two\nuser: three\nassistant: four\n");
    let span = Span { first: Seq(3), last: Seq(4) };
    let edit = Edit {
        reason: EditReason::Manual,
        actions: vec![Action::Cover { span, summary: None, note: None }],
        strategies: Vec::new(),
    };
    all.push(Record { seq: Seq(5), at: Millis(0), exchange: ExchangeId(2), body: RecordBody::Edit(edit) });
    let resumed = Kept::of(&all).await.resume().await.unwrap();
    assert_eq!(resumed.view.exchange(), ExchangeId(1));
    assert_eq!(resumed.exchange, ExchangeId(2));
}

// F-34: nor when all of its messages were deleted permanently.
#[tokio::test]
async fn the_number_of_a_group_that_was_deleted_is_not_given_again() {
    let mut all = records("user: one\nassistant: two\nuser: three\nassistant: four\n");
    let status = GroupStatus::Removed;
    let mark = Mark::Group { exchange: ExchangeId(2), status };
    all.push(Record { seq: Seq(5), at: Millis(0), exchange: ExchangeId(2), body: RecordBody::Mark(mark) });
    for record in all.iter_mut().filter(|record| matches!(record.body, RecordBody::Message(_))) {
        if record.exchange == ExchangeId(2) {
            record.body = RecordBody::Removed(RemovedRecord { was: "message".to_owned() });
        }
    }
    let resumed = Kept::of(&all).await.resume().await.unwrap();
    assert_eq!(resumed.view.exchange(), ExchangeId(1));
    assert_eq!(resumed.exchange, ExchangeId(2));
}
