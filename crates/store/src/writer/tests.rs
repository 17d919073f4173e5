//! How the connections that write are set up.

use crate::database::Database;
use crate::durability::Durability;
use crate::store::Store;
use crate::writer::Writer;

/// SQLite's number for `synchronous=NORMAL`.
const NORMAL: i64 = 1;
/// SQLite's number for `synchronous=FULL`.
const FULL: i64 = 2;

fn of_writer(writer: &Writer) -> i64 {
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
