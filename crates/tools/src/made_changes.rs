//! The files that file tools of this process change while commands run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::changed_file::{ChangedFile, FileContent};

/// The changes since the first of the commands that run began.
static MADE: Mutex<Made> = Mutex::new(Made { watchers: 0, contents: None });

struct Made {
    watchers: usize,
    contents: Option<HashMap<PathBuf, Vec<Vec<u8>>>>,
}

fn made() -> MutexGuard<'static, Made> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Collects the changes of file tools while a command runs: sub-agents and other sessions of the process write meanwhile.
pub(crate) struct MadeChanges(());

impl MadeChanges {
    pub(crate) fn begin() -> Self {
        made().watchers += 1;
        Self(())
    }

    /// A file tool has written this content.
    pub(crate) fn note(path: &Path, content: &[u8]) {
        let mut made = made();
        if made.watchers > 0 {
            let contents = made.contents.get_or_insert_default();
            contents.entry(path.to_owned()).or_default().push(content.to_owned());
        }
    }

    /// Returns true if a file tool has written the present content of the file.
    pub(crate) fn has(&self, file: &ChangedFile) -> bool {
        let FileContent::Read { bytes, .. } = &file.after else { return false };
        let made = made();
        let own = made.contents.as_ref().and_then(|contents| contents.get(&file.path));
        own.is_some_and(|contents| contents.contains(bytes))
    }
}

impl Drop for MadeChanges {
    fn drop(&mut self) {
        let mut made = made();
        made.watchers -= 1;
        if made.watchers == 0 {
            made.contents = None;
        }
    }
}
