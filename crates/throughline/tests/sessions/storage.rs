//! Sessions in stores that the caller brings.

use std::sync::Arc;

use throughline::ports::{MessageLog as _, Part, Seq};
use throughline::{Error, Policy};
use throughline_continuity::{InMemoryMessageLog, InMemorySnapshotStore};
use throughline_resultstore::InMemoryResultRepository;
use throughline_stored::Storage;

use crate::harness::{builder, project, texts};

#[tokio::test]
async fn an_own_log_has_every_record_and_the_database_none() {
    let folder = tempfile::tempdir().unwrap();
    let log = Arc::new(InMemoryMessageLog::default());
    let (first, _) = builder(folder.path(), texts(["Noted."]));
    let mut session = first.log(log.clone()).open().await.unwrap();
    session.send("The bird is a heron.").await.unwrap();
    let id = session.id().clone();
    session.close().await.unwrap();
    assert!(!log.read_page(&id, Seq(0), Part::All).await.unwrap().records.is_empty());
    let storage = Storage::open(Some(folder.path().join("data"))).await.unwrap();
    assert_eq!(storage.records(&id).await.unwrap(), []);

    let (second, _) = builder(folder.path(), texts(["Two."]));
    let mut fork = second.log(log.clone()).fork(id.clone()).open().await.unwrap();
    assert_eq!(fork.send("Once more.").await.unwrap().text(), "Two.");
    assert_eq!(fork.report().await.unwrap().context.messages, 4);
}

#[tokio::test]
async fn the_newest_session_is_found_by_the_records_of_an_own_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = Arc::new(InMemoryMessageLog::default());
    let mut ids = Vec::new();
    for answer in ["One.", "Two."] {
        let (first, _) = builder(folder.path(), texts([answer]));
        let mut session = first.log(log.clone()).open().await.unwrap();
        session.send("Count.").await.unwrap();
        ids.push(session.id().clone());
        session.close().await.unwrap();
    }
    let storage = Storage::open(Some(folder.path().join("data"))).await.unwrap();
    let storage = storage.with_ports(
        log,
        Arc::new(InMemorySnapshotStore::default()),
        Arc::new(InMemoryResultRepository::default()),
    );
    let workspace = project(folder.path());
    assert_eq!(Some(storage.newest(Some(&workspace)).await.unwrap()), ids.pop());
    let listed = storage.sessions().await.unwrap();
    let figures: Vec<(u64, u64)> =
        listed.iter().map(|session| (session.exchanges, session.requests)).collect();
    assert_eq!(figures, [(1, 1), (1, 1)]);
}

#[tokio::test]
async fn a_resumed_session_in_an_own_log_continues_with_its_policy() {
    let folder = tempfile::tempdir().unwrap();
    let log = Arc::new(InMemoryMessageLog::default());
    let (first, _) = builder(folder.path(), texts(["Noted."]));
    let mut session = first.log(log.clone()).policy(Policy::Dex).open().await.unwrap();
    session.send("The bird is a heron.").await.unwrap();
    let id = session.id().clone();
    session.close().await.unwrap();

    let (second, _) = builder(folder.path(), texts([]));
    let mut session = second.log(log).resume(id).open().await.unwrap();
    // Dex compacts at 90 % of the whole window.
    assert_eq!(session.report().await.unwrap().context.compact_at, Some(90_000));
}

#[tokio::test]
async fn snapshots_or_results_without_a_log_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (snapshots, _) = builder(folder.path(), texts([]));
    let (results, _) = builder(folder.path(), texts([]));
    for builder in [
        snapshots.snapshots(Arc::new(InMemorySnapshotStore::default())),
        results.results(Arc::new(InMemoryResultRepository::default())),
    ] {
        let error = builder.open().await.map(|_| ()).unwrap_err();
        assert!(
            matches!(error, Error::Usage(_)) && error.to_string().contains("need Builder::log"),
            "{error}"
        );
    }
}
