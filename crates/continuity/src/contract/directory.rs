//! The contract of `SessionDirectory`, and of the log and the snapshots that it removes from.

use throughline_conversation::{Millis, Record, RecordBody, Seq, SessionId, project};

use super::{SampleCounter, sample_log, session};
use crate::directory::{DirectoryError, SessionDirectory, SessionInfo, SessionSummary};
use crate::log::{LogError, MessageLog, Part, read_all};
use crate::snapshot::snapshot_of;
use crate::snapshots::SnapshotStore;

/// Checks a directory over the log and the snapshots of the same storage. All must be empty.
pub async fn contract_session_directory(
    directory: &dyn SessionDirectory,
    log: &dyn MessageLog,
    snapshots: &dyn SnapshotStore,
) {
    let old = info("old", 1_000);
    let new = info("new", 2_000);
    let twin = info("a-twin", 2_000);
    assert_eq!(directory.list().await.unwrap(), []);
    assert_eq!(directory.get(&old.id).await.unwrap(), None);
    for one in [&old, &new, &twin] {
        directory.create(one).await.unwrap();
        assert_eq!(directory.get(&one.id).await.unwrap().as_ref(), Some(one));
    }
    taken(directory, &old).await;
    assert_eq!(ids(&directory.list().await.unwrap()), ["a-twin", "new", "old"], "newest first, then by name");

    let records = sample_log(3, 80);
    log.append(&old.id, &records).await.unwrap();
    let view = project(&records, &SampleCounter).unwrap();
    snapshots.save(&snapshot_of(&old.id, &view, Millis(1))).await.unwrap();
    let listed = directory.list().await.unwrap();
    assert_eq!(ids(&listed), ["old", "a-twin", "new"], "activity counts, not the beginning");
    assert_eq!(listed[0], expected(&old, &records));
    assert_eq!(listed[1], expected(&twin, &[]));
    for one in listed {
        assert_eq!(directory.summary(&one.info.id).await.unwrap(), Some(one));
    }
    assert_eq!(directory.summary(&session("missing")).await.unwrap(), None);

    let early = sample_log(1, 1).into_iter().take(1).map(|record| Record { at: Millis(1), ..record });
    log.append(&twin.id, &early.collect::<Vec<_>>()).await.unwrap();
    let listed = directory.list().await.unwrap();
    assert_eq!(ids(&listed), ["a-twin", "old", "new"], "the last write counts, whatever the clock said");

    assert!(directory.rename(&old.id, "fix the \"parser\" 漢").await.unwrap());
    assert_eq!(directory.get(&old.id).await.unwrap().unwrap().title, "fix the \"parser\" 漢");
    assert!(!directory.rename(&session("missing"), "x").await.unwrap(), "there is no such session");
    removed(directory, log, snapshots, &old).await;
}

async fn taken(directory: &dyn SessionDirectory, first: &SessionInfo) {
    let second = SessionInfo { title: "another".to_owned(), ..first.clone() };
    match directory.create(&second).await {
        Err(DirectoryError::Exists(id)) => assert_eq!(id, first.id),
        other => panic!("an id that is taken must be refused, found {other:?}"),
    }
    assert_eq!(directory.get(&first.id).await.unwrap().as_ref(), Some(first), "the first stays unchanged");
}

async fn removed(
    directory: &dyn SessionDirectory,
    log: &dyn MessageLog,
    snapshots: &dyn SnapshotStore,
    gone: &SessionInfo,
) {
    assert!(directory.remove(&gone.id).await.unwrap());
    assert!(!directory.remove(&gone.id).await.unwrap(), "it is removed already");
    assert_eq!(directory.get(&gone.id).await.unwrap(), None);
    assert_eq!(ids(&directory.list().await.unwrap()), ["a-twin", "new"]);
    assert_eq!(
        read_all(log, &gone.id, Seq(0), Part::All).await.unwrap_or_default().records,
        [],
        "the log is gone too"
    );
    assert_eq!(snapshots.load(&gone.id).await.unwrap(), None, "and the snapshot");

    directory.create(gone).await.expect("the id is free again");
    assert_eq!(log.last(&gone.id).await.unwrap(), Seq(0), "the new session is empty");
    match log.append(&gone.id, &sample_log(3, 80)[5..6]).await {
        Err(LogError::Conflict { expected, .. }) => assert_eq!(expected, Seq(1)),
        other => panic!("the new session begins at 1, found {other:?}"),
    }
}

fn info(id: &str, created: i64) -> SessionInfo {
    SessionInfo {
        id: session(id),
        title: format!("about {id}"),
        workspace: "/home/ann/project".to_owned(),
        model: "sample".to_owned(),
        created: Millis(created),
    }
}

fn ids(listed: &[SessionSummary]) -> Vec<&str> {
    listed.iter().map(|summary| SessionId::as_str(&summary.info.id)).collect()
}

fn expected(info: &SessionInfo, records: &[Record]) -> SessionSummary {
    let mut summary = SessionSummary {
        info: info.clone(),
        records: 0,
        exchanges: 0,
        requests: 0,
        last_activity: info.created,
        last_tokens: None,
        parent: None,
    };
    for record in records {
        summary.records += 1;
        summary.exchanges = record.exchange.0;
        summary.last_activity = record.at;
        if let RecordBody::Receipt(receipt) = &record.body {
            summary.requests += 1;
            summary.last_tokens = Some(receipt.window.used.total());
        }
    }
    summary
}
