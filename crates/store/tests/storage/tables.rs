//! The tables themselves, and files that were made by somebody else.

use expect_test::{Expect, expect};
use throughline_continuity::contract::{SampleCounter, sample_log, session};
use throughline_continuity::{
    ContextSource, ContextStore, MessageLog, SessionDirectory, SnapshotStore, StoredContext, snapshot_of,
};
use throughline_conversation::{Millis, ResultRef, Seq, project};
use throughline_resultstore::{ResultRepository, StoredResult};
use throughline_store::{DatabaseError, OpenError, Store};

use super::Fixture;

fn columns(fixture: &Fixture, table: &str) -> String {
    let raw = fixture.raw();
    let mut columns =
        raw.prepare(&format!("SELECT name, type, pk FROM pragma_table_info('{table}')")).unwrap();
    let line = |row: &rusqlite::Row<'_>| {
        let key: i64 = row.get(2)?;
        let key = if key > 0 { " key" } else { "" };
        Ok(format!("{} {}{key}\n", row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    };
    columns.query_map([], line).unwrap().map(Result::unwrap).collect()
}

fn count(fixture: &Fixture, table: &str) -> i64 {
    fixture.raw().query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

// S3-08
#[tokio::test]
async fn stored_results_have_their_table_and_an_index_on_the_session() {
    let fixture = Fixture::new().await;
    expect![[r#"
        id TEXT key
        session_id TEXT key
        tool_name TEXT
        content BLOB
        byte_size INTEGER
        created_at INTEGER
        object TEXT
    "#]]
    .assert_eq(&columns(&fixture, "tool_result_blobs"));
    let plan: String = fixture
        .raw()
        .query_row("EXPLAIN QUERY PLAN SELECT id FROM tool_result_blobs WHERE session_id = 'x'", [], |row| {
            row.get(3)
        })
        .unwrap();
    assert!(plan.contains("tool_result_blobs_by_session"), "{plan}");
}

// S3-19
#[tokio::test]
async fn snapshots_have_one_row_for_each_session() {
    let fixture = Fixture::new().await.with_session("s1").await;
    expect![[r#"
        session_id TEXT key
        covers INTEGER
        epoch INTEGER
        messages TEXT
        token_count INTEGER
        digest INTEGER
        created_at INTEGER
    "#]]
    .assert_eq(&columns(&fixture, "session_snapshots"));
    let log = sample_log(2, 90);
    for records in [30, 60, 90] {
        let view = project(&log[..records], &SampleCounter).unwrap();
        fixture.store.snapshots().save(&snapshot_of(&session("s1"), &view, Millis(1))).await.unwrap();
        assert_eq!(count(&fixture, "session_snapshots"), 1);
    }
}

// S3-08 S3-19
#[tokio::test]
async fn everything_goes_with_its_session() {
    let fixture = Fixture::new().await.with_session("s1").await.with_session("s2").await;
    let log = sample_log(2, 40);
    let view = project(&log, &SampleCounter).unwrap();
    for owner in ["s1", "s2"] {
        let id = session(owner);
        fixture.store.message_log().append(&id, &log).await.unwrap();
        fixture.store.snapshots().save(&snapshot_of(&id, &view, Millis(1))).await.unwrap();
        let name = ResultRef::of(&id, b"bytes");
        let at = Millis(1);
        let result =
            StoredResult { session: id, id: name, tool: "read".to_owned(), content: b"bytes".to_vec(), at };
        fixture.store.results().put(&result).await.unwrap();
        let context = StoredContext {
            session: session(owner),
            covers: Seq(40),
            source: ContextSource::Resume,
            worker: "claude".to_owned(),
            at,
            context: "{}".to_owned(),
        };
        fixture.store.contexts().save(&context).await.unwrap();
    }
    assert!(fixture.store.sessions().remove(&session("s1")).await.unwrap());
    let tables = ["sessions", "log", "session_snapshots", "tool_result_blobs", "session_contexts"];
    assert_eq!(
        tables.map(|table| count(&fixture, table)),
        [1, log.len() as i64, 1, 1, 1],
        "only the other's is left"
    );
}

/// A result of a missing session would never be removed.
#[tokio::test]
async fn nothing_is_stored_for_a_missing_session() {
    let fixture = Fixture::new().await;
    let id = session("missing");
    let name = ResultRef::of(&id, b"x");
    let result =
        StoredResult { session: id, id: name, tool: "read".to_owned(), content: vec![1], at: Millis(1) };
    let error = fixture.store.results().put(&result).await.unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().to_string();
    expect!["there is no session missing"].assert_eq(&cause);
    assert_eq!(count(&fixture, "tool_result_blobs"), 0);
}

async fn refused(fixture: Fixture, expect: Expect) -> OpenError {
    let Fixture { dir, store } = fixture;
    store.close().await.unwrap();
    let error = Store::open(&dir.path().join("x.db")).await.unwrap_err();
    expect.assert_eq(&error.to_string().replace(&dir.path().display().to_string(), "/tmp/x"));
    error
}

#[tokio::test]
async fn tables_of_a_newer_version_are_left_alone() {
    let fixture = Fixture::new().await;
    fixture.raw().execute_batch("PRAGMA user_version = 99").unwrap();
    let says = expect![
        "/tmp/x/x.db was made by a newer version (its tables are at 99, this version knows 10); install that one"
    ];
    let error = refused(fixture, says).await;
    assert!(matches!(error, OpenError::TooNew { found: 99, known: 10, .. }));
}

#[tokio::test]
async fn the_database_of_another_program_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.db");
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.execute_batch("CREATE TABLE sessions (mine TEXT)").unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = Store::open(&path).await.unwrap_err();
    assert!(std::fs::read(&path).unwrap() == before, "not a byte of it is changed");
    assert!(matches!(error, OpenError::Foreign { .. }));
    let tables: i64 = raw.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
    assert_eq!(tables, 1, "nothing was made in it");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.db");
    let text = "this is a letter to my aunt\n".repeat(400);
    std::fs::write(&path, &text).unwrap();
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(&error, OpenError::Database(DatabaseError::NotADatabase { .. })), "{error:?}");
    let shown = error.to_string().replace(&dir.path().display().to_string(), "/tmp/x");
    expect!["/tmp/x/x.db is not a database; move it away and a new one is made, or save what can be read of it: throughline recover --all"].assert_eq(&shown);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[tokio::test]
async fn a_folder_instead_of_the_file_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let error = Store::open(dir.path()).await.unwrap_err();
    assert!(matches!(&error, OpenError::Unwritable { .. }));
    let shown = error.to_string().replace(&dir.path().display().to_string(), "/tmp/x");
    expect!["/tmp/x cannot be written: Is a directory (os error 21); make the file and its folder writable or name another data folder"]
        .assert_eq(&shown);
}

/// Names of folders that mean something in a URL are only names.
#[tokio::test]
async fn any_path_is_a_path() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("a b?mode=ro#x%20ü");
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join("x.db");
    let store = Store::open(&path).await.unwrap();
    super::create(&store, "s1").await;
    store.close().await.unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() > 0, "it is in the file of that name");
}
