//! Large results of a server's sessions in an object store.

use std::sync::Arc;

use throughline_continuity::SessionDirectory as _;
use throughline_continuity::contract::session;
use throughline_conversation::{Millis, ResultRef};
use throughline_resultstore::contract::{SESSIONS, contract_all};
use throughline_resultstore::{InMemoryBlobStore, ResultRepository as _, StoredResult};
use throughline_store::{EncryptionKey, Store};

use crate::cluster::{Cluster, open};
use crate::contracts::info;

const FROM: u64 = 100;

fn result(name: &str, content: &[u8]) -> StoredResult {
    let session = session(name);
    let id = ResultRef::of(&session, content);
    StoredResult { session, id, tool: "shell".to_owned(), content: content.to_vec(), at: Millis(2) }
}

fn keys(blobs: &InMemoryBlobStore) -> usize {
    blobs.call().unwrap().blobs().len()
}

async fn with_sessions(store: &Store, names: &[&str]) {
    for name in names {
        store.sessions().create(&info(name)).await.unwrap();
    }
}

#[tokio::test]
async fn results_outside_keep_the_contract_and_leave_with_their_sessions() {
    let cluster = Cluster::shared();
    for encrypted in [false, true] {
        let blobs = Arc::new(InMemoryBlobStore::new());
        let store = open(&cluster.database()).await.with_blobs(blobs.clone(), 3);
        let store = match encrypted {
            true => store.with_key(EncryptionKey::from_text(&"1".repeat(64)).unwrap()),
            false => store,
        };
        with_sessions(&store, &SESSIONS).await;
        contract_all(&store.results()).await;
        let id = store.results().list(&session(SESSIONS[0])).await.unwrap().pop().unwrap().id;
        store.fork(&session(SESSIONS[0]), &info("fork")).await.unwrap();
        for name in SESSIONS {
            assert!(store.sessions().remove(&session(name)).await.unwrap());
        }
        assert!(store.results().get(&session("fork"), &id).await.unwrap().is_some());
        assert!(keys(&blobs) > 0);
        assert!(store.sessions().remove(&session("fork")).await.unwrap());
        assert_eq!(keys(&blobs), 0);
        store.remove_loose_objects().await.unwrap();
    }
}

#[tokio::test]
async fn a_copy_to_a_file_and_back_has_every_byte() {
    let cluster = Cluster::shared();
    let blobs = Arc::new(InMemoryBlobStore::new());
    let store = open(&cluster.database()).await.with_blobs(blobs.clone(), FROM);
    with_sessions(&store, &["s1"]).await;
    let large = result("s1", &[7; 5000]);
    store.results().put(&large).await.unwrap();
    let file = Store::open_in_memory().await.unwrap();
    store.copy_session(&session("s1"), &file).await.unwrap();
    assert!(store.sessions().remove(&session("s1")).await.unwrap());
    assert_eq!(keys(&blobs), 0);
    assert_eq!(file.results().get(&session("s1"), &large.id).await.unwrap().as_ref(), Some(&large));
    file.copy_session(&session("s1"), &store).await.unwrap();
    assert_eq!(keys(&blobs), 1);
    assert_eq!(store.results().get(&session("s1"), &large.id).await.unwrap(), Some(large));
}

/// Nodes that store, fork and delete the same content all the time.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_node_removes_what_another_one_has() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let blobs = Arc::new(InMemoryBlobStore::new());
    let mut nodes = Vec::new();
    for node in 0..4 {
        let store = open(&url).await.with_blobs(blobs.clone(), FROM);
        nodes.push(tokio::spawn(async move {
            for round in 0..40 {
                let name = format!("n{node}-{round}");
                let content = [(round % 3) as u8; 500];
                store.sessions().create(&info(&name)).await.unwrap();
                let result = result(&name, &content);
                store.results().put(&result).await.unwrap();
                let forked = format!("{name}-fork");
                store.fork(&session(&name), &info(&forked)).await.unwrap();
                assert!(store.sessions().remove(&session(&name)).await.unwrap());
                let found = store.results().get(&session(&forked), &result.id).await.unwrap().unwrap();
                assert_eq!(found.content, content);
                if round % 4 != 0 {
                    assert!(store.sessions().remove(&session(&forked)).await.unwrap());
                }
            }
            store
        }));
    }
    let mut last = None;
    for node in nodes {
        last = Some(node.await.unwrap());
    }
    let store = last.unwrap();
    let left = store.sessions().list().await.unwrap();
    assert_eq!(left.len(), 40);
    for one in &left {
        for listed in store.results().list(&one.info.id).await.unwrap() {
            assert!(store.results().get(&one.info.id, &listed.id).await.unwrap().is_some());
        }
    }
    for one in &left {
        assert!(store.sessions().remove(&one.info.id).await.unwrap());
    }
    store.remove_loose_objects().await.unwrap();
    assert_eq!(keys(&blobs), 0, "no object is left");
    assert_eq!(
        cluster.psql(url.rsplit('/').next().unwrap(), "SELECT count(*) FROM loose_objects").1.trim(),
        "0"
    );
}

/// Objects that two sessions share.
const SHARED: u8 = 60;

/// Sessions with the same objects, written in opposite orders.
async fn sharing(store: &Store, names: [&str; 2]) {
    with_sessions(store, &names).await;
    for (name, backwards) in names.into_iter().zip([false, true]) {
        for number in 0..SHARED {
            let number = if backwards { SHARED - 1 - number } else { number };
            store.results().put(&result(name, &[number; 300])).await.unwrap();
        }
    }
}

/// Two nodes delete sessions that share objects, at the same time. Every object is removed, and no deletion fails.
async fn delete_side_by_side(cluster: &Cluster, url: &str, rounds: usize) {
    let blobs = Arc::new(InMemoryBlobStore::new());
    let nodes = [open(url).await, open(url).await].map(|node| node.with_blobs(blobs.clone(), FROM));
    let database = url.rsplit('/').next().unwrap().to_owned();
    for round in 0..rounds {
        sharing(&nodes[0], ["one", "two"]).await;
        assert_eq!(keys(&blobs), usize::from(SHARED), "the objects are shared");
        let removed = nodes.iter().zip(["one", "two"]).map(|(node, name)| {
            let node = node.clone();
            tokio::spawn(async move { node.sessions().remove(&session(name)).await })
        });
        for removed in removed.collect::<Vec<_>>() {
            assert!(removed.await.unwrap().unwrap(), "round {round}");
        }
        nodes[0].remove_loose_objects().await.unwrap();
        assert_eq!(keys(&blobs), 0, "round {round}");
    }
    let counted = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    assert_eq!(cluster.psql(&database, counted), (true, "0".to_owned()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_deletions_that_share_objects_never_wait_in_a_circle() {
    let cluster = Cluster::shared();
    delete_side_by_side(&cluster, &cluster.database(), 50).await;
}

/// A stopped clock gives every deletion the same time.
const STOPPED_CLOCK: &str = "CREATE SCHEMA stopped; \
    CREATE FUNCTION stopped.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT to_timestamp(1)'; \
    DO $$ BEGIN EXECUTE format( \
        'ALTER DATABASE %I SET search_path = public, stopped, pg_catalog', current_database()); END $$";

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_deletions_in_the_same_microsecond_leave_no_object() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let (made, why) = cluster.psql(url.rsplit('/').next().unwrap(), STOPPED_CLOCK);
    assert!(made, "{why}");
    delete_side_by_side(&cluster, &url, 20).await;
}
