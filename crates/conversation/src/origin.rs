//! Where a model's messages come from, and who reads them now.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The provider and the model that a message was written by.
///
/// Call ids, signatures and opaque reasoning mean something only to who made them, so every message of a model
/// carries this for as long as it is in view.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Origin {
    /// Who serves the model, for example `anthropic`.
    pub provider: String,
    /// The model's name, as requests name it.
    pub model: String,
}

impl Origin {
    /// An origin of these two names.
    #[must_use]
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        Self { provider: provider.into(), model: model.into() }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.model)
    }
}

/// How a provider is shown the tool calls that a model of another provider made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForeignTools {
    /// As plain text: which tool was called with what, and what it answered.
    #[default]
    Digest,
    /// Not at all: only that there were some. Texts stay.
    Withhold,
}

/// The model that reads the session from here on, and writes what follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRecord {
    /// Who it is.
    #[serde(flatten)]
    pub origin: Arc<Origin>,
    /// Its window in tokens.
    pub window: u64,
    /// Windows that providers' overflow errors have taught in this session, by the origin as text. They hold for
    /// the whole session, whoever reads in between.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub learnt: BTreeMap<String, u64>,
    /// How it is shown the tool calls of others.
    #[serde(default)]
    pub foreign: ForeignTools,
}

impl ModelRecord {
    /// The reader that the record sets.
    #[must_use]
    pub fn reader(&self) -> Reader {
        Reader { origin: Arc::clone(&self.origin), foreign: self.foreign }
    }
}

/// Who reads a view. What a view shows of foreign messages depends on it, and on nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reader {
    /// Who it is.
    pub origin: Arc<Origin>,
    /// How it is shown the tool calls of others.
    #[serde(default)]
    pub foreign: ForeignTools,
}
