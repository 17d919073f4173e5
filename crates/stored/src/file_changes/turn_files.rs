//! The files that a turn changed, by its records.

use std::path::PathBuf;

use throughline_conversation::{FileVersion, Millis, Record, RecordBody, SessionId};
use throughline_groups::Change;

use super::RestoreOutcome;

/// A side of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSide {
    /// The contents before the turn, which an undo restores.
    Before,
    /// The contents after the turn, which a redo restores.
    After,
}

/// The files that a turn changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnFiles {
    /// Each file once, in the order of the first changes.
    pub files: Vec<TurnFile>,
    /// What the turn may have changed that is not recorded.
    pub unrecorded: Vec<String>,
    /// When the turn began; `None`: it has no record.
    pub since: Option<Millis>,
    /// Sub-agents whose changes by their own logs are among them. Their sessions have the contents of these.
    pub(super) agents: Vec<SessionId>,
}

/// A file that a turn changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnFile {
    /// Its absolute path.
    pub path: PathBuf,
    /// What it was before the turn.
    pub before: FileVersion,
    /// What it was after the turn.
    pub after: FileVersion,
    /// Every content that it had in the turn.
    pub(super) versions: Vec<FileVersion>,
}

impl TurnFiles {
    /// The files that these records say were changed, as if by one turn.
    pub(super) fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut found = Self::default();
        for record in records {
            found.since = Some(found.since.map_or(record.at, |since| since.min(record.at)));
            let RecordBody::Files(files) = &record.body else { continue };
            for change in &files.changes {
                let path = PathBuf::from(&change.path);
                let versions = [change.before.clone(), change.after.clone()];
                match found.files.iter_mut().find(|file| file.path == path) {
                    Some(file) => {
                        file.after = change.after.clone();
                        file.versions.extend(versions);
                    }
                    None => found.files.push(TurnFile {
                        path,
                        before: change.before.clone(),
                        after: change.after.clone(),
                        versions: versions.to_vec(),
                    }),
                }
            }
            for what in &files.unrecorded {
                found.note_unrecorded(what.clone());
            }
        }
        found
    }

    /// Notes what may be changed and is not recorded, once.
    pub(super) fn note_unrecorded(&mut self, what: String) {
        if !self.unrecorded.contains(&what) {
            self.unrecorded.push(what);
        }
    }
}

impl TurnFile {
    /// What becomes of the file if it has no content of the turn: something else changed it, unless the turn's own content is not known.
    pub(super) fn unknown_since(&self) -> RestoreOutcome {
        let why = self.versions.iter().find_map(|version| match version {
            FileVersion::Unstored { why } => Some(why),
            _ => None,
        });
        match why {
            Some(why) => {
                RestoreOutcome::NotStored(format!("what the turn left in it is not recorded ({why})"))
            }
            None => RestoreOutcome::ChangedSince,
        }
    }

    /// The file on this side.
    pub(super) fn side(&self, side: FileSide) -> &FileVersion {
        match side {
            FileSide::Before => &self.before,
            FileSide::After => &self.after,
        }
    }
}

impl FileSide {
    /// The side that a change restores; `None`: it changes no file.
    #[must_use]
    pub fn of_change(change: Change) -> Option<Self> {
        match change {
            Change::Undo => Some(Self::Before),
            Change::Redo => Some(Self::After),
            _ => None,
        }
    }
}
