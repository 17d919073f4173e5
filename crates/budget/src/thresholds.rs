//! The four thresholds of a window, and their check.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::pressure::Limits;
use crate::threshold::Threshold;

/// The four thresholds of a window, lowest first. Thresholds that are off are skipped.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Thresholds {
    /// The model gets a note on how full its window is.
    pub notice: Threshold,
    /// The user is warned.
    pub warn: Threshold,
    /// The conversation is compacted before the next request. If off: only on demand, when blocked, or when the
    /// provider rejects a request as too long.
    pub compact: Threshold,
    /// No request is sent until the conversation has been compacted.
    pub block: Threshold,
}

impl Default for Thresholds {
    /// Notice at 80 %, compact at 95 % and block at 98 % of the effective window; no warning.
    fn default() -> Self {
        Self {
            notice: Threshold::PercentEffective(80.0),
            warn: Threshold::Off,
            compact: Threshold::PercentEffective(95.0),
            block: Threshold::PercentEffective(98.0),
        }
    }
}

/// Names one of the four [`Thresholds`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThresholdLevel {
    /// [`Thresholds::notice`].
    Notice,
    /// [`Thresholds::warn`].
    Warn,
    /// [`Thresholds::compact`].
    Compact,
    /// [`Thresholds::block`].
    Block,
}

impl fmt::Display for ThresholdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Notice => "notice",
            Self::Warn => "warn",
            Self::Compact => "compact",
            Self::Block => "block",
        })
    }
}

/// Thresholds that do not fit their window. They are never corrected silently: a user wrote them.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InvalidThresholds {
    /// The reserved output takes the whole window.
    #[error(
        "no room for a request: {max_output} tokens are reserved for the answer of a window of {total}; lower the output limit"
    )]
    NoRoom {
        /// The whole window in tokens.
        total: u64,
        /// The reserved output in tokens.
        max_output: u64,
    },
    /// A percentage out of range.
    #[error("threshold {level} is {threshold}: a percentage must be above 0 and at most 100")]
    Percentage {
        /// Its level.
        level: ThresholdLevel,
        /// Its threshold.
        threshold: Threshold,
    },
    /// A threshold that is always reached.
    #[error(
        "threshold {level} ({threshold}) is 0 tokens and would always be reached; set it to \"off\" or higher"
    )]
    Zero {
        /// Its level.
        level: ThresholdLevel,
        /// Its threshold.
        threshold: Threshold,
    },
    /// A threshold that no request within the window can reach.
    #[error(
        "threshold {level} ({threshold}) is {tokens} tokens, above the effective window of {effective_window}; lower it or the output limit"
    )]
    AboveWindow {
        /// Its level.
        level: ThresholdLevel,
        /// Its threshold.
        threshold: Threshold,
        /// The threshold in tokens.
        tokens: u64,
        /// The effective window in tokens.
        effective_window: u64,
    },
    /// The threshold of a lower level is above that of a higher one.
    #[error(
        "threshold {low} ({low_threshold}, {low_tokens} tokens) is above {high} ({high_threshold}, {high_tokens} tokens); lower {low}, raise {high}, or set one to \"off\""
    )]
    OutOfOrder {
        /// The level that should come first.
        low: ThresholdLevel,
        /// Its threshold.
        low_threshold: Threshold,
        /// Its threshold in tokens.
        low_tokens: u64,
        /// The level that should come later.
        high: ThresholdLevel,
        /// Its threshold.
        high_threshold: Threshold,
        /// Its threshold in tokens.
        high_tokens: u64,
    },
}

impl Thresholds {
    /// Adapts the thresholds to a window that turned out smaller than configured: those above it get their defaults.
    /// Thresholds that fit are unchanged.
    ///
    /// A window that was learnt from a provider is no mistake of the user, so this corrects instead of failing.
    #[must_use]
    pub fn within(&self, total: u64, max_output: u64) -> Self {
        let usual = Self::default();
        let effective = total.saturating_sub(max_output);
        let lower = |own: Threshold, usual: Threshold| match own.tokens(total, max_output) {
            Some(tokens) if tokens > effective => usual,
            _ => own,
        };
        let lowered = Self {
            notice: lower(self.notice, usual.notice),
            warn: lower(self.warn, usual.warn),
            compact: lower(self.compact, usual.compact),
            block: lower(self.block, usual.block),
        };
        let compact = if self.compact == Threshold::Off { Threshold::Off } else { usual.compact };
        let fits = lowered.limits(total, max_output).is_ok();
        if fits { lowered } else { Self { compact, ..usual } }
    }

    /// Converts the thresholds to tokens of a window of `total` tokens, `max_output` of them reserved for output.
    ///
    /// # Errors
    /// [`InvalidThresholds`] when the thresholds that are on do not rise (equal is allowed) or one is outside the
    /// window.
    pub fn limits(&self, total: u64, max_output: u64) -> Result<Limits, InvalidThresholds> {
        let effective_window = total.saturating_sub(max_output);
        if effective_window == 0 {
            return Err(InvalidThresholds::NoRoom { total, max_output });
        }
        let mut below: Option<(ThresholdLevel, Threshold, u64)> = None;
        let mut check = |level: ThresholdLevel, threshold: Threshold| {
            if !threshold.has_valid_percentage() {
                return Err(InvalidThresholds::Percentage { level, threshold });
            }
            let Some(tokens) = threshold.tokens(total, max_output) else { return Ok(None) };
            if tokens == 0 {
                return Err(InvalidThresholds::Zero { level, threshold });
            }
            if tokens > effective_window {
                return Err(InvalidThresholds::AboveWindow { level, threshold, tokens, effective_window });
            }
            if let Some((low, low_threshold, low_tokens)) = below
                && low_tokens > tokens
            {
                let (high, high_threshold, high_tokens) = (level, threshold, tokens);
                return Err(InvalidThresholds::OutOfOrder {
                    low,
                    low_threshold,
                    low_tokens,
                    high,
                    high_threshold,
                    high_tokens,
                });
            }
            below = Some((level, threshold, tokens));
            Ok(Some(tokens))
        };
        Ok(Limits {
            notice: check(ThresholdLevel::Notice, self.notice)?,
            warn: check(ThresholdLevel::Warn, self.warn)?,
            compact: check(ThresholdLevel::Compact, self.compact)?,
            block: check(ThresholdLevel::Block, self.block)?,
            effective_window,
        })
    }
}
