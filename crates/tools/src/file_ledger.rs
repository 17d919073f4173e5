//! Which files the model has seen, and with what content.

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

/// Most bytes of one file whose text is kept, to tell later what changed.
const KEPT_TEXT: usize = 1024 * 1024;

/// Most bytes of all such texts together. The ones not used for longest go first.
const KEPT_TEXTS: usize = 16 * 1024 * 1024;

/// How much later than it was made a change may be told by the file system: its clock goes in steps.
const CLOCK_STEP: Duration = Duration::from_millis(20);

/// The files of one session that the model has read or written. Clones are the same ledger.
///
/// A file is known by its content and not by its time: what was written back unchanged is unchanged. The texts of small
/// files are kept, within 16 MiB, so that the model can be shown what changed.
#[derive(Debug, Clone, Default)]
pub struct FileLedger {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Secret for this session, so that no content can be made that passes for another.
    keys: RandomState,
    files: Mutex<Files>,
    changes: Mutex<()>,
}

#[derive(Debug, Default)]
struct Files {
    known: HashMap<PathBuf, Known>,
    kept: usize,
    clock: u64,
}

#[derive(Debug)]
struct Known {
    stamp: Stamp,
    text: Option<Arc<str>>,
    used: u64,
}

/// What a file is recognised by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stamp {
    Content {
        bytes: usize,
        hash: u64,
    },
    /// Of a file that is too large to be read as a whole.
    Outside {
        bytes: u64,
        modified: Option<SystemTime>,
    },
    /// Of a file that was seen in an earlier run of the session: it is as it was then.
    Earlier {
        seen: SystemTime,
    },
}

/// What the model knows of a file as it is now.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// It has not seen it.
    Unread,
    /// It has seen this content.
    Fresh,
    /// It has seen another content.
    Changed(Diff),
}

impl FileLedger {
    /// A ledger without files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Waits until no other call changes files: two edits of one file, made at once, must not lose one of them.
    pub(crate) fn change(&self) -> MutexGuard<'_, ()> {
        self.inner.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The model has seen this content of the file.
    pub(crate) fn note(&self, real: &Path, content: &[u8]) {
        let text = std::str::from_utf8(content).ok().filter(|text| text.len() <= KEPT_TEXT).map(Arc::from);
        self.files().put(real, self.stamp(content), text);
    }

    /// The model has seen parts of this large file.
    pub(crate) fn note_large(&self, real: &Path, metadata: &Metadata) {
        self.files().put(real, outside(metadata), None);
    }

    /// The model has seen the file as it was at this time, if it has not seen it since.
    pub(crate) fn note_earlier(&self, real: &Path, seen: SystemTime) {
        let mut files = self.files();
        if !files.known.contains_key(real) {
            files.put(real, Stamp::Earlier { seen }, None);
        }
    }

    /// What the model knows of the file, which has this content now.
    pub(crate) fn freshness(&self, real: &Path, content: &[u8]) -> Freshness {
        let now = self.stamp(content);
        match self.files().seen(real) {
            None => Freshness::Unread,
            Some((stamp, _)) if stamp == now || is_from_before(stamp, real) => Freshness::Fresh,
            Some((_, before)) => Freshness::Changed(match (before, std::str::from_utf8(content)) {
                (Some(before), Ok(after)) if after.len() <= KEPT_TEXT => diff(&before, after),
                _ => Diff::Unknown,
            }),
        }
    }

    /// The same of a file that is too large to be read as a whole.
    pub(crate) fn freshness_large(&self, real: &Path, metadata: &Metadata) -> Freshness {
        match self.files().seen(real) {
            None => Freshness::Unread,
            Some((stamp, _)) if stamp == outside(metadata) || is_from_before(stamp, real) => Freshness::Fresh,
            Some(_) => Freshness::Changed(Diff::Unknown),
        }
    }

    fn stamp(&self, content: &[u8]) -> Stamp {
        Stamp::Content { bytes: content.len(), hash: self.inner.keys.hash_one(content) }
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.inner.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files {
    fn put(&mut self, real: &Path, stamp: Stamp, text: Option<Arc<str>>) {
        self.clock += 1;
        self.kept += size(text.as_ref());
        let known = Known { stamp, text, used: self.clock };
        if let Some(old) = self.known.insert(real.to_owned(), known) {
            self.kept = self.kept.saturating_sub(size(old.text.as_ref()));
        }
        while self.kept > KEPT_TEXTS {
            let with_text = self.known.values_mut().filter(|known| known.text.is_some());
            let Some(oldest) = with_text.min_by_key(|known| known.used) else { break };
            self.kept = self.kept.saturating_sub(size(oldest.text.take().as_ref()));
        }
    }

    fn seen(&mut self, real: &Path) -> Option<(Stamp, Option<Arc<str>>)> {
        self.clock += 1;
        let known = self.known.get_mut(real)?;
        known.used = self.clock;
        Some((known.stamp, known.text.clone()))
    }
}

fn size(text: Option<&Arc<str>>) -> usize {
    text.map_or(0, |text| text.len())
}

fn outside(metadata: &Metadata) -> Stamp {
    Stamp::Outside { bytes: metadata.len(), modified: metadata.modified().ok() }
}

/// Whether the file was not changed since the time at which it was seen.
fn is_from_before(stamp: Stamp, real: &Path) -> bool {
    let Stamp::Earlier { seen } = stamp else { return false };
    let changed = real.metadata().and_then(|metadata| metadata.modified());
    changed.is_ok_and(|changed| changed.checked_sub(CLOCK_STEP).is_some_and(|changed| changed <= seen))
}

#[cfg(test)]
mod tests;
