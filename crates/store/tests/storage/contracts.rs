//! The contracts of the ports, and the law of resuming, on a file.

use proptest::prelude::*;
use throughline_continuity::contract::{
    contract_context_store, contract_message_log, contract_resume, contract_session_directory,
    contract_snapshot_store, sample_log, session,
};
use throughline_continuity::{MessageLog, Part, SessionDirectory, read_all};
use throughline_conversation::Seq;
use throughline_resultstore::contract::{SESSIONS, contract_all};

use super::users::{contract_idle, contract_users};
use super::{Fixture, create};

#[tokio::test]
async fn the_log_keeps_the_contract() {
    let fixture = Fixture::new().await.with_session("s1").await.with_session("s2").await;
    contract_message_log(&fixture.store.message_log(), &session("s1"), &session("s2")).await;
}

// S3-19
#[tokio::test]
async fn the_snapshots_keep_the_contract() {
    let fixture = Fixture::new().await.with_session("s1").await.with_session("s2").await;
    contract_snapshot_store(&fixture.store.snapshots(), &session("s1"), &session("s2")).await;
}

// S1-11
#[tokio::test]
async fn the_contexts_keep_the_contract() {
    let fixture = Fixture::new().await.with_session("s1").await.with_session("s2").await;
    contract_context_store(&fixture.store.contexts(), &session("s1"), &session("s2")).await;
}

#[tokio::test]
async fn the_directory_keeps_the_contract() {
    let fixture = Fixture::new().await;
    let store = &fixture.store;
    contract_session_directory(&store.sessions(), &store.message_log(), &store.snapshots()).await;
}

#[tokio::test]
async fn the_users_keep_the_contract() {
    let fixture = Fixture::new().await;
    contract_users(&fixture.store).await;
    contract_idle(&fixture.reopened().await.store).await;
}

// S3-08
#[tokio::test]
async fn the_results_keep_the_contract() {
    let mut fixture = Fixture::new().await;
    for name in SESSIONS {
        fixture = fixture.with_session(name).await;
    }
    contract_all(&fixture.store.results()).await;
    contract_all(&fixture.reopened().await.store.results()).await;
}

#[tokio::test]
async fn a_store_in_memory_keeps_the_contracts_too() {
    let store = throughline_store::Store::open_in_memory().await.unwrap();
    create(&store, "s1").await;
    create(&store, "s2").await;
    contract_message_log(&store.message_log(), &session("s1"), &session("s2")).await;
    contract_snapshot_store(&store.snapshots(), &session("s1"), &session("s2")).await;
    contract_context_store(&store.contexts(), &session("s1"), &session("s2")).await;
    for id in ["s1", "s2"] {
        assert!(store.sessions().remove(&session(id)).await.unwrap());
    }
    contract_session_directory(&store.sessions(), &store.message_log(), &store.snapshots()).await;
}

/// What was appended is there for the next process.
#[tokio::test]
async fn the_log_is_there_after_the_file_was_closed() {
    let all = sample_log(21, 130);
    let fixture = Fixture::new().await.with_session("s1").await;
    fixture.store.message_log().append(&session("s1"), &all[..60]).await.unwrap();
    let fixture = fixture.reopened().await;
    let log = fixture.store.message_log();
    assert_eq!(log.last(&session("s1")).await.unwrap(), Seq(60));
    log.append(&session("s1"), &all[60..]).await.unwrap();
    let fixture = fixture.reopened().await;
    assert_eq!(
        read_all(&fixture.store.message_log(), &session("s1"), Seq(0), Part::All).await.unwrap().records,
        all
    );
    assert_eq!(fixture.store.check().await.unwrap(), Vec::<String>::new());
}

/// More records than are read or written at a time.
#[tokio::test]
async fn a_long_log_is_read_whole() {
    let all = sample_log(4, 2_345);
    let fixture = Fixture::new().await.with_session("s1").await;
    let log = fixture.store.message_log();
    log.append(&session("s1"), &all).await.unwrap();
    assert_eq!(read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap().records, all);
    let shaping: Vec<_> = all.iter().filter(|record| record.body.shapes_view()).cloned().collect();
    assert_eq!(read_all(&log, &session("s1"), Seq(0), Part::View).await.unwrap().records, shaping);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    // S3-20
    #[test]
    fn what_is_opened_is_what_was_left(seed: u64, length in 0_usize..120, cut in 0_usize..140) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let store = throughline_store::Store::open_in_memory().await.unwrap();
            create(&store, "s1").await;
            let (log, snapshots) = (store.message_log(), store.snapshots());
            contract_resume(&log, &snapshots, &session("s1"), seed, length, cut).await;
        });
    }
}
