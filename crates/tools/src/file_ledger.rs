//! Records which files the model has read, and with what content.

mod diff;

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fs::Metadata;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

pub(crate) use self::diff::Diff;
use self::diff::diff;
pub use self::diff::unified_diff;

/// Maximum bytes of a file whose text is stored, to show later what changed.
const MAX_TEXT: usize = 1024 * 1024;

/// Maximum bytes of all stored texts. The least recently used are dropped first.
const MAX_TEXTS: usize = 16 * 1024 * 1024;

/// Resolution of the file system's clock: a change may get a modification time that is this much too early.
const CLOCK_STEP: Duration = Duration::from_millis(20);

/// The files of one session that the model has read or written. Clones share the ledger.
///
/// A file is recognised by its content, not by its modification time: a file that was written back unchanged is unchanged.
/// The texts of small files are stored, at most 16 MiB, so that the model can be shown what changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileLedger {
    inner: Arc<SharedLedger>,
}

#[derive(Debug, Default)]
struct SharedLedger {
    /// Random hash keys of this session, so that no file content can be crafted to match the hash of another.
    keys: RandomState,
    files: Mutex<SeenFiles>,
    changes: Mutex<()>,
}

#[derive(Debug, Default)]
struct SeenFiles {
    entries: HashMap<PathBuf, SeenFile>,
    text_bytes: usize,
    clock: u64,
}

#[derive(Debug)]
struct SeenFile {
    stamp: Stamp,
    text: Option<Arc<str>>,
    used: u64,
}

/// How a file is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stamp {
    Content {
        bytes: usize,
        hash: u64,
    },
    /// For a file that is too large to be read as a whole.
    Metadata {
        bytes: u64,
        modified: Option<SystemTime>,
    },
    /// For a file that was read in an earlier run of the session: it must not have changed since then.
    Earlier {
        seen: SystemTime,
    },
}

/// How much the model knows of a file's current content.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// The model has not read the file.
    Unread,
    /// The model has read this content.
    Fresh,
    /// The model has read another content.
    Changed(Diff),
}

impl FileLedger {
    /// Locks all changes of files: of two concurrent edits of one file neither may be lost.
    pub(crate) fn lock_changes(&self) -> MutexGuard<'_, ()> {
        self.inner.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the model has read this content.
    pub(crate) fn note(&self, real: &Path, content: &[u8]) {
        let text = std::str::from_utf8(content).ok().filter(|text| text.len() <= MAX_TEXT).map(Arc::from);
        self.files().put(real, self.stamp(content), text);
    }

    /// Records that the model has read parts of this large file.
    pub(crate) fn note_large(&self, real: &Path, metadata: &Metadata) {
        self.files().put(real, metadata_stamp(metadata), None);
    }

    /// Records that the model read the file at this time in an earlier run. A newer entry is not replaced.
    pub(crate) fn note_earlier(&self, real: &Path, seen: SystemTime) {
        let mut files = self.files();
        if !files.entries.contains_key(real) {
            files.put(real, Stamp::Earlier { seen }, None);
        }
    }

    /// Compares the content that the file has now with the one that the model has read.
    pub(crate) fn freshness(&self, real: &Path, modified: Option<SystemTime>, content: &[u8]) -> Freshness {
        let now = self.stamp(content);
        match self.files().seen(real) {
            None => Freshness::Unread,
            Some((stamp, _)) if stamp == now || unchanged_since(stamp, modified) => Freshness::Fresh,
            Some((_, before)) => Freshness::Changed(match (before, std::str::from_utf8(content)) {
                (Some(before), Ok(after)) if after.len() <= MAX_TEXT => diff(&before, after),
                _ => Diff::Unknown,
            }),
        }
    }

    /// The same for a file that is too large to be read as a whole.
    pub(crate) fn freshness_large(&self, real: &Path, metadata: &Metadata) -> Freshness {
        match self.files().seen(real) {
            None => Freshness::Unread,
            Some((stamp, _))
                if stamp == metadata_stamp(metadata) || unchanged_since(stamp, metadata.modified().ok()) =>
            {
                Freshness::Fresh
            }
            Some(_) => Freshness::Changed(Diff::Unknown),
        }
    }

    fn stamp(&self, content: &[u8]) -> Stamp {
        Stamp::Content { bytes: content.len(), hash: self.inner.keys.hash_one(content) }
    }

    fn files(&self) -> MutexGuard<'_, SeenFiles> {
        self.inner.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SeenFiles {
    fn put(&mut self, real: &Path, stamp: Stamp, text: Option<Arc<str>>) {
        self.clock += 1;
        self.text_bytes += size(text.as_ref());
        let entry = SeenFile { stamp, text, used: self.clock };
        if let Some(old) = self.entries.insert(real.to_owned(), entry) {
            self.text_bytes = self.text_bytes.saturating_sub(size(old.text.as_ref()));
        }
        while self.text_bytes > MAX_TEXTS {
            let with_text = self.entries.values_mut().filter(|entry| entry.text.is_some());
            let Some(oldest) = with_text.min_by_key(|entry| entry.used) else { break };
            self.text_bytes = self.text_bytes.saturating_sub(size(oldest.text.take().as_ref()));
        }
    }

    fn seen(&mut self, real: &Path) -> Option<(Stamp, Option<Arc<str>>)> {
        self.clock += 1;
        let entry = self.entries.get_mut(real)?;
        entry.used = self.clock;
        Some((entry.stamp, entry.text.clone()))
    }
}

fn size(text: Option<&Arc<str>>) -> usize {
    text.map_or(0, |text| text.len())
}

fn metadata_stamp(metadata: &Metadata) -> Stamp {
    Stamp::Metadata { bytes: metadata.len(), modified: metadata.modified().ok() }
}

/// Returns true if the file was not modified after the model read it in an earlier run.
fn unchanged_since(stamp: Stamp, modified: Option<SystemTime>) -> bool {
    let Stamp::Earlier { seen } = stamp else { return false };
    modified.is_some_and(|changed| changed.checked_sub(CLOCK_STEP).is_some_and(|changed| changed <= seen))
}

#[cfg(test)]
mod tests;
