//! The result of a compaction.

use std::fmt;

use serde::{Deserialize, Serialize};
use throughline_conversation::{Degradation, Edit, ResultRef, View, ViewError, Violation};
use throughline_text::group_thousands;

/// A compaction, ready to be applied: store the bytes of `keep`, then append the edit.
#[derive(Debug, Clone, PartialEq)]
pub struct Compacted {
    /// The edit to append to the log.
    pub edit: Edit,
    /// The resulting view: the job's view with the edit applied.
    pub view: View,
    /// Bytes that must be stored before the edit is appended, so that each reference in it can be read.
    pub keep: Vec<ClearedResult>,
    /// Its figures.
    pub result: CompactResult,
    /// Parts that failed, with their fallbacks.
    pub degraded: Vec<Degradation>,
    /// Lines for the log of what the engine does, in order.
    pub notes: Vec<String>,
}

/// Text that a compaction removes from the window: a tool result, an input, or the messages that a summary covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClearedResult {
    /// The reference.
    pub stored: ResultRef,
    /// The source: a tool's name, or `conversation`.
    pub tool: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The figures of a compaction. Tokens are the counter's own, of the messages alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompactResult {
    /// Tokens before.
    pub before_tokens: u64,
    /// Tokens after.
    pub after_tokens: u64,
    /// Messages before.
    pub before_messages: u64,
    /// Messages after.
    pub after_messages: u64,
    /// Strategies that changed something, in order.
    pub strategies_run: Vec<String>,
    /// Tokens of the new view from the first changed message on, which the cache has to write again.
    pub rewritten_tokens: u64,
}

impl CompactResult {
    /// Returns true if the view became smaller, so that a new snapshot is worth its cost.
    #[must_use]
    pub fn really_reduced(&self) -> bool {
        self.after_tokens < self.before_tokens || self.after_messages < self.before_messages
    }
}

impl fmt::Display for CompactResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "compacted {} → {} messages, {} → {} tokens ({})",
            group_thousands(self.before_messages),
            group_thousands(self.after_messages),
            group_thousands(self.before_tokens),
            group_thousands(self.after_tokens),
            self.strategies_run.join(", "),
        )
    }
}

/// Why a compaction failed. The view is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum CompactionError {
    /// The circuit breaker is open. Reset it, or wait until the view must fit.
    #[error("compaction is paused after {failures} failures in a row; reset it to try again")]
    BreakerOpen {
        /// Failures in a row.
        failures: u32,
    },
    /// The view would hardly shrink.
    #[error(
        "nothing to compact: it would only go from {} to {} tokens and invalidate the prompt cache",
        group_thousands(*before),
        group_thousands(*after)
    )]
    NothingToGain {
        /// Tokens before.
        before: u64,
        /// Tokens that could be reached.
        after: u64,
    },
    /// A strategy failed, and without it the view would hardly shrink.
    #[error("compaction failed: {0}")]
    Failed(String),
    /// Not even dropping everything that may be dropped makes the view fit. Use a model with a larger
    /// window, or shorten what is named.
    #[error("the conversation needs at least {smallest} tokens and {allowed} are allowed: {what}")]
    DoesNotFit {
        /// The smallest that could be reached.
        smallest: u64,
        /// The allowed tokens.
        allowed: u64,
        /// The largest message that has to stay.
        what: String,
    },
    /// The view would break rules that it does not break now.
    #[error("compacting would make the conversation invalid: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Invalid(Vec<Violation>),
    /// The edit does not fit the view.
    #[error("make the edit of a compaction")]
    Edit(#[source] ViewError),
}
