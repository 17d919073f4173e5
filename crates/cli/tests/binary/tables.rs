//! The tables, as other programs read them from the database.

use rusqlite::Connection;
use serde_json::Value;

use crate::sample::{Copy, sample};

fn open(copy: &Copy) -> Connection {
    let database = Connection::open(&copy.database).unwrap();
    database.execute_batch("PRAGMA foreign_keys = on").unwrap();
    database
}

fn strings(database: &Connection, query: &str) -> Vec<String> {
    let mut statement = database.prepare(query).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn number(database: &Connection, query: &str) -> i64 {
    database.query_row(query, [], |row| row.get(0)).unwrap()
}

fn columns(database: &Connection, table: &str) -> Vec<String> {
    let listed =
        format!("SELECT name || ' ' || type || iif(pk > 0, ' pk', '') FROM pragma_table_info('{table}')");
    strings(database, &listed)
}

// S3-08
#[test]
fn stored_results_have_their_table() {
    let copy = sample().copy();
    let database = open(&copy);
    assert_eq!(
        columns(&database, "tool_result_blobs"),
        [
            "id TEXT pk",
            "session_id TEXT pk",
            "tool_name TEXT",
            "content BLOB",
            "byte_size INTEGER",
            "created_at INTEGER",
            "object TEXT",
        ]
    );
    let index = "SELECT info.name FROM pragma_index_list('tool_result_blobs') AS list, \
                 pragma_index_info(list.name) AS info WHERE list.origin = 'c' AND info.seqno = 0 ORDER BY 1";
    assert_eq!(strings(&database, index), ["object", "session_id"]);
    assert!(number(&database, "SELECT count(*) FROM tool_result_blobs") > 5);
    assert_eq!(
        number(&database, "SELECT count(*) FROM tool_result_blobs WHERE byte_size <> length(content)"),
        0
    );
}

// S3-19
#[test]
fn snapshots_have_their_table() {
    let copy = sample().copy();
    let database = open(&copy);
    let columns = columns(&database, "session_snapshots");
    for column in ["session_id TEXT pk", "messages TEXT", "token_count INTEGER", "created_at INTEGER"] {
        assert!(columns.contains(&column.to_owned()), "{column}: {columns:?}");
    }
    assert_eq!(strings(&database, "SELECT session_id FROM session_snapshots"), [sample().id.as_str()]);
}

// S3-08 S3-19
#[test]
fn everything_goes_with_its_session() {
    let copy = sample().copy();
    let database = open(&copy);
    assert_eq!(database.execute("DELETE FROM sessions", []).unwrap(), 1);
    for table in ["log", "tool_result_blobs", "session_snapshots"] {
        assert_eq!(number(&database, &format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    drop(database);
    assert_eq!(copy.run(&["sessions", "--json"]).done(), "[]\n");
}

/// The report without the pause since the last answer, which grows while a test runs.
fn report(copy: &Copy) -> Value {
    let mut report = copy.run(&["context", "last", "--json"]).json();
    assert!(report["price"]["idle_ms"].take().is_u64(), "{report}");
    report
}

// S3-20: without its snapshot a session is what it was.
#[test]
fn a_session_needs_no_snapshot() {
    let copy = sample().copy();
    let before = report(&copy);
    assert_eq!(open(&copy).execute("DELETE FROM session_snapshots", []).unwrap(), 1);
    assert_eq!(report(&copy), before);
}

// S3-28: a snapshot that is damaged is not used.
#[test]
fn a_damaged_snapshot_does_no_harm() {
    for change in [
        "messages = '{'",
        "messages = replace(messages, 'a', 'b')",
        "covers = 99999",
        "digest = 1",
        "epoch = 77",
    ] {
        let copy = sample().copy();
        let before = report(&copy);
        assert_eq!(open(&copy).execute(&format!("UPDATE session_snapshots SET {change}"), []).unwrap(), 1);
        assert_eq!(report(&copy), before, "{change}");
    }
}
