//! The settings of an agent.

use throughline_budget::{Threshold, Thresholds};
use throughline_compaction::{CompactionPolicy, PricePolicy};
use throughline_completion::RetryPolicy;
use throughline_conversation::ForeignTools;
use throughline_deferral::DeferralPolicy;
use throughline_prompt::DynamicPlacement;
use throughline_resultstore::OffloadPolicy;

/// Policies of the subsystems and limits of a turn. The named policies of the crate `policies` create them.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Window in tokens, at most the model's own; `None` uses the model's own.
    pub window: Option<u64>,
    /// Tokens reserved for output.
    pub max_output_tokens: u64,
    /// Thresholds at which to note, warn, compact and block.
    pub thresholds: Thresholds,
    /// Early compaction threshold, checked at a new user message only: the previous work is done then.
    pub early: Threshold,
    /// Compactions by price, below the compact threshold; `None` for none.
    pub pricing: Option<PricePolicy>,
    /// The next setting of the policy's dial; `None`: the session stays where it is.
    pub next_step: Option<Box<DialStep>>,
    /// Offload policy: which results leave the window at once.
    pub offload: OffloadPolicy,
    /// Tool deferral policy.
    pub deferral: DeferralPolicy,
    /// Compaction policy.
    pub compaction: CompactionPolicy,
    /// Share of the effective window that pins may take together.
    pub pin_share: f64,
    /// Placement of prompt sections that change all the time.
    pub placement: DynamicPlacement,
    /// Maximum number of tools that run at the same time.
    pub parallel_tools: usize,
    /// Maximum number of requests in one turn; `None` for no limit.
    pub max_requests: Option<u64>,
    /// Maximum number of requests in a row without progress in one turn, see
    /// [`RepetitionGuard`](throughline_tools::RepetitionGuard); `None` for no limit.
    pub max_stalled_requests: Option<u64>,
    /// Retry policy of requests.
    pub retry: RetryPolicy,
    /// Form in which a model sees tool calls of another provider's model.
    pub foreign: ForeignTools,
    /// How the first request after a compaction is counted before it is sent.
    pub recount: Recount,
    /// How requests that turn out to be too large are rebuilt.
    pub recovery: RecoveryPolicy,
}

/// A move of a policy's dial to the setting that keeps more in view. A session makes it when what compactions removed was
/// needed again for more than they had saved.
#[derive(Debug, Clone)]
pub struct DialStep {
    /// The policy.
    pub policy: String,
    /// The setting before.
    pub from: String,
    /// The setting afterwards.
    pub to: String,
    /// All settings afterwards.
    pub settings: Settings,
}

/// How the provider is asked for the size of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recount {
    /// Not at all: the estimate is used until the next answer reports its usage.
    #[default]
    Off,
    /// By the provider's token counting, where it has one.
    Count,
    /// By token counting, or else by a real request for a very short answer, of which only the usage is read.
    Probe,
}

/// How a turn recovers from requests that turn out to be too large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecoveryPolicy {
    /// How often one request may be rebuilt in a row. Two causes make a request too large after it was measured: tools
    /// that were promoted, and a provider that counts more tokens than the local counter. Once for each is enough.
    pub rebuild_attempts: u32,
    /// Share of the conversation that is kept when the provider rejects a request as too large and the compaction
    /// chain gains too little.
    pub overflow_target: f64,
}
