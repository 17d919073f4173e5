//! Saving what is readable of a damaged database into a new one.
//!
//! Every page of the file is looked at by itself, without the trees above it and without SQLite: a row whose page and
//! whose overflow pages are sound is saved, wherever the damage is. Records prove themselves by their digests, so a
//! damaged one is never taken for a sound one. The original is only read.
//!
//! SQLite's own recovery is no part of the library that rusqlite bundles, and it puts rows whose tree is lost into one table
//! without their names. It would save them, but not say which records of which session are missing.

mod cells;
mod found;
mod pages;
mod target;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use throughline_conversation::{Seq, Span};

use crate::open_error::OpenError;
use found::{Found, SessionRow, recognize};
use pages::Pages;
use target::Target;

/// Pages whose rows are written in one transaction.
const BATCH: u32 = 256;

/// What was saved of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// The sessions, by id.
    pub sessions: Vec<RecoveredSession>,
    /// Number of memos.
    pub memos: usize,
}

/// What was saved of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecoveredSession {
    /// Its id.
    pub id: String,
    /// Its title; empty if its entry in the list of sessions is lost.
    pub title: String,
    /// Number of records.
    pub records: usize,
    /// The places of records that are lost.
    pub lost: Vec<Span>,
    /// Number of stored tool results.
    pub results: usize,
}

/// Why nothing was saved.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// The damaged file cannot be opened.
    #[error("{path} cannot be read: {source}")]
    Unreadable {
        /// The damaged file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No session has this name.
    #[error("no session whose id begins with {0:?} was found in the database")]
    NoSession(String),
    /// The new database cannot be created.
    #[error(transparent)]
    Target(#[from] OpenError),
    /// The new database cannot be written.
    #[error("the new database {path} cannot be written: {source}")]
    Unwritable {
        /// The new database.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
}

/// Saves what is readable of the database `damaged` into the new database `into`: all sessions and memos, or only the
/// sessions whose ids begin with `wanted`.
///
/// Reads the whole file, and blocks the thread meanwhile only for single pages and rows.
///
/// # Errors
/// [`RecoverError`]. The original is never changed.
pub async fn recover(damaged: &Path, into: &Path, wanted: Option<&str>) -> Result<Recovery, RecoverError> {
    let unreadable = |source| RecoverError::Unreadable { path: damaged.to_path_buf(), source };
    let mut pages = Pages::open(damaged).map_err(unreadable)?;
    let unwritable = |source| RecoverError::Unwritable { path: into.to_path_buf(), source };
    let mut target = Target::create(into).await?;
    let mut sessions: BTreeMap<String, Traces> = BTreeMap::new();
    let is_wanted = |id: &str| wanted.is_none_or(|wanted| id.starts_with(wanted));
    for page in 1..=pages.count() {
        if page.is_multiple_of(BATCH) {
            target.begin().map_err(unwritable)?;
        }
        for (tree, row) in cells::rows(&mut pages, page) {
            match recognize(tree, &row) {
                Some(Found::Record(row)) if is_wanted(&row.session_id) => {
                    sessions.entry(row.session_id.clone()).or_default().saved.insert(row.seq);
                    target.record(&row).map_err(unwritable)?;
                }
                Some(Found::Place(session, seq)) if is_wanted(&session) => {
                    sessions.entry(session).or_default().known_end(seq);
                }
                Some(Found::Session(row)) if is_wanted(&row.id) => {
                    let traces = sessions.entry(row.id.clone()).or_default();
                    traces.known_end(row.end.unwrap_or(0));
                    traces.row = Some(row);
                }
                Some(Found::Result(row)) if is_wanted(&row.session) => {
                    sessions.entry(row.session.clone()).or_default().results += 1;
                    target.result(&row).map_err(unwritable)?;
                }
                Some(Found::Snapshot(row)) if is_wanted(&row.session_id) => {
                    sessions.entry(row.session_id.clone()).or_default().known_end(row.covers);
                    target.snapshot(&row).map_err(unwritable)?;
                }
                Some(Found::Memo(row)) if wanted.is_none() => target.memo(row),
                Some(Found::Key(key)) => target.key(key).map_err(unwritable)?,
                _ => {}
            }
        }
    }
    // A row of an index looks like that of the log. A session has a record or an entry.
    sessions.retain(|_, traces| traces.row.is_some() || !traces.saved.is_empty());
    if let Some(wanted) = wanted.filter(|_| sessions.is_empty()) {
        return Err(RecoverError::NoSession(wanted.to_owned()));
    }
    for (id, traces) in &sessions {
        target.session(id, traces.row.as_ref(), traces.end()).map_err(unwritable)?;
    }
    let memos = target.finish().await?;
    let sessions = sessions.into_iter().map(|(id, traces)| traces.report(id)).collect();
    Ok(Recovery { sessions, memos })
}

/// What was found of a session.
#[derive(Debug, Default)]
struct Traces {
    row: Option<SessionRow>,
    saved: BTreeSet<i64>,
    results: usize,
    /// The newest place that anything but a record names.
    end: i64,
}

impl Traces {
    fn known_end(&mut self, seq: i64) {
        self.end = self.end.max(seq);
    }

    fn end(&self) -> i64 {
        // What the session itself says is checked; a damaged number elsewhere must not invent a billion records.
        let said = self.row.as_ref().and_then(|row| row.end);
        let newest = self.saved.last().copied().unwrap_or(0);
        said.unwrap_or(self.end).max(newest)
    }

    fn report(self, id: String) -> RecoveredSession {
        let (mut lost, mut before) = (Vec::new(), 0);
        let place = |seq: i64| Seq(seq.unsigned_abs());
        for seq in self.saved.iter().copied().chain([self.end() + 1]) {
            if seq > before + 1 {
                lost.push(Span { first: place(before + 1), last: place(seq - 1) });
            }
            before = seq;
        }
        let title = self.row.map(|row| row.title).unwrap_or_default();
        RecoveredSession { id, title, records: self.saved.len(), lost, results: self.results }
    }
}
