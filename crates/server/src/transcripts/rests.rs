//! How often a file that grows is read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::memory::Version;

/// A file that grows is read again after this many times as long as reading it took: a tenth of a core at most.
const REST: u32 = 9;

/// A file that is read in less is read whenever it has changed.
const QUICK: Duration = Duration::from_millis(200);

/// Maximum time between two readings.
const MAX_REST: Duration = Duration::from_secs(60);

/// The readings of files that may still count as current.
#[derive(Debug, Default)]
pub(super) struct Rests(HashMap<PathBuf, Reading>);

#[derive(Debug)]
struct Reading {
    version: Version,
    until: Instant,
}

impl Rests {
    /// A file was read; `took` is how long that took.
    pub(super) fn read(&mut self, path: &Path, version: Version, ended: Instant, took: Duration) {
        let until = ended + took.saturating_mul(REST).min(MAX_REST);
        self.0.retain(|known, reading| reading.until > ended && known != path);
        if took < QUICK {
            return;
        }
        self.0.insert(path.to_owned(), Reading { version, until });
    }

    /// The version of a file that counts: the one that was read, while the file rests and has only grown.
    pub(super) fn current(&self, path: &Path, version: Version, now: Instant) -> Version {
        match self.0.get(path) {
            Some(reading) if now < reading.until && reading.version.1 <= version.1 => reading.version,
            _ => version,
        }
    }
}

#[cfg(test)]
mod tests;
