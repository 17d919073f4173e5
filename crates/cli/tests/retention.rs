//! A hundred thousand small sessions are deleted while another process writes: how many in a second, and how long the other
//! one waits at most.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use tempfile::TempDir;
use throughline_continuity::contract::sample_log;
use throughline_continuity::{MessageLog as _, SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, Record, Seq, SessionId};
use throughline_store::Store;

const SESSIONS: usize = 100_000;

/// Records of each of them.
const RECORDS: usize = 5;

/// Records of the one that is large.
const LARGE: usize = 30_000;

/// The longest that a writer may wait.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Between two writes of the other process.
const PAUSE: Duration = Duration::from_millis(3);

fn facts(id: &str) -> SessionInfo {
    SessionInfo {
        id: SessionId::new(id).unwrap(),
        title: "old".to_owned(),
        workspace: "/srv/work".to_owned(),
        model: "sample".to_owned(),
        created: Millis(1),
    }
}

/// Fills a database: copies of one small session, each under an id of its own, and a large one.
async fn fill(path: &Path) {
    let store = Store::open(path).await.unwrap();
    let sample = sample_log(3, RECORDS);
    store.sessions().create(&facts("sample")).await.unwrap();
    store.message_log().append(&SessionId::new("sample").unwrap(), &sample).await.unwrap();
    store.sessions().create(&facts("large")).await.unwrap();
    store.close().await.unwrap();
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
    for number in 0..LARGE / sample.len() {
        let log = "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload) \
                   SELECT 'large', ?1 + seq, kind, exchange, at, digest, payload FROM log WHERE session_id = 'sample'";
        let before = i64::try_from(number * sample.len()).unwrap();
        transaction.prepare_cached(log).unwrap().execute(params![before]).unwrap();
    }
    transaction.commit().unwrap();
}

/// Appends records to a session of today until `stop` is true. Gives the waits, longest last.
fn write(path: &Path, stop: &AtomicBool) -> Vec<Duration> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(path).await.unwrap();
        let info = SessionInfo { created: Millis(i64::MAX / 2), ..facts("new") };
        store.sessions().create(&info).await.unwrap();
        let (log, sample) = (store.message_log(), sample_log(1, 1));
        let mut waits = Vec::new();
        let mut seq = 0;
        while !stop.load(Ordering::Relaxed) {
            seq += 1;
            let record =
                Record { seq: Seq(seq), at: Millis(i64::MAX / 2), ..sample.first().unwrap().clone() };
            let begin = Instant::now();
            log.append(&info.id, &[record]).await.unwrap();
            waits.push(begin.elapsed());
            tokio::time::sleep(PAUSE).await;
        }
        store.close().await.unwrap();
        waits.sort_unstable();
        waits
    })
}

#[test]
fn a_hundred_thousand_sessions_are_deleted_while_another_process_writes() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("throughline.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(fill(&path));
    let stop = Arc::new(AtomicBool::new(false));
    let writer = std::thread::spawn({
        let (path, stop) = (path.clone(), Arc::clone(&stop));
        move || write(&path, &stop)
    });
    let begin = Instant::now();
    let ran = Command::new(env!("CARGO_BIN_EXE_throughline"))
        .args(["sessions", "prune", "--older-than", "90d", "--yes", "--data-dir"])
        .arg(home.path())
        .env("HOME", home.path())
        .output()
        .unwrap();
    let took = begin.elapsed();
    stop.store(true, Ordering::Relaxed);
    let waits = writer.join().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    let left: i64 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT count(*) FROM sessions", [], |row| row.get(0))
        .unwrap();
    assert_eq!(left, 1, "{said}");
    let longest = waits.last().copied().unwrap_or_else(|| panic!("nothing was written"));
    let at = |share: usize| waits.get(waits.len() * share / 1_000).copied().unwrap_or_default();
    println!(
        "{} sessions in {:.1} s: {:.0} a second; {} writes of another process waited {:.1} ms (median), {:.1} ms (99.9 %), {:.0} ms at most",
        SESSIONS + 2,
        took.as_secs_f64(),
        (SESSIONS + 2) as f64 / took.as_secs_f64(),
        waits.len(),
        at(500).as_secs_f64() * 1e3,
        at(999).as_secs_f64() * 1e3,
        longest.as_secs_f64() * 1e3,
    );
    assert!(longest < LONGEST_WAIT, "a writer waited {longest:?}");
}
