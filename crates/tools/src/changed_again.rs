//! Files that something changes once more right after a call changed them, as a formatter that a hook runs.

use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::changed_file::{ChangedFile, FileContent};
use crate::file_history::{FileHistory, TurnEnded};
use crate::file_ledger::{Diff, Freshness};
use crate::file_scope::FileScope;
use crate::regular_file::open_regular;

/// Maximum bytes of a file that is read again.
const MAX_FILE: u64 = 1024 * 1024;

/// Remembers the changes of one call while its history records them.
#[derive(Debug)]
pub struct NotedChanges {
    history: Arc<dyn FileHistory>,
    noted: Mutex<Vec<ChangedFile>>,
}

impl NotedChanges {
    /// Passes changes on to a history.
    #[must_use]
    pub fn new(history: Arc<dyn FileHistory>) -> Self {
        Self { history, noted: Mutex::default() }
    }

    /// The changes of the call so far, each file once.
    #[must_use]
    pub fn take(&self) -> Vec<ChangedFile> {
        std::mem::take(&mut *self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl FileHistory for NotedChanges {
    fn before_change(&self, change: &ChangedFile) -> Result<(), TurnEnded> {
        self.history.before_change(change)?;
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        match noted.iter_mut().find(|known| known.path == change.path) {
            Some(known) => known.after = change.after.clone(),
            None => noted.push(change.clone()),
        }
        Ok(())
    }
}

/// A file that has another content than its call has left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedAgain {
    /// What it was before the call, and is now.
    pub file: ChangedFile,
    /// What changed since the call, as a unified diff; `None`: it is too large to show, or the content is no text.
    pub diff: Option<String>,
}

impl FileScope {
    /// Reads the files of a call's changes again, and returns those that were changed since. Where the difference can be shown whole, the
    /// model counts as having seen the content: the caller shows it. Blocks.
    #[must_use]
    pub fn changed_again(&self, changes: &[ChangedFile]) -> Vec<ChangedAgain> {
        changes.iter().filter_map(|change| self.again(change)).collect()
    }

    fn again(&self, change: &ChangedFile) -> Option<ChangedAgain> {
        let FileContent::Read { bytes: left, .. } = &change.after else { return None };
        let now = read(&change.path)?;
        let FileContent::Read { bytes, .. } = &now else { return None };
        if bytes == left {
            return None;
        }
        let diff = match self.ledger().freshness(&change.path, None, bytes) {
            Freshness::Changed(Diff::Whole(diff)) => {
                self.ledger().note(&change.path, bytes);
                Some(diff)
            }
            _ => None,
        };
        Some(ChangedAgain { file: ChangedFile { after: now, ..change.clone() }, diff })
    }
}

/// A small regular file; `None` for everything else.
fn read(path: &Path) -> Option<FileContent> {
    if path.symlink_metadata().ok()?.is_symlink() {
        return None;
    }
    let (file, metadata) = open_regular(path).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).ok()?;
    let mode = metadata.permissions().mode() & 0o7777;
    (bytes.len() as u64 <= MAX_FILE).then_some(FileContent::Read { bytes, mode })
}
