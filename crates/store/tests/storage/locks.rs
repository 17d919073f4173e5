//! The locks of SQLite on the database file belong to the process: nothing else of this process may end them.

use std::path::{Path, PathBuf};
use std::process::Command;

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{MessageLog, Part, read_all};
use throughline_conversation::Seq;
use throughline_store::{DataDir, Store};

use super::create;

/// Set for the child process only.
const CHILD_FILE: &str = "THROUGHLINE_STORE_TEST_FILE";

/// Does nothing by itself; the test below runs it in another process, which reads the database and closes it.
#[test]
fn in_the_child() {
    if let Some(file) = std::env::var_os(CHILD_FILE) {
        let raw = rusqlite::Connection::open(PathBuf::from(file)).unwrap();
        let count: i64 = raw.query_row("SELECT count(*) FROM log", [], |row| row.get(0)).unwrap();
        raw.close().unwrap();
        println!("the child read {count} records");
    }
}

fn read_elsewhere(file: &Path) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "locks::in_the_child", "--nocapture"]).env(CHILD_FILE, file);
    let output = child.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("the child read 30 records"), "{said}");
}

/// The locks that this process has on a file, as the kernel lists them.
#[cfg(target_os = "linux")]
fn locks(file: &Path) -> usize {
    let is_of = |entry: &std::fs::DirEntry| std::fs::read_link(entry.path()).is_ok_and(|link| link == file);
    let open = std::fs::read_dir("/proc/self/fd").unwrap().map(Result::unwrap).filter(is_of);
    let info = open.map(|entry| Path::new("/proc/self/fdinfo").join(entry.file_name()));
    info.map(|info| std::fs::read_to_string(info).unwrap().matches("lock:").count()).sum()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_second_store_of_a_process_leaves_the_locks_of_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let file = DataDir::new(Some(root.clone())).unwrap().database();
    let first = Store::open(&file).await.unwrap();
    create(&first, "s1").await;
    first.message_log().append(&session("s1"), &sample_log(1, 30)[..30]).await.unwrap();
    let held = locks(&file);
    assert!(held > 0, "SQLite holds a lock while it has a write-ahead log");
    DataDir::new(Some(root)).unwrap();
    assert_eq!(locks(&file), held, "the data folder was looked at");
    let second = Store::open(&file).await.unwrap();
    assert!(locks(&file) >= held, "{} of {held} locks are left", locks(&file));
    second.close().await.unwrap();
    assert_eq!(locks(&file), held);
}

#[tokio::test]
async fn no_other_process_takes_itself_for_the_last_one() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.db");
    let first = Store::open(&file).await.unwrap();
    create(&first, "s1").await;
    let records = sample_log(1, 30);
    first.message_log().append(&session("s1"), &records[..30]).await.unwrap();
    let second = Store::open(&file).await.unwrap();
    read_elsewhere(&file);
    // A process that is the last one removes the write-ahead log when it closes the database.
    let log = dir.path().join("x.db-wal");
    assert!(log.exists(), "another process removed the write-ahead log that two stores have open");
    second.close().await.unwrap();
    let read = read_all(&first.message_log(), &session("s1"), Seq(0), Part::All).await.unwrap();
    assert_eq!(read.records, records[..30]);
    assert_eq!(first.check().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn opening_makes_no_second_file_and_keeps_the_mode_private() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.db");
    Store::open(&file).await.unwrap().close().await.unwrap();
    let names: Vec<_> =
        std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["x.db"]);
}
