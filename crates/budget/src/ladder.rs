//! The four thresholds of a window, and their check.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::pressure::Limits;
use crate::threshold::Threshold;

/// What happens as the window fills, lowest first. Rungs that are off are skipped.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ladder {
    /// The model is told how full its window is.
    pub notice: Threshold,
    /// The person is told.
    pub warn: Threshold,
    /// The conversation is compacted before the next request. Off: only when asked, blocked or refused.
    pub compact: Threshold,
    /// No request leaves before the conversation was compacted.
    pub block: Threshold,
}

impl Default for Ladder {
    /// Notice at 80 %, compact at 95 %, block at 98 % of the effective window; no warning.
    fn default() -> Self {
        Self {
            notice: Threshold::PercentEffective(80.0),
            warn: Threshold::Off,
            compact: Threshold::PercentEffective(95.0),
            block: Threshold::PercentEffective(98.0),
        }
    }
}

/// Name of a rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// [`Ladder::notice`].
    Notice,
    /// [`Ladder::warn`].
    Warn,
    /// [`Ladder::compact`].
    Compact,
    /// [`Ladder::block`].
    Block,
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Notice => "notice",
            Self::Warn => "warn",
            Self::Compact => "compact",
            Self::Block => "block",
        })
    }
}

/// A ladder that does not fit its window. Nothing is put right silently: a person wrote it and must know.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LadderError {
    /// The answer's reserve takes the whole window.
    #[error(
        "no room for a request: {max_output} tokens are reserved for the answer of a window of {total}; lower the output limit"
    )]
    NoRoom {
        /// The whole window in tokens.
        total: u64,
        /// The reserve in tokens.
        max_output: u64,
    },
    /// A percentage out of range.
    #[error("threshold {rung} is {threshold}: a percentage must be above 0 and at most 100")]
    Percentage {
        /// The rung.
        rung: Rung,
        /// Its threshold.
        threshold: Threshold,
    },
    /// A rung that is always reached.
    #[error(
        "threshold {rung} ({threshold}) is 0 tokens and would always be reached; set it to \"off\" or higher"
    )]
    Zero {
        /// The rung.
        rung: Rung,
        /// Its threshold.
        threshold: Threshold,
    },
    /// A rung that no request which fits can reach.
    #[error(
        "threshold {rung} ({threshold}) is {tokens} tokens, above the effective window of {effective_window}; lower it or the output limit"
    )]
    AboveWindow {
        /// The rung.
        rung: Rung,
        /// Its threshold.
        threshold: Threshold,
        /// The threshold in tokens.
        tokens: u64,
        /// The effective window in tokens.
        effective_window: u64,
    },
    /// A lower rung is above a higher one.
    #[error(
        "threshold {low} ({low_threshold}, {low_tokens} tokens) is above {high} ({high_threshold}, {high_tokens} tokens); lower {low}, raise {high}, or set one to \"off\""
    )]
    OutOfOrder {
        /// The rung that should come first.
        low: Rung,
        /// Its threshold.
        low_threshold: Threshold,
        /// Its threshold in tokens.
        low_tokens: u64,
        /// The rung that should come later.
        high: Rung,
        /// Its threshold.
        high_threshold: Threshold,
        /// Its threshold in tokens.
        high_tokens: u64,
    },
}

impl Ladder {
    /// The ladder for a window that turned out smaller than it was written for: rungs that are above it become those
    /// of the default ladder. One that fits stays as it is.
    ///
    /// Nobody wrote this window, so there is nobody to tell that a number of tokens does not fit it.
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

    /// The ladder for a window of `total` tokens with `max_output` of them reserved for the answer.
    ///
    /// # Errors
    /// [`LadderError`] when the rungs that are on do not rise (equal is allowed) or one is out of the window.
    pub fn limits(&self, total: u64, max_output: u64) -> Result<Limits, LadderError> {
        let effective_window = total.saturating_sub(max_output);
        if effective_window == 0 {
            return Err(LadderError::NoRoom { total, max_output });
        }
        let mut below: Option<(Rung, Threshold, u64)> = None;
        let mut climb = |rung: Rung, threshold: Threshold| {
            if !threshold.has_valid_percentage() {
                return Err(LadderError::Percentage { rung, threshold });
            }
            let Some(tokens) = threshold.tokens(total, max_output) else { return Ok(None) };
            if tokens == 0 {
                return Err(LadderError::Zero { rung, threshold });
            }
            if tokens > effective_window {
                return Err(LadderError::AboveWindow { rung, threshold, tokens, effective_window });
            }
            if let Some((low, low_threshold, low_tokens)) = below
                && low_tokens > tokens
            {
                let (high, high_threshold, high_tokens) = (rung, threshold, tokens);
                return Err(LadderError::OutOfOrder {
                    low,
                    low_threshold,
                    low_tokens,
                    high,
                    high_threshold,
                    high_tokens,
                });
            }
            below = Some((rung, threshold, tokens));
            Ok(Some(tokens))
        };
        Ok(Limits {
            notice: climb(Rung::Notice, self.notice)?,
            warn: climb(Rung::Warn, self.warn)?,
            compact: climb(Rung::Compact, self.compact)?,
            block: climb(Rung::Block, self.block)?,
            effective_window,
        })
    }
}
