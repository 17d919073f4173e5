//! The contracts of the ports, the law of resuming, and forks, on a server.

use throughline_continuity::contract::{
    contract_context_store, contract_message_log, contract_resume, contract_session_directory,
    contract_snapshot_store, sample_log, session,
};
use throughline_continuity::{MessageLog, Part, SessionDirectory, SessionInfo, read_all};
use throughline_conversation::{Millis, Seq};
use throughline_memory::contract::contract_memory;
use throughline_resultstore::contract::{SESSIONS, contract_all};
use throughline_store::Store;

use crate::cluster::{Cluster, open};
use crate::users::{contract_idle, contract_users};

pub(crate) fn info(id: &str) -> SessionInfo {
    SessionInfo {
        id: session(id),
        title: String::new(),
        workspace: "/home/ann".to_owned(),
        model: "sample".to_owned(),
        created: Millis(1),
    }
}

async fn with_sessions(cluster: &Cluster, ids: &[&str]) -> Store {
    let store = open(&cluster.database()).await;
    for id in ids {
        store.sessions().create(&info(id)).await.unwrap();
    }
    store
}

#[tokio::test]
async fn the_log_keeps_the_contract() {
    let cluster = Cluster::shared();
    let store = with_sessions(&cluster, &["s1", "s2"]).await;
    contract_message_log(&store.message_log(), &session("s1"), &session("s2")).await;
    assert_eq!(store.check().await.unwrap(), Vec::<String>::new());
}

// S3-19 S1-11
#[tokio::test]
async fn snapshots_and_contexts_keep_the_contract() {
    let cluster = Cluster::shared();
    let store = with_sessions(&cluster, &["s1", "s2"]).await;
    contract_snapshot_store(&store.snapshots(), &session("s1"), &session("s2")).await;
    contract_context_store(&store.contexts(), &session("s1"), &session("s2")).await;
}

#[tokio::test]
async fn the_directory_keeps_the_contract() {
    let cluster = Cluster::shared();
    let store = with_sessions(&cluster, &[]).await;
    contract_session_directory(&store.sessions(), &store.message_log(), &store.snapshots()).await;
}

#[tokio::test]
async fn the_users_keep_the_contract() {
    let cluster = Cluster::shared();
    let store = with_sessions(&cluster, &[]).await;
    contract_users(&store).await;
    contract_idle(&store).await;
}

// S3-08
#[tokio::test]
async fn the_results_keep_the_contract() {
    let cluster = Cluster::shared();
    let store = with_sessions(&cluster, &SESSIONS).await;
    contract_all(&store.results()).await;
    contract_all(&store.results()).await;
}

// S4-19 S2-16
#[tokio::test]
async fn the_memory_keeps_the_contract() {
    let cluster = Cluster::shared();
    let store = with_sessions(&cluster, &[]).await;
    contract_memory(&store.notes(), &store.file_index(), &store.memory_search()).await;
    assert_eq!(store.check().await.unwrap(), Vec::<String>::new());
}

// S3-20
#[tokio::test]
async fn what_is_opened_is_what_was_left() {
    let cluster = Cluster::shared();
    for (seed, length, cut) in [(1, 0, 0), (2, 40, 12), (3, 119, 139), (4, 80, 80), (5, 100, 1)] {
        let store = with_sessions(&cluster, &["s1"]).await;
        contract_resume(&store.message_log(), &store.snapshots(), &session("s1"), seed, length, cut).await;
    }
}

/// More records than are read or written at a time.
#[tokio::test]
async fn a_long_log_is_read_whole() {
    let cluster = Cluster::shared();
    let store = with_sessions(&cluster, &["s1"]).await;
    let (log, all) = (store.message_log(), sample_log(4, 2_345));
    log.append(&session("s1"), &all).await.unwrap();
    assert_eq!(read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap().records, all);
    let shaping: Vec<_> = all.iter().filter(|record| record.body.shapes_view()).cloned().collect();
    assert_eq!(read_all(&log, &session("s1"), Seq(0), Part::View).await.unwrap().records, shaping);
    store.close().await.unwrap();
}
