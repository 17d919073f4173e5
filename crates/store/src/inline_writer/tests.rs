//! How the connections that write are set up.

use throughline_continuity::SessionDirectory as _;

use crate::database::Database;
use crate::durability::Durability;
use crate::inline_writer::InlineWriter;
use crate::store::Store;

/// SQLite's number for `synchronous=NORMAL`.
const NORMAL: i64 = 1;
/// SQLite's number for `synchronous=FULL`.
const FULL: i64 = 2;

fn of_writer(writer: &InlineWriter) -> i64 {
    let connection = writer.0.lock().unwrap();
    connection.as_ref().unwrap().pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap()
}

async fn check(durability: Option<Durability>, expected: i64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let store = match durability {
        Some(durability) => Store::open_with(&path, durability).await.unwrap(),
        None => Store::open(&path).await.unwrap(),
    };
    assert_eq!(
        of_writer(store.database().writer().unwrap()),
        expected,
        "the connection for short appends, {durability:?}"
    );
    // All connections of the pool at once, so that each is asked.
    let mut held = Vec::new();
    for _ in 0..crate::database::CONNECTIONS {
        let transaction = sea_orm::TransactionTrait::begin(store.database().connection.pool()).await.unwrap();
        assert_eq!(Database::pragma(&transaction, "synchronous").await.unwrap(), expected, "{durability:?}");
        held.push(transaction);
    }
}

#[tokio::test]
async fn every_connection_waits_for_the_disk_only_when_asked_to() {
    check(Some(Durability::Full), FULL).await;
    check(Some(Durability::Normal), NORMAL).await;
    check(None, NORMAL).await;
}

#[tokio::test]
async fn statements_of_a_serial_store_wait_for_its_one_connection() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_serial(&folder.path().join("a.db"), Durability::Full).await.unwrap();
    assert_eq!(of_writer(store.database().writer().unwrap()), FULL);
    let pool = store.database().connection.pool();
    let held = sea_orm::TransactionTrait::begin(pool).await.unwrap();
    assert_eq!(Database::pragma(&held, "synchronous").await.unwrap(), FULL);
    let lists: Vec<_> = [store.sessions(), store.sessions()]
        .map(|sessions| tokio::spawn(async move { sessions.list().await.unwrap().len() }))
        .into();
    tokio::task::yield_now().await;
    assert!(lists.iter().all(|list| !list.is_finished()), "the transaction has the connection");
    held.commit().await.unwrap();
    for list in lists {
        assert_eq!(list.await.unwrap(), 0);
    }
}
