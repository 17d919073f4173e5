//! When a model is asked for a summary.

/// When a model is asked for a summary. Without one it is written by rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ModelSummaries {
    /// Never.
    Never,
    /// Where what it costs in tokens and in time is paid back. Never while the prompt cache is cold.
    WherePaid,
    /// At each compaction.
    #[default]
    Always,
}
