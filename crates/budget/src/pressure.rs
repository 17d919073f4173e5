//! The pressure that a number of used tokens puts on a window.

use serde::{Deserialize, Serialize};

/// How full a window is, in levels. Ordered: more used tokens never mean less pressure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pressure {
    /// Below every threshold.
    #[default]
    Normal,
    /// The notice threshold is reached: the model gets a note.
    Notice,
    /// The warn threshold is reached: the user is warned.
    Warn,
    /// The compact threshold is reached: the conversation is compacted.
    Compact,
    /// The block threshold is reached: nothing is sent before a compaction.
    Block,
    /// The request does not fit the window.
    Exceeded,
}

impl Pressure {
    /// The level as a word, for receipts and messages.
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

/// The thresholds in tokens of one window, as [`crate::Thresholds::limits`] checked them: they rise within the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Used tokens at which the model gets a note; `None` if off.
    pub notice: Option<u64>,
    /// Used tokens at which the user is warned; `None` if off.
    pub warn: Option<u64>,
    /// Used tokens at which the conversation is compacted; `None` if off.
    pub compact: Option<u64>,
    /// Used tokens at which nothing is sent before a compaction; `None` if off.
    pub block: Option<u64>,
    /// The most tokens that a request may use.
    pub effective_window: u64,
}

impl Limits {
    /// The highest level that `used` tokens reach. A threshold is reached when it is met.
    #[must_use]
    pub fn pressure(&self, used: u64) -> Pressure {
        let reached = |threshold: Option<u64>| threshold.is_some_and(|tokens| used >= tokens);
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

    /// Returns true if the compact threshold is on and reached. The block threshold is independent of it.
    #[must_use]
    pub fn should_compact(&self, used: u64) -> bool {
        self.compact.is_some_and(|tokens| used >= tokens)
    }

    /// Returns true if nothing may be sent before a compaction: the block threshold is reached, or, even when that
    /// is off, the request does not fit the window.
    #[must_use]
    pub fn is_blocked(&self, used: u64) -> bool {
        self.pressure(used) >= Pressure::Block
    }
}
