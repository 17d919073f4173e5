//! Sizes and limits of summary requests.

use std::time::Duration;

use throughline_completion::RetryPolicy;

/// Sizes and limits of the requests that ask a model for a summary.
///
/// Compaction's port allows eight requests for one summary: the parts, one that joins their notes, and a first
/// attempt that may overflow. [`max_parts`](Self::max_parts) has to leave room for the latter two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SummarizerSettings {
    /// Maximum number of parts that messages are split into when they do not fit into one request. Default: 6.
    pub max_parts: usize,
    /// Output tokens added to the summary's budget for thinking, which providers count as output. A limit that is
    /// not reached costs nothing. Default: 8,000.
    pub thinking_tokens: u64,
    /// Output limit of a summary as a multiple of its budget: a summary that is somewhat too long is shortened in
    /// its middle later, rather than at its end by the provider. Default: 2.
    pub budget_factor: u64,
    /// Share of the free window, in percent, that messages shown as text may fill. Default: 80.
    pub text_percent: u64,
    /// Bytes of text shown per token of that share. Two also hold for dense text, so that the request that is
    /// meant to free space does not overflow itself. Default: 2.
    pub bytes_per_token: u64,
    /// Percentage by which a provider may count more tokens than the local counter. Default: 25.
    pub count_margin_percent: u64,
    /// Maximum bytes quoted of a message to identify it in an instruction. Default: 80.
    pub quote_bytes: usize,
    /// When a request is sent again. The session waits for its summary, so there are fewer attempts than for its own
    /// requests. Default: three attempts with waits of 1 s and 2 s, none after a silence, and none if the provider asks for
    /// a wait of more than 10 s.
    pub retry: RetryPolicy,
}

impl Default for SummarizerSettings {
    fn default() -> Self {
        Self {
            max_parts: 6,
            thinking_tokens: 8_000,
            budget_factor: 2,
            text_percent: 80,
            bytes_per_token: 2,
            count_margin_percent: 25,
            quote_bytes: 80,
            retry: RetryPolicy {
                attempts: 3,
                silent_attempts: 1,
                first_wait: Duration::from_secs(1),
                longest_wait: Duration::from_secs(10),
            },
        }
    }
}

impl SummarizerSettings {
    /// Tokens of a window that are free behind this many shown ones, which a provider may count higher.
    pub(crate) fn free(&self, window: u64, shown: u64) -> u64 {
        let margin = Self::percent(shown, self.count_margin_percent);
        window.saturating_sub(shown.saturating_add(margin))
    }

    /// A percentage of a number of tokens, rounded down.
    pub(crate) fn percent(tokens: u64, percent: u64) -> u64 {
        tokens.saturating_mul(percent) / 100
    }
}
