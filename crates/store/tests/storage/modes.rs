//! Who may read the files: only their owner, whatever the umask is.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use throughline_continuity::MessageLog;
use throughline_continuity::contract::{sample_log, session};
use throughline_store::{DataDir, Store, lock_session};

/// Set for the child process only.
const CHILD_DIR: &str = "THROUGHLINE_STORE_TEST_DIR";

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn everything_in(dir: &Path) -> Vec<PathBuf> {
    let mut found = vec![dir.to_path_buf()];
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(everything_in(&path)) } else { found.push(path) }
    }
    found
}

/// Writes a session and looks at the files while the database is open.
async fn work_in(root: PathBuf) {
    let dir = DataDir::new(Some(root)).unwrap();
    let _lock = lock_session(dir.root(), &session("s1")).unwrap();
    let store = Store::open(&dir.database()).await.unwrap();
    super::create(&store, "s1").await;
    store.message_log().append(&session("s1"), &sample_log(1, 30)).await.unwrap();
    let mut names = Vec::new();
    for path in everything_in(dir.root()) {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), expected, "{}", path.display());
        names.push(path.file_name().unwrap().to_string_lossy().into_owned());
    }
    names.sort();
    for name in ["locks", "s1.lock", "throughline.db", "throughline.db-shm", "throughline.db-wal"] {
        assert!(names.iter().any(|found| found == name), "{name} is not among {names:?}");
    }
    store.close().await.unwrap();
}

/// Does nothing by itself; the test below runs it in a process with another umask.
#[tokio::test]
async fn in_the_child() {
    if let Some(dir) = std::env::var_os(CHILD_DIR) {
        work_in(PathBuf::from(dir).join("data")).await;
        std::fs::write(PathBuf::from(std::env::var_os(CHILD_DIR).unwrap()).join("done"), "").unwrap();
    }
}

#[test]
fn files_are_private_under_every_umask() {
    for umask in ["000", "022", "077"] {
        let dir = tempfile::tempdir().unwrap();
        let output = Command::new("sh")
            .args(["-c", &format!("umask {umask}; exec \"$0\" --exact modes::in_the_child")])
            .arg(std::env::current_exe().unwrap())
            .env(CHILD_DIR, dir.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "umask {umask}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(dir.path().join("done").exists(), "the child has really run");
    }
}

/// A file that an older umask left open is closed when it is opened.
#[tokio::test]
async fn a_database_that_others_could_read_is_closed_to_them() {
    let fixture = super::Fixture::new().await;
    let path = fixture.path();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let fixture = fixture.reopened().await;
    super::create(&fixture.store, "s1").await;
    for path in [path.clone(), path.with_extension("db-wal"), path.with_extension("db-shm")] {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}
