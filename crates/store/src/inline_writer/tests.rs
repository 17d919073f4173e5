//! How the connections that write are set up.

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{MessageLog as _, SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, SessionId};

use crate::database::Database;
use crate::durability::Durability;
use crate::inline_writer::InlineWriter;
use crate::row::Row;
use crate::store::Store;

/// SQLite's number for `synchronous=NORMAL`.
const NORMAL: i64 = 1;
/// SQLite's number for `synchronous=FULL`.
const FULL: i64 = 2;

fn of_writer(writer: &InlineWriter) -> i64 {
    let connection = writer.connection.lock().unwrap();
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

#[tokio::test]
async fn an_append_that_waits_for_the_disk_is_left_to_the_pool() {
    for (durability, is_inline) in [(Durability::Full, false), (Durability::Normal, true)] {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_with(&folder.path().join("a.db"), durability).await.unwrap();
        let id = session("s1");
        store.sessions().create(&info(&id)).await.unwrap();
        let rows: Vec<Row> = sample_log(7, 2).iter().map(|record| Row::of(record).unwrap()).collect();
        let appended = store.database().writer().unwrap().append(&id, &rows);
        assert_eq!(appended, is_inline.then_some(true), "{durability:?}");
        store.message_log().append(&id, &sample_log(7, 2)).await.unwrap();
    }
}

fn info(id: &SessionId) -> SessionInfo {
    SessionInfo {
        id: id.clone(),
        title: String::new(),
        workspace: String::new(),
        model: String::new(),
        created: Millis(1),
    }
}
