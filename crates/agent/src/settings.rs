//! Everything that is decided about an agent from outside.

use throughline_budget::{Ladder, Threshold};
use throughline_compaction::CompactionPolicy;
use throughline_completion::RetryPolicy;
use throughline_conversation::ForeignTools;
use throughline_deferral::DeferralPolicy;
use throughline_prompt::DynamicPlacement;
use throughline_resultstore::OffloadPolicy;

/// Policies of the subsystems and limits of a turn. There is no default: the composition root chooses.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Window in tokens; `None`: the model's own. A larger one than the model's is cut to the model's.
    pub window: Option<u64>,
    /// Tokens kept free for the answer.
    pub max_output_tokens: u64,
    /// When to note, warn, compact and block.
    pub ladder: Ladder,
    /// Early compaction threshold, checked at a new user message only: the previous work is done then.
    pub early: Threshold,
    /// Which results leave the window at once.
    pub offload: OffloadPolicy,
    /// Which tool descriptions are held back.
    pub deferral: DeferralPolicy,
    /// How the view shrinks.
    pub compaction: CompactionPolicy,
    /// Where sections go that change all the time.
    pub placement: DynamicPlacement,
    /// Tools that run side by side at most.
    pub parallel_tools: usize,
    /// Requests of one turn at most; `None`: no limit.
    pub max_requests: Option<u64>,
    /// When a request is sent again.
    pub retry: RetryPolicy,
    /// How the model is shown tool calls that a model of another provider made.
    pub foreign: ForeignTools,
    /// Whether the provider counts the first request after a compaction before it is sent.
    pub recount: Recount,
    /// How requests that turn out to be too large are rebuilt.
    pub recovery: RecoveryPolicy,
}

/// How the size of a request is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recount {
    /// Not at all: the estimate holds until the next answer reports its usage.
    #[default]
    Off,
    /// By the provider's own count, where it has one.
    Count,
    /// By that, or else by a real request for an answer of 16 tokens, of which only the report is used.
    Probe,
}

/// How a turn recovers from requests that turn out to be too large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecoveryPolicy {
    /// How often one request may be rebuilt in a row. Two causes make a request too large after it was measured: tools
    /// that were promoted, and a provider that counts more tokens than the local counter. Default: 2, once for each.
    pub rebuild_attempts: u32,
    /// Share of the conversation that is kept when the provider rejects a request as too large and the compaction
    /// chain gains too little. Default: 0.5.
    pub overflow_target: f64,
}

impl Default for RecoveryPolicy {
    fn default() -> Self {
        Self { rebuild_attempts: 2, overflow_target: 0.5 }
    }
}
