//! The result of a compaction.

use std::fmt;

use serde::{Deserialize, Serialize};
use throughline_conversation::{
    Action, Degradation, Edit, ResultRef, TokenCounter, View, ViewError, Violation,
};
use throughline_text::{error_chain, group_thousands};

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

impl Compacted {
    /// The summaries that this compaction writes, in order.
    pub fn summaries(&self) -> impl Iterator<Item = &str> {
        self.edit.actions.iter().filter_map(|action| match action {
            Action::Cover { summary, .. } => summary.as_deref(),
            _ => None,
        })
    }

    /// The same compaction of the view `before` with other texts of its summaries, in order.
    ///
    /// # Errors
    /// [`CompactionError`]: a text is empty, or the view would not become smaller.
    pub fn with_summaries(
        &self,
        before: &View,
        texts: Vec<String>,
        counter: &dyn TokenCounter,
    ) -> Result<Self, CompactionError> {
        if texts.iter().any(|text| text.trim().is_empty()) {
            return Err(CompactionError::Failed("the edited summary is empty".to_owned()));
        }
        let (mut edit, mut texts) = (self.edit.clone(), texts.into_iter());
        for action in &mut edit.actions {
            let Action::Cover { summary: Some(summary), note, .. } = action else { continue };
            let Some(text) = texts.next() else { break };
            if let Some(note) = note {
                note.tokens = counter.text(&text);
                // An opaque item would still say what the user changed.
                note.provider = note.provider.take().filter(|made| made.item.is_none() || *summary == text);
            }
            *summary = text;
        }
        let view =
            before.edited(&edit, counter).map_err(|error| CompactionError::Failed(error.to_string()))?;
        let result = CompactResult::of(before, &view, self.result.strategies_run.clone());
        if result.after_tokens >= result.before_tokens {
            let (before, after) = (result.before_tokens, result.after_tokens);
            return Err(CompactionError::NothingToGain { before, after });
        }
        Ok(Self { edit, view, result, ..self.clone() })
    }
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
    /// The figures of a view before and after the named strategies.
    pub(crate) fn of(before: &View, after: &View, strategies_run: Vec<String>) -> Self {
        let same = before.transcript().common_prefix(after.transcript());
        let rewritten =
            after.entries().iter().skip(same).fold(0, |sum: u64, entry| sum.saturating_add(entry.tokens));
        Self {
            before_tokens: before.tokens(),
            after_tokens: after.tokens(),
            before_messages: before.entries().len() as u64,
            after_messages: after.entries().len() as u64,
            strategies_run,
            rewritten_tokens: rewritten,
        }
    }

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

impl CompactionError {
    /// Why nothing changed, for the user who asked for it.
    #[must_use]
    pub fn explained(&self) -> String {
        match self {
            Self::NothingToGain { before: 0, .. } => "the conversation is empty".to_owned(),
            Self::NothingToGain { before, .. } => {
                format!(
                    "the conversation has {} tokens, and nothing in it can be removed",
                    group_thousands(*before)
                )
            }
            other => error_chain(other),
        }
    }
}

#[cfg(test)]
mod tests;
