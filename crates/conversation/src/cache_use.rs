//! What a request was expected to find in the provider's prompt cache, and what it found.

use serde::{Deserialize, Serialize};

use crate::breakpoint::CacheTtl;
use crate::receipt::Receipt;

/// Difference between two figures of one prompt that is no difference: a share of the prompt, and the step in which OpenAI
/// reports what was read (OpenAI documentation, "Prompt caching": 128 tokens).
const TOLERANCE: (u64, u64) = (50, 128);

/// What has made the cache of the request before useless, at least in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CacheChange {
    /// The provider has dropped it: nothing was sent for longer than this.
    Idle {
        /// Minutes that the provider stores it without use.
        minutes: u64,
    },
    /// Another model answers.
    ModelSwitch,
    /// Other tools are sent.
    Tools,
    /// The system prompt has changed.
    SystemPrompt,
    /// Messages were compacted, hidden or shown again.
    Messages,
}

/// What the request before left in the cache, in tokens, and what has changed since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheForecast {
    /// Tokens that the request before left in the cache.
    pub warm: u64,
    /// What has changed; `None`: all of them should be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<CacheChange>,
}

/// Why a request could not reuse the cache of the one before, in the provider's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheDiagnosis {
    /// The provider's name of the reason, for example `tools_changed`.
    pub reason: String,
    /// Tokens that were not read because of it, as the provider estimates them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_tokens: Option<u64>,
}

/// A request that read less from the cache than the request before left there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CacheMiss {
    /// Tokens that were left there, as far as this request could be them.
    pub warm: u64,
    /// Tokens that were read.
    pub read: u64,
    /// What had changed; `None`: nothing that is known here.
    pub change: Option<CacheChange>,
    /// What the provider says, if it was asked and knows a reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<CacheDiagnosis>,
}

impl CacheMiss {
    /// The cause in a few words, for people: what has changed here, else what the provider says.
    #[must_use]
    pub fn cause(&self) -> String {
        match (self.change, &self.diagnosis) {
            (Some(change), _) => change.text(),
            (None, Some(diagnosis)) => format!("{} by the provider", diagnosis.reason.replace('_', " ")),
            (None, None) => "unexplained".to_owned(),
        }
    }
}

impl CacheChange {
    /// The cause in a few words, for people.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Idle { minutes } => format!("idle over {minutes} min"),
            Self::ModelSwitch => "model switch".to_owned(),
            Self::Tools => "other tools".to_owned(),
            Self::SystemPrompt => "other system prompt".to_owned(),
            Self::Messages => "compacted or changed messages".to_owned(),
        }
    }
}

impl Receipt {
    /// The longest time that the request asked the cache to last. `None`: it had no cache breakpoint.
    #[must_use]
    pub fn asked_ttl(&self) -> Option<CacheTtl> {
        self.breakpoints.iter().map(|marker| marker.ttl).max()
    }

    /// The cache miss of this request. `None`: it read what it could, or too little is known.
    #[must_use]
    pub fn cache_miss(&self) -> Option<CacheMiss> {
        let (reported, forecast) = (self.reported?, self.cache?);
        let warm = forecast.warm.min(reported.prompt());
        let read = reported.cache_read;
        let missed = warm.saturating_sub(read) > tolerance(reported.prompt());
        missed.then(|| CacheMiss { warm, read, change: forecast.change, diagnosis: self.diagnosis.clone() })
    }

    /// Returns true if what was read from the cache is what was predicted. `None` without a report.
    #[must_use]
    pub fn predicted_cache_read(&self) -> Option<bool> {
        let reported = self.reported?;
        let difference = reported.cache_read.abs_diff(self.predicted.cache_read);
        Some(difference <= tolerance(reported.prompt()))
    }
}

fn tolerance(prompt: u64) -> u64 {
    let (share, step) = TOLERANCE;
    (prompt / share).max(step)
}
