//! What a number of used tokens means.

use serde::{Deserialize, Serialize};

/// How full a window is, in steps. Ordered: more used never means less pressure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pressure {
    /// Below every threshold.
    #[default]
    Normal,
    /// The model should know.
    Notice,
    /// The person should know.
    Warn,
    /// The conversation should be compacted.
    Compact,
    /// The conversation must be compacted before anything is sent.
    Block,
    /// The request does not fit the window.
    Exceeded,
}

impl Pressure {
    /// The step as a word, for receipts and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Notice => "notice",
            Self::Warn => "warn",
            Self::Compact => "compact",
            Self::Block => "block",
            Self::Exceeded => "exceeded",
        }
    }
}

/// A ladder in tokens of one window. [`crate::Ladder::limits`] makes it; then the rungs rise within the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Used tokens from which on the model is told; `None`: off.
    pub notice: Option<u64>,
    /// Used tokens from which on the person is told; `None`: off.
    pub warn: Option<u64>,
    /// Used tokens from which on the conversation is compacted; `None`: off.
    pub compact: Option<u64>,
    /// Used tokens from which on nothing is sent before a compaction; `None`: off.
    pub block: Option<u64>,
    /// The most that a request may use.
    pub effective_window: u64,
}

impl Limits {
    /// The highest step that so many used tokens reach. A threshold is reached when it is met.
    #[must_use]
    pub fn pressure(&self, used: u64) -> Pressure {
        let reached = |rung: Option<u64>| rung.is_some_and(|tokens| used >= tokens);
        if used > self.effective_window {
            Pressure::Exceeded
        } else if reached(self.block) {
            Pressure::Block
        } else if reached(self.compact) {
            Pressure::Compact
        } else if reached(self.warn) {
            Pressure::Warn
        } else if reached(self.notice) {
            Pressure::Notice
        } else {
            Pressure::Normal
        }
    }

    /// Whether the compact threshold is on and reached. Off switches only this off, not the block.
    #[must_use]
    pub fn should_compact(&self, used: u64) -> bool {
        self.compact.is_some_and(|tokens| used >= tokens)
    }

    /// Whether nothing may be sent before a compaction: the block threshold is reached, or, even when that is
    /// off, the request does not fit the window.
    #[must_use]
    pub fn is_blocked(&self, used: u64) -> bool {
        self.pressure(used) >= Pressure::Block
    }
}
