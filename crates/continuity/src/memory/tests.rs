//! The ports in memory keep the contract, and fail on demand.

use std::sync::Arc;

use throughline_conversation::{Millis, Seq};

use super::{InMemoryContextStore, InMemoryMessageLog, InMemorySessionDirectory, InMemorySnapshotStore};
use crate::contract::{
    contract_context_store, contract_message_log, contract_session_directory, contract_snapshot_store,
    sample_log, session,
};
use crate::directory::{DirectoryError, SessionDirectory, SessionInfo};
use crate::log::{LogError, MessageLog, Part, Unreadable};
use crate::snapshots::{SnapshotError, SnapshotStore};

#[tokio::test]
async fn the_log_keeps_the_contract() {
    contract_message_log(&InMemoryMessageLog::new(), &session("s1"), &session("s2")).await;
}

#[tokio::test]
async fn the_snapshots_keep_the_contract() {
    contract_snapshot_store(&InMemorySnapshotStore::new(), &session("s1"), &session("s2")).await;
}

#[tokio::test]
async fn the_contexts_keep_the_contract() {
    contract_context_store(&InMemoryContextStore::new(), &session("s1"), &session("s2")).await;
}

#[tokio::test]
async fn the_directory_keeps_the_contract() {
    let log = Arc::new(InMemoryMessageLog::new());
    let snapshots = Arc::new(InMemorySnapshotStore::new());
    let directory = InMemorySessionDirectory::over(log.clone(), snapshots.clone());
    contract_session_directory(&directory, log.as_ref(), snapshots.as_ref()).await;
}

#[tokio::test]
async fn a_failed_append_keeps_nothing_and_the_next_one_works() {
    let log = InMemoryMessageLog::new();
    let all = sample_log(1, 4);
    log.failures().fail_next("no room");
    let error = log.append(&session("s1"), &all).await.unwrap_err();
    assert!(matches!(error, LogError::Other(cause) if cause.to_string() == "no room"));
    assert_eq!(log.last(&session("s1")).await.unwrap(), Seq(0));
    log.append(&session("s1"), &all).await.unwrap();
    log.failures().fail_with("gone");
    for _ in 0..2 {
        assert!(log.read_page(&session("s1"), Seq(0), Part::All).await.is_err());
        assert!(log.newest(&session("s1"), "message").await.is_err());
    }
    log.failures().recover();
    assert_eq!(log.read_page(&session("s1"), Seq(0), Part::All).await.unwrap().records, all);
}

#[tokio::test]
async fn snapshots_and_directory_fail_on_demand() {
    let snapshots = InMemorySnapshotStore::new();
    snapshots.failures().fail_with("gone");
    assert!(matches!(snapshots.load(&session("s1")).await, Err(SnapshotError::Other(_))));
    assert!(matches!(snapshots.remove(&session("s1")).await, Err(SnapshotError::Other(_))));
    snapshots.failures().recover();
    assert_eq!(snapshots.load(&session("s1")).await.unwrap(), None);

    let directory = InMemorySessionDirectory::new();
    directory.failures().fail_next("gone");
    assert!(matches!(directory.list().await, Err(DirectoryError::Other(_))));
    assert_eq!(directory.list().await.unwrap(), []);
}

#[tokio::test]
async fn a_session_with_the_name_of_a_removed_one_has_none_of_its_damage() {
    let log = Arc::new(InMemoryMessageLog::new());
    let directory = InMemorySessionDirectory::over(log.clone(), Arc::new(InMemorySnapshotStore::new()));
    let all = sample_log(1, 4);
    for id in ["s1", "s2"].map(session) {
        let info = SessionInfo {
            id: id.clone(),
            title: String::new(),
            workspace: "/w".to_owned(),
            model: "m".to_owned(),
            created: Millis(1),
        };
        directory.create(&info).await.unwrap();
        log.append(&id, &all).await.unwrap();
        log.damage(&id, Seq(1));
    }
    assert!(directory.remove(&session("s1")).await.unwrap());
    log.append(&session("s1"), &all).await.unwrap();
    let lost = async |id: &str| log.read_page(&session(id), Seq(0), Part::All).await.unwrap().unreadable;
    assert_eq!(lost("s1").await, []);
    assert_eq!(lost("s2").await, [Unreadable::one(Seq(1), "it was made unreadable")]);
}
