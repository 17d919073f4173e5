//! Memory files on a real disk.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use serde_json::json;
use tempfile::TempDir;
use throughline_memory::{FilesError, MemoryFile, MemoryFiles, Scope, memory_search, memory_sections};
use throughline_store::{DiskMemoryFiles, Store};

/// A workspace and a folder of the user, with memory in both.
fn folders() -> (TempDir, DiskMemoryFiles) {
    let dir = tempfile::tempdir().unwrap();
    let (work, user) = (dir.path().join("work"), dir.path().join("user"));
    for folder in [&work, &user] {
        fs::create_dir_all(folder.join("memory")).unwrap();
    }
    write(&work, "MEMORY.md", "The workspace uses tabs.\n");
    write(&work, "memory/b.md", "# Storage\n\nSQLite is in WAL mode.\n\nNothing else.\n");
    write(&work, "memory/a.md", "Fragments come by name.\n");
    write(&work, "memory/notes.txt", "no memory\n");
    write(&user, "MEMORY.md", "Ann likes short answers.\n");
    write(&user, "memory/c.md", "Ann works in Lisbon.\n");
    let files = DiskMemoryFiles::new(work, Some(user));
    (dir, files)
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

async fn names(dir: &TempDir, files: &DiskMemoryFiles) -> Vec<String> {
    let prefix = format!("{}/", dir.path().display());
    files.list().await.unwrap().into_iter().map(|file| file.name.replace(&prefix, "…/")).collect()
}

// S2-17
#[tokio::test]
async fn memory_files_are_listed_in_order_and_become_sections() {
    let (dir, files) = folders();
    let expected = ["MEMORY.md", "…/user/MEMORY.md", "memory/a.md", "memory/b.md", "…/user/memory/c.md"];
    assert_eq!(names(&dir, &files).await, expected);
    let sections = memory_sections(&files).await.unwrap();
    assert_eq!(sections.len(), 5);
    assert_eq!(sections[0].text, "# Memory: MEMORY.md\n\nThe workspace uses tabs.");
    assert_eq!(
        memory_sections(&files).await.unwrap(),
        sections,
        "the same bytes as long as the files are the same"
    );
    let alone = DiskMemoryFiles::new(dir.path().join("nowhere"), None);
    assert_eq!(alone.list().await.unwrap(), []);
}

// C-09
// S2-16 S2-17: found with their lines, and again after each change.
#[tokio::test]
async fn memory_files_are_searched_in_their_current_state() {
    let (dir, files) = folders();
    let store = Store::open_in_memory().await.unwrap();
    let (index, search, scope) =
        (store.file_index(), store.memory_search(), Scope::folder(files.workspace()));
    let ask = async |query: &str| {
        memory_search(&files, &index, &search, &json!({"query": query}), &scope).await.unwrap()
    };
    let text = ask("what about sqlite?").await;
    assert_eq!(text, "1 hit:\n- memory/b.md:1-5\n  # Storage\n\n  SQLite is in WAL mode.\n\n  Nothing else.");
    assert!(ask("lisbon").await.contains("user/memory/c.md:1-1"));
    let work = dir.path().join("work");
    // The same size, within the same second.
    write(&work, "memory/b.md", "# Storage\n\nSQLite is in DEL mode.\n\nNothing else.\n");
    assert!(ask("sqlite").await.contains("DEL mode"));
    assert!(ask("wal").await.starts_with("Nothing in the memory has"));
    fs::remove_file(work.join("memory/b.md")).unwrap();
    write(&work, "memory/new.md", "SQLite is gone.\n");
    let text = ask("sqlite").await;
    assert!(text.starts_with("1 hit") && text.contains("memory/new.md:1-1"), "{text}");
}

/// The memory files, with the number of reads.
#[derive(Debug)]
struct CountedReads {
    files: DiskMemoryFiles,
    reads: AtomicUsize,
}

#[async_trait]
impl MemoryFiles for CountedReads {
    fn workspace(&self) -> String {
        self.files.workspace()
    }

    async fn list(&self) -> Result<Vec<MemoryFile>, FilesError> {
        self.files.list().await
    }

    async fn read(&self, file: &MemoryFile) -> Result<Option<String>, FilesError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.files.read(file).await
    }
}

#[tokio::test]
async fn what_has_not_changed_is_not_read_again() {
    let (dir, files) = folders();
    let store = Store::open_in_memory().await.unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    for file in files.list().await.unwrap() {
        fs::File::options().write(true).open(&file.path).unwrap().set_modified(old).unwrap();
    }
    let files = CountedReads { files, reads: AtomicUsize::new(0) };
    let (index, search, scope) =
        (store.file_index(), store.memory_search(), Scope::folder(files.workspace()));
    let ask = async |query: &str| {
        memory_search(&files, &index, &search, &json!({"query": query}), &scope).await.unwrap()
    };
    assert!(ask("tabs").await.starts_with("1 hit"));
    assert_eq!(files.reads.swap(0, Ordering::Relaxed), 5);
    assert!(ask("sqlite").await.starts_with("1 hit"));
    assert_eq!(files.reads.swap(0, Ordering::Relaxed), 0);
    fs::remove_dir_all(dir.path().join("work/memory")).unwrap();
    write(&dir.path().join("work"), "MEMORY.md", "other\n");
    assert!(ask("sqlite").await.starts_with("Nothing"), "a file that is gone is forgotten");
    assert_eq!(files.reads.swap(0, Ordering::Relaxed), 1);
}

/// A workspace may come from a stranger: it cannot make us read what is outside.
#[tokio::test]
async fn links_out_of_the_workspace_are_not_followed() {
    let (dir, files) = folders();
    let work = dir.path().join("work");
    write(dir.path(), "secret.md", "the key is 1234\n");
    symlink(dir.path().join("secret.md"), work.join("memory/leak.md")).unwrap();
    symlink(work.join("memory/a.md"), work.join("memory/z.md")).unwrap();
    symlink("/dev/zero", work.join("memory/endless.md")).unwrap();
    fs::create_dir(work.join("memory/folder.md")).unwrap();
    symlink(dir.path().join("secret.md"), dir.path().join("user/memory/mine.md")).unwrap();
    let listed = names(&dir, &files).await;
    let inside = ["MEMORY.md", "…/user/MEMORY.md", "memory/a.md", "memory/b.md", "memory/z.md"];
    assert_eq!(listed[..5], inside);
    assert_eq!(
        listed[5..],
        ["…/user/memory/c.md", "…/user/memory/mine.md"],
        "the user's own links are followed"
    );
    for path in [
        work.join("memory/leak.md"),
        dir.path().join("secret.md"),
        work.join("memory/notes/../../../secret.md"),
    ] {
        let file = MemoryFile {
            path: path.display().to_string(),
            name: String::new(),
            workspace: None,
            stamp: String::new(),
        };
        assert_eq!(files.read(&file).await.unwrap(), None, "{}", path.display());
    }
}

/// Bytes that are no text, files that are too large, and files that vanish between list and read.
#[tokio::test]
async fn odd_files_do_no_harm() {
    let (dir, files) = folders();
    let work = dir.path().join("work");
    fs::write(work.join("memory/bytes.md"), b"walrus \xff\xfe\x00 tusk").unwrap();
    fs::write(work.join("memory/huge.md"), vec![b'x'; (4 << 20) + 1]).unwrap();
    fs::write(work.join("memory/large.md"), vec![b'x'; 4 << 20]).unwrap();
    let listed = files.list().await.unwrap();
    assert!(listed.iter().any(|file| file.name == "memory/large.md"));
    assert!(!listed.iter().any(|file| file.name.contains("huge")));
    let bytes = listed.iter().find(|file| file.name == "memory/bytes.md").unwrap();
    assert_eq!(files.read(bytes).await.unwrap().as_deref(), Some("walrus \u{fffd}\u{fffd}\0 tusk"));
    fs::remove_file(work.join("memory/bytes.md")).unwrap();
    assert_eq!(files.read(bytes).await.unwrap(), None);
    fs::remove_dir_all(work.join("memory")).unwrap();
    write(&work, "memory", "a file in the folder's place");
    assert_eq!(names(&dir, &files).await.len(), 3);
}

#[tokio::test]
async fn of_very_many_files_the_first_by_name_are_listed() {
    let (dir, files) = folders();
    for number in 0..1_000 {
        write(&dir.path().join("work"), &format!("memory/c{number:04}.MD"), "one of many\n");
    }
    let listed = names(&dir, &files).await;
    let of_workspace: Vec<&String> = listed.iter().filter(|name| name.starts_with("memory/")).collect();
    assert_eq!(of_workspace.len(), 1_000);
    assert_eq!((of_workspace[0].as_str(), of_workspace[999].as_str()), ("memory/a.md", "memory/c0997.MD"));
}

/// A file that is written twice within a moment, with the same size.
#[tokio::test]
async fn a_change_without_another_size_or_time_is_noticed() {
    let (dir, files) = folders();
    let path = dir.path().join("work/MEMORY.md");
    let before = files.list().await.unwrap().remove(0);
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(files.list().await.unwrap()[0], before);
    write(&dir.path().join("work"), "MEMORY.md", "The workspace uses tabs!\n");
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    assert_ne!(files.list().await.unwrap()[0].stamp, before.stamp);
}
