//! What was read of transcripts, for as long as their files do not change.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use throughline_conversation::Millis;
use throughline_watch::TranscriptHead;

use super::figures::TranscriptFigures;
use super::places::FoundTranscript;
use super::read::ReadTranscript;
use super::rests::Rests;

/// Maximum number of transcripts in memory.
const MAX_WHOLE: usize = 4;

/// Maximum size of their files together; the newest one is in memory whatever its size.
const MAX_BYTES: u64 = 64 << 20;

/// When a file was changed, and its size.
pub(super) type Version = (Millis, u64);

/// The figures of a transcript, or why its file is no recording.
pub(super) type ReadFigures = Result<TranscriptFigures, String>;

/// The transcripts that were read.
#[derive(Debug, Default)]
pub(super) struct TranscriptMemory {
    /// The one that was asked for last is at the end.
    whole: Vec<(PathBuf, Version, Arc<ReadTranscript>)>,
    figures: HashMap<PathBuf, (Version, ReadFigures)>,
    heads: HashMap<PathBuf, (Version, TranscriptHead)>,
    rests: Rests,
    /// Whether figures are being read in the background.
    pub(super) is_reading: bool,
}

impl TranscriptMemory {
    /// The transcript, if it is in memory.
    pub(super) fn known(&mut self, found: &FoundTranscript) -> Option<Arc<ReadTranscript>> {
        let is = |(path, version, _): &(PathBuf, Version, _)| {
            *path == found.file.path && *version == found.version()
        };
        let at = self.whole.iter().position(is)?;
        let known = self.whole.remove(at);
        let read = Arc::clone(&known.2);
        self.whole.push(known);
        Some(read)
    }

    /// What the list says of a transcript. `None`: it was not read yet.
    pub(super) fn figures(&self, found: &FoundTranscript) -> Option<ReadFigures> {
        let (version, figures) = self.figures.get(&found.file.path)?;
        (*version == found.version()).then(|| figures.clone())
    }

    /// The beginning of a transcript, if it was read.
    pub(super) fn head(&self, found: &FoundTranscript) -> Option<TranscriptHead> {
        let (version, head) = self.heads.get(&found.file.path)?;
        (*version == found.version()).then(|| head.clone())
    }

    /// Remembers the beginning of a transcript.
    pub(super) fn remember_head(&mut self, found: &FoundTranscript, head: TranscriptHead) {
        self.heads.insert(found.file.path.clone(), (found.version(), head));
    }

    /// The version of a transcript that counts: of a file that grows, what was read a short while ago.
    pub(super) fn current(&self, found: &FoundTranscript, now: Instant) -> Version {
        self.rests.current(&found.file.path, found.version(), now)
    }

    /// Remembers the figures of a file that was read, and how long that took.
    pub(super) fn read(
        &mut self,
        found: &FoundTranscript,
        figures: ReadFigures,
        ended: Instant,
        took: Duration,
    ) {
        let path = &found.file.path;
        self.figures.insert(path.clone(), (found.version(), figures));
        self.rests.read(path, found.version(), ended, took);
    }

    /// Holds a transcript in memory, in place of older ones where there is no room for it.
    pub(super) fn remember(&mut self, found: &FoundTranscript, read: Arc<ReadTranscript>) {
        self.whole.retain(|(path, ..)| *path != found.file.path);
        while !self.whole.is_empty() && !self.has_room(found.bytes) {
            self.whole.remove(0);
        }
        self.whole.push((found.file.path.clone(), found.version(), read));
    }

    /// Returns true if one more file of a size may be in memory.
    fn has_room(&self, bytes: u64) -> bool {
        let own: u64 = self.whole.iter().map(|(_, (_, bytes), _)| bytes).sum();
        self.whole.len() < MAX_WHOLE && own.saturating_add(bytes) <= MAX_BYTES
    }
}
