//! Where a model's messages come from, and who reads them now.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ids::Seq;

/// The provider and the model that a message was written by.
///
/// Call ids, signatures and opaque reasoning are valid only for the model that wrote them, so every message of a model
/// carries its origin while in view.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Origin {
    /// The provider's name, for example `anthropic`.
    pub provider: String,
    /// The model's name, as requests name it.
    pub model: String,
}

impl Origin {
    /// Creates an origin.
    #[must_use]
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        Self { provider: provider.into(), model: model.into() }
    }

    /// Returns true if tool calls of one go to the other verbatim: those of one provider, and of Gemini's two services, which
    /// have one form of message.
    #[must_use]
    pub fn shares_tools_with(&self, other: &Self) -> bool {
        self.wire() == other.wire()
    }

    /// The form of its messages.
    fn wire(&self) -> &str {
        match self.provider.as_str() {
            "gemini_gca" => "gemini",
            provider => provider,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.model)
    }
}

/// How tool calls of another provider's model are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForeignTools {
    /// As plain text: the tool, its arguments and its result.
    #[default]
    Digest,
    /// Not at all, except that there were some. Texts stay.
    #[serde(alias = "withhold")]
    Isolate,
}

/// The model of the session from here on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRecord {
    /// Its provider and name.
    #[serde(flatten)]
    pub origin: Arc<Origin>,
    /// Its window in tokens.
    pub window: u64,
    /// Windows learnt in this session from providers' overflow errors, by the origin as text. They are valid for the
    /// whole session, across switches of the model.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub learnt: BTreeMap<String, u64>,
    /// How it is shown tool calls of other providers.
    #[serde(default)]
    pub foreign: ForeignTools,
    /// Thinking before this record is not shown: its provider refused the signatures. `None`: all is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_from: Option<Seq>,
    /// Tokens of thinking that its requests ask for; `None`: its provider decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<u64>,
}

impl ModelRecord {
    /// The target model that the record sets.
    #[must_use]
    pub fn reader(&self) -> TargetModel {
        TargetModel {
            origin: Arc::clone(&self.origin),
            foreign: self.foreign,
            thinking_from: self.thinking_from,
        }
    }
}

/// The model that a view is rendered for. How a view shows foreign messages depends on it alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetModel {
    /// Its provider and name.
    pub origin: Arc<Origin>,
    /// How it is shown tool calls of other providers.
    #[serde(default)]
    pub foreign: ForeignTools,
    /// Thinking before this record is not shown. `None`: all is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_from: Option<Seq>,
}
