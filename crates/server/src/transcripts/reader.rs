//! Lists transcripts and reads them, and remembers what was read for as long as the files do not change.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use throughline_connect::model_table;
use throughline_stored::FolderScope;
use throughline_text::{error_chain, first_chars};
use throughline_watch::{FileAgent, Transcript, TranscriptHead, WatchError, head, subagents_of};

use super::figures::TranscriptFigures;
use super::memory::TranscriptMemory;
use super::places::{FoundTranscript, TranscriptPlace};
use super::read::{ReadTranscript, TranscriptPart, read_file};
use crate::answer::Failure;

/// Between the key of a session and what names a part of it or a subagent.
pub(super) const PART: char = '.';

/// Characters of a key that an error repeats.
const ECHO: usize = 120;

/// The transcripts that the server shows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transcripts {
    places: Arc<[TranscriptPlace]>,
    memory: Arc<Mutex<TranscriptMemory>>,
}

/// A transcript that was opened by its key.
#[derive(Debug, Clone)]
pub(crate) struct OpenedTranscript {
    pub(crate) key: String,
    pub(crate) found: FoundTranscript,
    pub(crate) read: Arc<ReadTranscript>,
    part: usize,
    /// The key of the session that it is a part or a subagent of.
    pub(crate) parent: Option<String>,
}

impl OpenedTranscript {
    /// The conversation that the key names.
    ///
    /// # Errors
    /// The file has no such part.
    pub(crate) fn part(&self) -> Result<&TranscriptPart, Failure> {
        self.read.parts.get(self.part).ok_or_else(|| unknown_transcript(&self.key))
    }
}

/// A subagent of a session, or a branch that its user has rewound.
#[derive(Debug, Clone)]
pub(crate) struct SubTranscript {
    pub(crate) key: String,
    pub(crate) kind: &'static str,
    pub(crate) figures: TranscriptFigures,
}

/// There is no such transcript.
pub(crate) fn unknown_transcript(key: &str) -> Failure {
    let key = first_chars(key, ECHO);
    Failure::missing(format!("there is no transcript {key:?}; /api/transcripts lists them"))
}

fn unreadable(error: &WatchError) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, error_chain(error))
}

impl Transcripts {
    pub(crate) fn new(places: Vec<TranscriptPlace>) -> Self {
        Self { places: places.into(), memory: Arc::default() }
    }

    /// Returns true if the server was asked for no transcripts.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The transcripts of a scope that are recordings, as far as is known; the one that was written last first.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub(crate) async fn list(&self, scope: FolderScope) -> Result<Vec<FoundTranscript>, Failure> {
        let own = self.clone();
        blocking(move || {
            let mut all = own.all()?;
            all.retain(|found| {
                let is_known_otherwise = matches!(own.figures(found), Some(Err(_)));
                !is_known_otherwise && (scope.is_all() || own.is_within(found, &scope))
            });
            Ok(all)
        })
        .await
    }

    /// The files that are no recordings, and why, as far as is known.
    pub(crate) async fn unreadable(&self) -> Result<Vec<(PathBuf, String)>, Failure> {
        let own = self.clone();
        blocking(move || {
            let failed = |found: FoundTranscript| match own.figures(&found) {
                Some(Err(why)) => Some((found.file.path, why)),
                _ => None,
            };
            Ok(own.all()?.into_iter().filter_map(failed).collect())
        })
        .await
    }

    /// The transcript in a file.
    fn found(&self, agent: Option<FileAgent>, file: Transcript) -> FoundTranscript {
        let mut found = FoundTranscript::new(agent, file);
        self.settle(&mut found);
        found
    }

    /// Of a file that was read a short while ago and grows, what was read is current.
    fn settle(&self, found: &mut FoundTranscript) {
        (found.modified, found.bytes) = self.locked().current(found, Instant::now());
    }

    fn all(&self) -> Result<Vec<FoundTranscript>, Failure> {
        let (mut all, mut known) = (Vec::new(), HashSet::new());
        for place in self.places.iter() {
            let listed = place.list().map_err(|error| Failure::input(error_chain(&error)))?;
            all.extend(listed.into_iter().filter(|found| known.insert(found.key.clone())));
        }
        all.iter_mut().for_each(|found| self.settle(found));
        all.sort_by(|one, other| other.modified.cmp(&one.modified).then_with(|| one.key.cmp(&other.key)));
        Ok(all)
    }

    /// The transcript of a key, if it is in a scope. `None`: it is missing.
    pub(crate) async fn find(
        &self,
        key: &str,
        scope: FolderScope,
    ) -> Result<Option<FoundTranscript>, Failure> {
        let (own, key) = (self.clone(), key.to_owned());
        blocking(move || {
            let session = key.split(PART).next().unwrap_or_default();
            let found = own.all()?.into_iter().find(|found| found.key == session);
            Ok(found.filter(|found| scope.is_all() || own.is_within(found, &scope)))
        })
        .await
    }

    /// Reads the transcript of a key.
    ///
    /// # Errors
    /// The key is unknown, or the file is no recording.
    pub(crate) async fn open(&self, key: &str) -> Result<OpenedTranscript, Failure> {
        let found = self.find(key, FolderScope::default()).await?;
        let found = found.ok_or_else(|| unknown_transcript(key))?;
        let (own, key) = (self.clone(), key.to_owned());
        blocking(move || {
            let parent = key.split_once(PART).map(|(parent, _)| parent.to_owned());
            let Some((_, name)) = key.split_once(PART) else {
                let read = own.read(&found).map_err(|error| unreadable(&error))?;
                return Ok(OpenedTranscript { key, found, read, part: 0, parent });
            };
            if let Ok(part) = name.parse::<usize>() {
                let read = own.read(&found).map_err(|error| unreadable(&error))?;
                return Ok(OpenedTranscript { key, found, read, part, parent });
            }
            let file = subagents_of(&found.file).into_iter().find(|file| file.id == name);
            let file = file.ok_or_else(|| unknown_transcript(&key))?;
            let found = own.found(found.agent, file);
            let read = own.read(&found).map_err(|error| unreadable(&error))?;
            Ok(OpenedTranscript { key, found, read, part: 0, parent })
        })
        .await
    }

    /// The subagents of a session and its rewound branches.
    pub(crate) async fn subs(&self, opened: &OpenedTranscript) -> Result<Vec<SubTranscript>, Failure> {
        if opened.parent.is_some() {
            return Ok(Vec::new());
        }
        let (own, opened) = (self.clone(), opened.clone());
        blocking(move || Ok(own.subs_of(&opened))).await
    }

    fn subs_of(&self, opened: &OpenedTranscript) -> Vec<SubTranscript> {
        let mut subs = Vec::new();
        for file in subagents_of(&opened.found.file) {
            let key = format!("{}{PART}{}", opened.key, file.id);
            let found = self.found(opened.found.agent, file);
            if self.figures(&found).is_none() {
                // What failed is remembered, and is no subagent that can be shown.
                let _ = self.read(&found);
            }
            if let Some(Ok(figures)) = self.figures(&found) {
                subs.push(SubTranscript { key, kind: "subagent", figures });
            }
        }
        for (place, part) in opened.read.parts.iter().enumerate().skip(1) {
            let kind = match part.kind {
                throughline_audit::SessionPart::Rewound => "rewound branch",
                _ => "subagent",
            };
            let figures = TranscriptFigures::of(&opened.read, place);
            let key = format!("{}{PART}{place}", opened.key);
            subs.extend(figures.map(|figures| SubTranscript { key, kind, figures }));
        }
        subs
    }

    /// What the list says of a transcript. `None`: it was not read yet.
    pub(crate) fn figures(&self, found: &FoundTranscript) -> Option<Result<TranscriptFigures, String>> {
        self.locked().figures(found)
    }

    /// The beginning of a transcript: its folder and title.
    pub(crate) fn head(&self, found: &FoundTranscript) -> TranscriptHead {
        if let Some(known) = self.locked().head(found) {
            return known;
        }
        let head = head(&found.file.path).unwrap_or_default();
        self.locked().remember_head(found, head.clone());
        head
    }

    /// The title of a session whose file is read when it is opened. `None`: it is in memory, is known to be no recording, or is a
    /// part of another session.
    pub(crate) fn unread_title(&self, key: &str, found: &FoundTranscript) -> Option<String> {
        let is_ready = key.contains(PART) || self.locked().known(found).is_some();
        if is_ready || matches!(self.figures(found), Some(Err(_))) {
            return None;
        }
        let title = self.head(found).title;
        Some(if title.is_empty() { found.file.id.clone() } else { title })
    }

    fn is_within(&self, found: &FoundTranscript, scope: &FolderScope) -> bool {
        self.head(found).folder.is_some_and(|folder| {
            let folder = folder.canonicalize().unwrap_or(folder);
            scope.contains(folder)
        })
    }

    /// Reads a file whole, from memory if it has not changed.
    pub(super) fn read(&self, found: &FoundTranscript) -> Result<Arc<ReadTranscript>, WatchError> {
        if let Some(known) = self.locked().known(found) {
            return Ok(known);
        }
        let table = model_table().map_err(|error| WatchError::Usage(error_chain(&error)))?;
        let began = Instant::now();
        let read = read_file(&found.file.path, &table).map(Arc::new);
        let ended = Instant::now();
        let figures = match &read {
            Ok(read) => TranscriptFigures::of(read, 0).ok_or_else(|| "nothing was said in it".to_owned()),
            Err(error) => Err(error_chain(error)),
        };
        let mut memory = self.locked();
        memory.read(found, figures, ended, ended.duration_since(began));
        let read = read?;
        memory.remember(found, Arc::clone(&read));
        Ok(read)
    }

    /// Reads the figures of transcripts in the background, in their order, unless that is being done.
    pub(crate) fn read_behind(&self, all: &[FoundTranscript]) {
        let new: Vec<FoundTranscript> =
            all.iter().filter(|found| self.figures(found).is_none()).cloned().collect();
        if new.is_empty() || std::mem::replace(&mut self.locked().is_reading, true) {
            return;
        }
        let own = self.clone();
        tokio::task::spawn_blocking(move || {
            for found in new {
                if let Err(error) = own.read(&found) {
                    let path = found.file.path.display().to_string();
                    tracing::warn!(path, error = error_chain(&error), "a file is no recording");
                }
            }
            own.locked().is_reading = false;
        });
    }

    fn locked(&self) -> MutexGuard<'_, TranscriptMemory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs work with files on a thread of its own.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())))
}
