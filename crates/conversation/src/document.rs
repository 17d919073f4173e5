//! Documents of a session: short texts that are kept by revision and shown to the model at the end of each request.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::group::{GroupStatus, Groups};
use crate::ids::{ExchangeId, Seq};
use crate::record::Source;

/// Which document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentName {
    /// What is true: goal, context, what is done, technical anchors.
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
    /// The text from here on. Empty: there is none.
    pub text: String,
    /// Who wrote it. What a person wrote stays when the exchange is undone.
    pub by: Source,
}

/// The revision of a document that is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// The record that holds it.
    pub seq: Seq,
    /// The exchange that it was made in.
    pub exchange: ExchangeId,
    /// The text.
    pub text: String,
    /// Who wrote it.
    pub by: Source,
}

/// The documents of a session as they are now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Documents(BTreeMap<DocumentName, Revision>);

impl Documents {
    /// A document; `None`: there is none, or it is empty.
    #[must_use]
    pub fn get(&self, name: DocumentName) -> Option<&Revision> {
        self.0.get(&name).filter(|revision| !revision.text.is_empty())
    }

    /// The text of a document; empty when there is none.
    #[must_use]
    pub fn text(&self, name: DocumentName) -> &str {
        self.get(name).map_or("", |revision| revision.text.as_str())
    }

    /// The place of the newest revision, also of an empty one; 0: it was never written.
    #[must_use]
    pub fn revision(&self, name: DocumentName) -> Seq {
        self.0.get(&name).map_or(Seq(0), |revision| revision.seq)
    }

    /// All that are not empty, in the order in which they are shown.
    pub fn all(&self) -> impl Iterator<Item = (DocumentName, &Revision)> {
        self.0.iter().filter(|(_, revision)| !revision.text.is_empty()).map(|(name, one)| (*name, one))
    }

    /// Takes a revision, unless its exchange was taken back.
    pub(crate) fn take(&mut self, seq: Seq, exchange: ExchangeId, record: &DocumentRecord, groups: &Groups) {
        let taken_back = GroupStatus::is_taken_back(groups.status(exchange));
        if taken_back && record.by != Source::User {
            return;
        }
        let DocumentRecord { name, text, by } = record.clone();
        self.0.insert(name, Revision { seq, exchange, text, by });
    }
}
