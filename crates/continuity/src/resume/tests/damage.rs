//! What is said when something cannot be read.

use expect_test::Expect;
use throughline_conversation::{Action, Degradation, Edit, EditReason, ResultRef, Span};

use super::*;

const FOUR: &str = "user: one\nassistant: two\nuser: three\nassistant: four\n";

/// Four messages and an edit behind them.
fn four_and(action: Action) -> Vec<Record> {
    let mut all = records(FOUR);
    let edit = Edit { reason: EditReason::Manual, actions: vec![action], strategies: Vec::new() };
    all.push(Record { seq: Seq(5), at: Millis(0), exchange: ExchangeId(2), body: RecordBody::Edit(edit) });
    all
}

async fn check_rebuilt(spoil: impl AsyncFnOnce(&Kept), expect: Expect) {
    let all = records(FOUR);
    let kept = Kept::with_snapshot(&all, 2).await;
    spoil(&kept).await;
    let resumed = kept.resume().await.unwrap();
    assert_eq!(resumed.view, project(&all, &SampleCounter).unwrap());
    assert!(!resumed.from_snapshot);
    expect.assert_eq(&resumed.rebuilt.unwrap());
}

#[tokio::test]
async fn the_reason_for_a_rebuild_is_reported() {
    check_rebuilt(
        async |kept| kept.snapshots.damage(&kept.session, |snapshot| snapshot.epoch = 9),
        expect!["the snapshot is damaged: its content does not match its digest"],
    )
    .await;
    check_rebuilt(
        async |kept| kept.snapshots.failures().fail_next("the disk is gone"),
        expect!["the snapshot store failed: the disk is gone"],
    )
    .await;
    check_rebuilt(
        async |kept| {
            let mut ahead = kept.snapshots.load(&kept.session).await.unwrap().unwrap();
            ahead.covers = Seq(5);
            kept.snapshots.save(&ahead).await.unwrap();
        },
        expect!["the snapshot covers record 5, but the log ends with record 4"],
    )
    .await;
}

#[tokio::test]
async fn a_snapshot_on_which_the_log_does_not_fit_is_not_used() {
    let span = Span { first: Seq(1), last: Seq(2) };
    let all = four_and(Action::Cover { span, summary: Some("early work".to_owned()), note: None });
    let kept = Kept::with_snapshot(&all, 4).await;
    let mut wrong = kept.snapshots.load(&kept.session).await.unwrap().unwrap();
    wrong.entries.drain(..2);
    kept.snapshots.save(&wrong).await.unwrap();
    let resumed = kept.resume().await.unwrap();
    assert_eq!(resumed.view, project(&all, &SampleCounter).unwrap());
    assert_eq!((resumed.from_snapshot, resumed.records_read), (false, 1 + 5));
    let says = expect![
        "record 5 does not fit the snapshot, which covers record 4: the edit covers records 1 to 2, which are no whole entries of the view"
    ];
    says.assert_eq(&resumed.rebuilt.unwrap());
}

#[tokio::test]
async fn a_session_with_a_damaged_message_opens_without_it_and_names_it() {
    let all = records(FOUR);
    let kept = Kept::of(&all).await;
    kept.log.damage(&kept.session, Seq(2));
    let resumed = kept.resume().await.unwrap();
    let others = all.iter().filter(|record| record.seq != Seq(2));
    assert_eq!(resumed.view, project(others, &SampleCounter).unwrap());
    assert_eq!(resumed.unreadable, [Unreadable::one(Seq(2), "it was made unreadable")]);
    assert_eq!(resumed.last, Seq(4));
}

#[tokio::test]
async fn a_damaged_record_that_the_snapshot_covers_does_no_harm() {
    let all = records(FOUR);
    let kept = Kept::with_snapshot(&all, 2).await;
    kept.log.damage(&kept.session, Seq(2));
    let resumed = kept.resume().await.unwrap();
    assert!(resumed.from_snapshot);
    assert_eq!(resumed.view, project(&all, &SampleCounter).unwrap());
}

#[tokio::test]
async fn an_edit_that_fits_nothing_is_left_out_and_named() {
    let stored = ResultRef::from_text("r-1");
    let all = four_and(Action::ReplaceResult { call_id: "c9".to_owned(), text: "stub".to_owned(), stored });
    let resumed = Kept::of(&all).await.resume().await.unwrap();
    assert_eq!(resumed.view, project(&all[..4], &SampleCounter).unwrap().at(Seq(5)));
    let says = expect!["record 5 is lost: the edit names call c9, which is not in view"];
    says.assert_eq(&resumed.unreadable[0].to_string());
}

/// No single record may hide a session: what the view does not need is left out and named.
#[tokio::test]
async fn a_damaged_prompt_does_not_keep_the_session_closed() {
    let mut all = records(FOUR);
    let prompt = RecordBody::Prompt(PromptRecord { sections: Vec::new() });
    let degraded = RecordBody::Degraded(Degradation {
        subsystem: "result store".to_owned(),
        fallback: "inline".to_owned(),
        cause: "disk".to_owned(),
    });
    for (seq, body) in [(5, prompt), (6, degraded)] {
        all.push(Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(2), body });
    }
    let kept = Kept::of(&all).await;
    kept.log.damage(&kept.session, Seq(5));
    kept.log.damage(&kept.session, Seq(6));
    let resumed = kept.resume().await.unwrap();
    assert_eq!(resumed.view, project(&all, &SampleCounter).unwrap());
    assert_eq!(resumed.prompt, None);
    assert_eq!(resumed.unreadable, [Unreadable::one(Seq(5), "it was made unreadable")]);
}

#[tokio::test]
async fn a_log_that_fails_is_an_error_with_its_cause() {
    let kept = Kept::of(&records(FOUR)).await;
    kept.log.failures().fail_with("the disk is gone");
    let error = kept.resume().await.unwrap_err();
    expect!["session s1 cannot be resumed: its log cannot be read: the log failed: the disk is gone"]
        .assert_eq(&with_causes(&error));
    kept.log.failures().recover();
    assert!(kept.resume().await.is_ok());
}

#[tokio::test]
async fn a_missing_session_is_not_an_empty_one() {
    let mut log = crate::MockMessageLog::new();
    log.expect_last().returning(|session| Err(LogError::NoSession(session.clone())));
    let error =
        resume(&log, &InMemorySnapshotStore::new(), &session("s1"), &SampleCounter).await.unwrap_err();
    assert!(matches!(&error, ResumeError::NoSession(id) if id.as_str() == "s1"));
    expect!["there is no session s1 to resume"].assert_eq(&error.to_string());
}
