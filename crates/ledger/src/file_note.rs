//! The work on one file.

use serde::{Deserialize, Serialize};
use throughline_conversation::ResultRef;

use crate::change::{ChangeKind, FileChange};
use crate::reference::{naming, refs};

/// Where the text of a file's newest read is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Newest {
    /// In the result of the call with this id.
    Shown(String),
    /// Stored under this name.
    Stored(ResultRef),
}

/// The work on one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileNote {
    /// Its path, as the calls write it.
    pub path: String,
    /// It did not exist before.
    pub created: bool,
    /// Whether it was deleted.
    pub deleted: bool,
    /// How often it was changed after it was created.
    pub edits: u64,
    /// How often it was read.
    pub reads: u64,
    /// Lines that the changes added, so far as their arguments tell.
    pub added: u64,
    /// Lines that the changes removed.
    pub removed: u64,
    /// Where the last change was: its lines, or the first line that is another.
    pub place: Option<String>,
    /// Where the text of the newest read is.
    pub newest: Option<Newest>,
}

const NEWEST: &str = "; newest read ref_id=\"";
const PLACE: &str = "; last at ";

impl FileNote {
    pub(crate) fn new(path: String) -> Self {
        Self { path, ..Self::default() }
    }

    /// Returns true if the session changed it.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.created || self.deleted || self.edits > 0
    }

    pub(crate) fn read(&mut self, shown_by: Option<&str>) {
        self.reads += 1;
        if let Some(id) = shown_by {
            self.newest = Some(Newest::Shown(id.to_owned()));
        }
    }

    pub(crate) fn change(&mut self, change: &FileChange, created: bool) {
        let first = created && !self.is_changed();
        self.created |= created;
        self.deleted = change.kind == ChangeKind::Deleted;
        self.edits += u64::from(!first && !self.deleted);
        self.added = self.added.saturating_add(change.added);
        self.removed = self.removed.saturating_add(change.removed);
        self.place.clone_from(&change.place);
    }

    /// Adds what an earlier ledger knew. It is older than what follows.
    pub(crate) fn add(&mut self, earlier: Self) {
        self.created |= earlier.created;
        self.deleted = earlier.deleted;
        self.edits = self.edits.saturating_add(earlier.edits);
        self.reads = self.reads.saturating_add(earlier.reads);
        self.added = self.added.saturating_add(earlier.added);
        self.removed = self.removed.saturating_add(earlier.removed);
        self.place = earlier.place.or(self.place.take());
        self.newest = earlier.newest.or(self.newest.take());
    }

    /// Its line. `stored` gives the name under which the result of a call is stored; `place`: whether the line says
    /// where the last change was.
    pub(crate) fn line(&self, place: bool, stored: &mut dyn FnMut(&str) -> Option<ResultRef>) -> String {
        let mut parts = Vec::new();
        if self.created {
            parts.push("created".to_owned());
        }
        if self.edits > 0 {
            parts.push(format!("edited {}×", self.edits));
        }
        let size = match (self.added, self.removed) {
            (0, 0) => String::new(),
            (added, 0) => format!(" (+{added})"),
            (0, removed) => format!(" (-{removed})"),
            (added, removed) => format!(" (+{added} -{removed})"),
        };
        if let Some(last) = parts.last_mut() {
            last.push_str(&size);
        }
        if self.deleted {
            parts.push("deleted".to_owned());
        }
        if self.reads > 0 {
            parts.push(format!("read {}×", self.reads));
        }
        let mut line = format!("{}: {}", self.path, parts.join(", "));
        if let Some(at) = self.place.as_ref().filter(|_| place) {
            line.push_str(PLACE);
            line.push_str(at);
        }
        let stored = match &self.newest {
            None => None,
            Some(Newest::Stored(stored)) => Some(stored.clone()),
            Some(Newest::Shown(id)) => stored(id),
        };
        if let Some(stored) = stored {
            line.push_str("; newest read ");
            line.push_str(&naming(&stored));
        }
        line
    }

    /// Its path and what changed in it. `None`: nothing.
    #[must_use]
    pub fn change_line(&self) -> Option<String> {
        let note = Self { reads: 0, newest: None, ..self.clone() };
        self.is_changed().then(|| note.line(true, &mut |_| None))
    }

    /// Reads such a line. A path may have the very marks in it that a line is made of.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (line, newest) = match line.rsplit_once(NEWEST) {
            Some((before, stored)) => {
                let stored = refs(stored).next().map(|name| Newest::Stored(ResultRef::from_text(name)));
                (before, stored)
            }
            None => (line, None),
        };
        line.match_indices(": ").find_map(|(at, mark)| {
            let (path, rest) = (line.get(..at)?, line.get(at + mark.len()..)?);
            let (counts, place) = match rest.split_once(PLACE) {
                Some((counts, place)) => (counts, Some(place.to_owned())),
                None => (rest, None),
            };
            let mut note = Self { place, newest: newest.clone(), ..Self::new(path.to_owned()) };
            counts.split(", ").try_for_each(|part| note.take_part(part))?;
            Some(note)
        })
    }

    /// Takes a part of a line, for example `edited 3× (+40 -12)`.
    fn take_part(&mut self, part: &str) -> Option<()> {
        let part = match part.strip_suffix(')').and_then(|part| part.split_once(" (")) {
            Some((part, size)) => {
                for number in size.split(' ') {
                    match (number.strip_prefix('+'), number.strip_prefix('-')) {
                        (Some(added), _) => self.added = added.parse().ok()?,
                        (None, Some(removed)) => self.removed = removed.parse().ok()?,
                        (None, None) => return None,
                    }
                }
                part
            }
            None => part,
        };
        match part {
            "created" => self.created = true,
            "deleted" => self.deleted = true,
            _ => {
                let (what, times) = part.strip_suffix('×')?.split_once(' ')?;
                let times = times.parse().ok()?;
                match what {
                    "edited" => self.edits = times,
                    "read" => self.reads = times,
                    _ => return None,
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests;
