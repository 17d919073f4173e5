//! The outcome of a turn.

use throughline_engine::RefusedTurn;

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnOutcome {
    /// The model's last text.
    pub text: String,
    /// Why the model stopped, for example `end_turn`; `cancelled` if the caller stopped it. An unknown reason is the
    /// provider's own word.
    pub stop: String,
    /// The caller stopped it.
    pub cancelled: bool,
    /// Requests of the session so far.
    pub requests: u64,
    /// What is known about the refusal, if the model refused.
    pub refused: Option<RefusedTurn>,
}
