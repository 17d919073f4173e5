//! Records that are replaced in their places, together with what is appended.

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{LogError, MessageLog, Part, SnapshotStore, read_all};
use throughline_conversation::{Record, RecordBody, RemovedRecord, Seq};

use super::Fixture;

async fn all(fixture: &Fixture) -> Vec<Record> {
    let log = fixture.store.message_log();
    read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap().records
}

fn other(record: &Record) -> Record {
    let body = RecordBody::Removed(RemovedRecord { was: record.body.kind().to_owned() });
    Record { body, ..record.clone() }
}

#[tokio::test]
async fn records_are_replaced_and_appended_together_or_not_at_all() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let records = sample_log(9, 310);
    let (known, new) = records.split_at(100);
    let log = fixture.store.message_log();
    log.append(&session("s1"), known).await.unwrap();

    let missing = other(&records[150]);
    for (replaced, appended) in
        [(vec![other(&known[98]), missing], new), (vec![other(&known[98])], &new[1..])]
    {
        let refused = log.replace(&session("s1"), &replaced, appended).await.unwrap_err();
        assert!(matches!(refused, LogError::Conflict { .. }), "{refused}");
        assert_eq!(all(&fixture).await, known, "nothing has changed");
    }

    let replaced = [other(&known[98]), other(&known[99])];
    log.replace(&session("s1"), &replaced, new).await.unwrap();
    let expected = [&known[..98], &replaced, new].concat();
    let fixture = fixture.reopened().await;
    assert_eq!(all(&fixture).await, expected);
    assert_eq!(fixture.store.message_log().last(&session("s1")).await.unwrap(), Seq(records.len() as u64));
}

#[tokio::test]
async fn what_was_made_of_a_replaced_record_goes_with_it() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let records = sample_log(9, 60);
    let log = fixture.store.message_log();
    log.append(&session("s1"), &records).await.unwrap();
    fixture.raw().execute_batch(
        "INSERT INTO session_contexts VALUES ('s1', 10, 'resume', 'claude', '{}', 1), ('s1', 50, 'resume', 'claude', '{}', 1);
         INSERT INTO session_snapshots VALUES ('s1', 60, 1, '{}', 1, 1, 1);",
    ).unwrap();
    log.replace(&session("s1"), &[other(&records[39])], &[]).await.unwrap();
    let raw = fixture.raw();
    let left: i64 = raw.query_row("SELECT max(covers) FROM session_contexts", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 10);
    assert!(fixture.store.snapshots().load(&session("s1")).await.unwrap().is_none());
}
