//! Documents of a session: short texts with revisions, shown to the model at the end of each request.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::group::{GroupStatus, Groups};
use crate::ids::{ExchangeId, Seq};
use crate::record::Source;

/// Names a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentName {
    /// Facts: goal, context, finished work, technical anchors.
    State,
    /// The plan: understanding, steps, decisions, blockers, last action.
    Scratchpad,
}

impl DocumentName {
    /// The name as text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Scratchpad => "scratchpad",
        }
    }
}

impl fmt::Display for DocumentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A new revision of a document: the whole text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// Which one.
    pub name: DocumentName,
    /// The text from here on; empty deletes the document.
    pub text: String,
    /// Its author. A revision by the user stays when the exchange is undone.
    pub by: Source,
}

/// The current revision of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// Its record.
    pub seq: Seq,
    /// The exchange that it was made in.
    pub exchange: ExchangeId,
    /// The text.
    pub text: String,
    /// Who wrote it.
    pub by: Source,
}

/// The current documents of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Documents(BTreeMap<DocumentName, Revision>);

impl Documents {
    /// Returns a document; `None` if it is missing or empty.
    #[must_use]
    pub fn get(&self, name: DocumentName) -> Option<&Revision> {
        self.0.get(&name).filter(|revision| !revision.text.is_empty())
    }

    /// The text of a document; empty if it is missing.
    #[must_use]
    pub fn text(&self, name: DocumentName) -> &str {
        self.get(name).map_or("", |revision| revision.text.as_str())
    }

    /// The record of the newest revision, even of an empty one; 0 if it was never written.
    #[must_use]
    pub fn revision(&self, name: DocumentName) -> Seq {
        self.0.get(&name).map_or(Seq(0), |revision| revision.seq)
    }

    /// All documents that are not empty, in the order in which they are shown.
    pub fn all(&self) -> impl Iterator<Item = (DocumentName, &Revision)> {
        self.0.iter().filter(|(_, revision)| !revision.text.is_empty()).map(|(name, one)| (*name, one))
    }

    /// Applies a revision, unless its exchange was undone.
    pub(crate) fn take(&mut self, seq: Seq, exchange: ExchangeId, record: &DocumentRecord, groups: &Groups) {
        let reverted = GroupStatus::reverts_documents(groups.status(exchange));
        if reverted && record.by != Source::User {
            return;
        }
        let DocumentRecord { name, text, by } = record.clone();
        self.0.insert(name, Revision { seq, exchange, text, by });
    }
}
