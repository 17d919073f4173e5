//! The numbers of a compaction.

use std::sync::Arc;

use crate::fraction::fraction_of;
use crate::model_summaries::ModelSummaries;
use crate::strategy_chain::StrategyChain;

/// Size that a deep compaction aims at: the smaller of the two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TargetSize {
    /// Fraction of the room.
    pub fraction: f64,
    /// Tokens.
    pub tokens: u64,
}

impl TargetSize {
    /// The target in tokens for `room` tokens.
    #[must_use]
    pub fn of(&self, room: u64) -> u64 {
        self.tokens.min(fraction_of(room, self.fraction))
    }
}

/// What a summary covers, and so what its budgets are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryScope {
    /// The messages that it replaces: each summary has the whole budgets, and its index lists the names of these messages.
    Messages,
    /// The session: the summaries in view share the budgets, and the index lists names of the whole session.
    Session,
}

/// How a view is shrunk. The default cost least and preserved most over replayed coding sessions: a low target, few
/// protected steps, and an index of the names that leave the window.
#[derive(Debug, Clone)]
pub struct CompactionPolicy {
    /// The strategies, with the numbers that are their own.
    pub chain: Arc<dyn StrategyChain>,
    /// Standing instructions of the user for every summary that a model writes.
    pub instructions: Option<String>,
    /// When a model is asked for a summary.
    pub model_summaries: ModelSummaries,
    /// A model's summary may be written while the session works, before the compaction that needs it. No automatic compaction then
    /// waits for a model.
    pub summaries_ahead: bool,
    /// True if a failed compaction ends the turn. Otherwise the session continues uncompacted, as long as it fits.
    pub strict: bool,
    /// This many newest steps (a message of the model and the results of its calls) are not touched. Fewer
    /// are, when they alone fill more than half of the room.
    pub protect_steps: usize,
    /// Steps before the newest one stay, too, as long as they have at most this many tokens together.
    pub recent_tokens: u64,
    /// Size that a compaction aims at.
    pub target: TargetSize,
    /// A deep compaction that shrinks the view by less than this fraction is not worth a cold cache.
    pub minimum_gain: f64,
    /// The circuit breaker opens after this many failed deep compactions in a row. 0: never.
    pub max_failures: u32,
    /// Tokens of the user's own words that a summary repeats verbatim.
    pub user_words_tokens: u64,
    /// Tokens of the prose that a summarizer writes.
    pub progress_tokens: u64,
    /// Tokens of the list of files, commands and errors.
    pub ledger_tokens: u64,
    /// Tokens of the index of names, at four bytes each: it is cut by bytes, so that names need not be
    /// counted one by one.
    pub names_tokens: u64,
    /// Tokens of the keys and values that the user gave, besides what they take of the user's words. They are listed only where
    /// summaries cover the session.
    pub given_tokens: u64,
    /// What a summary covers.
    pub summary_scope: SummaryScope,
    /// Results and inputs of at most this many bytes stay unchanged.
    pub clear_min_bytes: usize,
    /// A long string in an old call's input is cut to this many bytes.
    pub clip_bytes: usize,
    /// One name per this many bytes of a cleared text is listed in its place.
    pub digest_bytes_per_name: usize,
    /// At most this many names are listed in place of one cleared text.
    pub digest_max_names: usize,
}

impl CompactionPolicy {
    /// When a model is asked for a summary. Standing instructions ask for one at each compaction: no rule follows them.
    #[must_use]
    pub fn asks_model(&self) -> ModelSummaries {
        match (&self.instructions, self.model_summaries) {
            (Some(_), ModelSummaries::WherePaid) => ModelSummaries::Always,
            (_, own) => own,
        }
    }

    /// Returns true if summaries list names of the whole session, so that the session must note them.
    #[must_use]
    pub fn lists_session_names(&self) -> bool {
        self.summary_scope == SummaryScope::Session
    }
}

#[cfg(test)]
mod tests;
