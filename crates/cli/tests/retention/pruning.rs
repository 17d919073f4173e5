//! Old sessions of which all are deleted, and a process that writes meanwhile.

use std::ffi::OsStr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use throughline_continuity::contract::sample_log;
use throughline_continuity::{MessageLog as _, SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, Record, Seq, SessionId};
use throughline_store::Store;

/// Sessions that are copies of a small one.
pub(crate) const SESSIONS: usize = 100_000;

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

/// Writes the small session `sample`, which SQL copies, and `large` without a record. Returns how many copies of the small one's
/// records `large` gets, and how many records a copy has.
pub(crate) async fn begin(store: Store) -> (usize, usize) {
    let sample = sample_log(3, RECORDS);
    store.sessions().create(&facts("sample")).await.unwrap();
    store.message_log().append(&SessionId::new("sample").unwrap(), &sample).await.unwrap();
    store.sessions().create(&facts("large")).await.unwrap();
    store.close().await.unwrap();
    (LARGE / sample.len(), sample.len())
}

/// Appends records to a session of today until `stop` is true. Gives the waits, shortest first.
async fn write(store: Store, stop: &AtomicBool) -> Vec<Duration> {
    let info = SessionInfo { created: Millis(i64::MAX / 2), ..facts("new") };
    store.sessions().create(&info).await.unwrap();
    let (log, sample) = (store.message_log(), sample_log(1, 1));
    let mut waits = Vec::new();
    let mut seq = 0;
    while !stop.load(Ordering::Relaxed) {
        seq += 1;
        let record = Record { seq: Seq(seq), at: Millis(i64::MAX / 2), ..sample.first().unwrap().clone() };
        let begin = Instant::now();
        log.append(&info.id, &[record]).await.unwrap();
        waits.push(begin.elapsed());
        tokio::time::sleep(PAUSE).await;
    }
    store.close().await.unwrap();
    waits.sort_unstable();
    waits
}

/// Deletes all old sessions by the program, with these options for its storage, while a thread writes to the store that `open`
/// gives. `left` counts the sessions afterwards. Prints how fast it was, and fails if the writer waited too long.
pub(crate) fn prune<A: AsRef<OsStr>>(
    storage: &[A],
    open: impl AsyncFnOnce() -> Store + Send + 'static,
    left: impl FnOnce() -> i64,
) {
    let stop = Arc::new(AtomicBool::new(false));
    let writer = std::thread::spawn({
        let stop = Arc::clone(&stop);
        move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { write(open().await, &stop).await })
        }
    });
    let home = TempDir::new().unwrap();
    let begin = Instant::now();
    let ran = Command::new(env!("CARGO_BIN_EXE_throughline"))
        .args(["sessions", "prune", "--older-than", "90d", "--yes"])
        .args(storage)
        .env("HOME", home.path())
        .output()
        .unwrap();
    let took = begin.elapsed();
    stop.store(true, Ordering::Relaxed);
    let waits = writer.join().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    assert_eq!(left(), 1, "{said}");
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
