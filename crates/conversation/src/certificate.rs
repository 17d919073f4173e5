//! Whether a request after a compaction has what must not be lost, word for word.

use serde::{Deserialize, Serialize};

use crate::ids::{Seq, Span};

/// What a request had to have of the session's standing texts, and what of it was missing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Certificate {
    /// How many texts were required.
    pub required: u64,
    /// The required texts and where they stand; recorded with the first request after a compaction, empty in later ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<CertifiedText>,
    /// The required texts that are nowhere in the request, which says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A required text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertifiedText {
    /// Why it is required.
    pub kind: StandingKind,
    /// The text.
    pub text: String,
    /// Where it stands word for word; `None`: nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<StandingPlace>,
}

/// Why a text has to stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandingKind {
    /// The user said it as a rule that holds from then on.
    Rule,
    /// The user pinned it.
    Pin,
    /// It is an open step of the checklist.
    Task,
    /// It is the user's last request.
    Request,
}

impl StandingKind {
    /// Its name in a table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Pin => "pin",
            Self::Task => "task",
            Self::Request => "request",
        }
    }
}

/// Where a request has a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandingPlace {
    /// In a message in full view.
    Message(Seq),
    /// In the summary of these records.
    Summary(Span),
    /// In a note at the end of the request.
    Note,
}
