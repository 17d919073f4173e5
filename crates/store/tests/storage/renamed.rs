//! A column that another program has renamed under the store. That is no damage: nothing is read around it as if records
//! were lost, except by the page, which names each record that it cannot reach.

use throughline_continuity::contract::{SampleCounter, sample_log, session};
use throughline_continuity::{
    ContextError, ContextSource, ContextStore, DirectoryError, LogError, MessageLog, Part, SessionDirectory,
    SnapshotError, SnapshotStore, StoredContext, read_all, snapshot_of,
};
use throughline_conversation::{Millis, Record, Seq, Span, project};

use super::{Fixture, create, info};

async fn without_column(table: &str, column: &str, all: &[Record]) -> Fixture {
    let fixture = Fixture::new().await.with_session("s1").await;
    fixture.store.message_log().append(&session("s1"), all).await.unwrap();
    create(&fixture.store, "s2").await;
    let rename = format!("ALTER TABLE {table} RENAME COLUMN {column} TO renamed");
    fixture.raw().execute_batch(&rename).unwrap();
    fixture
}

#[tokio::test]
async fn the_newest_record_of_a_kind_is_an_error() {
    let all = sample_log(9, 60);
    for column in ["kind", "payload"] {
        let fixture = without_column("log", column, &all).await;
        let newest = fixture.store.message_log().newest(&session("s1"), "message").await;
        assert!(matches!(newest, Err(LogError::Other(_))), "{column}: {newest:?}");
    }
}

#[tokio::test]
async fn a_page_names_each_record() {
    let all = sample_log(9, 60);
    let fixture = without_column("log", "payload", &all).await;
    let read = read_all(&fixture.store.message_log(), &session("s1"), Seq(0), Part::All).await.unwrap();
    let spans: Vec<Span> = read.unreadable.iter().map(|lost| lost.span).collect();
    assert_eq!(spans, [Span { first: Seq(1), last: Seq(all.len() as u64) }]);
    assert!(read.unreadable.iter().all(|lost| lost.why.contains("damaged")), "{:?}", read.unreadable);
}

#[tokio::test]
async fn the_list_of_sessions_is_an_error() {
    let fixture = without_column("log", "at", &sample_log(9, 60)).await;
    let sessions = fixture.store.sessions();
    assert!(sessions.list().await.is_err());
    assert!(sessions.summary(&session("s1")).await.is_err());
}

#[tokio::test]
async fn the_names_of_sessions_are_an_error() {
    let fixture = without_column("session_parents", "parent_id", &sample_log(9, 60)).await;
    assert!(fixture.store.session_names().await.is_err());
}

#[tokio::test]
async fn what_is_not_written_lacks_no_session_and_none_exists_already() {
    let all = sample_log(9, 60);
    let fixture = without_column("log", "payload", &all[..20]).await;
    let appended = fixture.store.message_log().append(&session("s1"), &all[20..]).await;
    assert!(matches!(appended, Err(LogError::Other(_))), "{appended:?}");

    let fixture = without_column("session_snapshots", "messages", &all).await;
    let snapshot = snapshot_of(&session("s1"), &project(&all, &SampleCounter).unwrap(), Millis(5));
    let saved = fixture.store.snapshots().save(&snapshot).await;
    assert!(matches!(saved, Err(SnapshotError::Other(_))), "{saved:?}");

    let fixture = without_column("session_contexts", "worker", &all).await;
    let context = StoredContext {
        session: session("s1"),
        covers: Seq(3),
        source: ContextSource::Resume,
        worker: String::new(),
        at: Millis(1),
        context: "{}".to_owned(),
    };
    let saved = fixture.store.contexts().save(&context).await;
    assert!(matches!(saved, Err(ContextError::Other(_))), "{saved:?}");

    let fixture = without_column("sessions", "title", &all).await;
    let created = fixture.store.sessions().create(&info("s3")).await;
    assert!(matches!(created, Err(DirectoryError::Other(_))), "{created:?}");
    let forked = fixture.store.fork(&session("s1"), &info("s4")).await;
    assert!(matches!(forked, Err(DirectoryError::Other(_))), "{forked:?}");
}
