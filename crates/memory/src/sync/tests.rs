//! Only what has changed is read and indexed.

use std::collections::BTreeMap;

use crate::error::MemoryError;
use crate::files::{FilesError, MemoryFile, MockMemoryFiles};
use crate::in_memory::InMemoryMemory;
use crate::index::FileIndex;
use crate::scope::Scope;
use crate::sync::{Synced, sync_files};

fn file(name: &str, stamp: &str) -> MemoryFile {
    MemoryFile {
        path: format!("/w/{name}"),
        name: name.to_owned(),
        workspace: Some("/w".to_owned()),
        stamp: stamp.to_owned(),
    }
}

/// Files that allow exactly this many reads.
fn files(list: &[(&str, &str, Option<&str>)], reads: usize) -> MockMemoryFiles {
    let listed: Vec<MemoryFile> = list.iter().map(|(name, stamp, _)| file(name, stamp)).collect();
    let texts: BTreeMap<String, Option<String>> =
        list.iter().map(|(name, _, text)| ((*name).to_owned(), text.map(str::to_owned))).collect();
    let mut files = MockMemoryFiles::new();
    files.expect_workspace().return_const("/w");
    files.expect_list().once().returning(move || Ok(listed.clone()));
    files.expect_read().times(reads).returning(move |file| Ok(texts[&file.name].clone()));
    files
}

// S2-17
#[tokio::test]
async fn only_what_has_changed_is_read() {
    let index = InMemoryMemory::new();
    let steps = [
        (files(&[("a.md", "1", Some("x")), ("b.md", "1", Some("y"))], 2), (2, 0)),
        (files(&[("a.md", "1", Some("x")), ("b.md", "1", Some("y"))], 0), (0, 0)),
        (files(&[("a.md", "2", Some("z")), ("b.md", "1", Some("y"))], 1), (1, 0)),
        (files(&[("a.md", "2", Some("z"))], 0), (0, 1)),
        (files(&[("a.md", "3", None)], 1), (0, 1)),
        (files(&[], 0), (0, 0)),
    ];
    for (files, (indexed, forgotten)) in steps {
        let synced = sync_files(&files, &index).await.unwrap();
        assert_eq!(synced, Synced { indexed, forgotten });
    }
    assert_eq!(index.known(&Scope::All).await.unwrap(), []);
}

#[tokio::test]
async fn files_of_other_folders_are_left_alone() {
    let index = InMemoryMemory::new();
    let other = MemoryFile { workspace: Some("/other".to_owned()), ..file("a.md", "1") };
    index.replace(&other, &[]).await.unwrap();
    sync_files(&files(&[], 0), &index).await.unwrap();
    assert_eq!(index.known(&Scope::All).await.unwrap(), [other]);
}

#[tokio::test]
async fn a_failure_says_whose_it_is() {
    let index = InMemoryMemory::new();
    let mut broken = MockMemoryFiles::new();
    broken.expect_workspace().return_const("/w");
    broken.expect_list().returning(|| Err(FilesError::Other("no disk".into())));
    let error = sync_files(&broken, &index).await.unwrap_err();
    assert!(matches!(error, MemoryError::Files(_)));
    index.failures().fail_with("database is gone");
    let error = sync_files(&broken, &index).await.unwrap_err();
    assert!(matches!(error, MemoryError::Store(_)));
}
