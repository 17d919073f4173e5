//! A hundred thousand small sessions are deleted while another process writes: how many in a second, and how long the other
//! one waits at most.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail the test")]

#[path = "retention/pruning.rs"]
mod pruning;

use std::path::Path;

use rusqlite::{Connection, params};
use tempfile::TempDir;
use throughline_store::Store;

use pruning::{SESSIONS, begin, prune};

/// Fills a database: copies of one small session, each under an id of its own, and a large one.
async fn fill(path: &Path) {
    let (copies, records) = begin(Store::open(path).await.unwrap()).await;
    let mut raw = Connection::open(path).unwrap();
    let transaction = raw.transaction().unwrap();
    for number in 0..SESSIONS {
        let id = format!("old-{number:06}");
        let copied = "INSERT INTO sessions (id, title, workspace, model, created_at, last_seq, last_check) \
                      SELECT ?1, title, workspace, model, created_at, last_seq, last_check FROM sessions WHERE id = 'sample'";
        transaction.prepare_cached(copied).unwrap().execute(params![id]).unwrap();
        let log = "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload) \
                   SELECT ?1, seq, kind, exchange, at, digest, payload FROM log WHERE session_id = 'sample'";
        transaction.prepare_cached(log).unwrap().execute(params![id]).unwrap();
    }
    for number in 0..copies {
        let log = "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload) \
                   SELECT 'large', ?1 + seq, kind, exchange, at, digest, payload FROM log WHERE session_id = 'sample'";
        let before = i64::try_from(number * records).unwrap();
        transaction.prepare_cached(log).unwrap().execute(params![before]).unwrap();
    }
    transaction.commit().unwrap();
}

#[test]
fn a_hundred_thousand_sessions_are_deleted_while_another_process_writes() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("throughline.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(fill(&path));
    let storage = [std::ffi::OsStr::new("--data-dir"), home.path().as_os_str()];
    let opened = path.clone();
    prune(
        &storage,
        async move || Store::open(&opened).await.unwrap(),
        || {
            let raw = Connection::open(&path).unwrap();
            raw.query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).unwrap()
        },
    );
}
