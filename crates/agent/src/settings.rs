//! Everything that is decided about an agent from outside.

use std::time::Duration;

use throughline_budget::{Ladder, Threshold};
use throughline_compaction::CompactionPolicy;
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
    /// At a new user message, compact from here on: the moment is good, because the old work is done.
    pub opportune: Threshold,
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
    /// Whether the provider is asked for a request's size after a compaction, before it is sent.
    pub recount: Recount,
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

/// When a request is sent again that failed for a reason which may pass.
#[derive(Debug, Clone, Copy)]
pub struct RetryPolicy {
    /// Tries in all, the first included. Of a provider that falls silent, two at most.
    pub attempts: u32,
    /// Wait before the second try; it doubles with each try, and is up to a quarter shorter by chance. A provider's own
    /// word about the wait wins.
    pub first_wait: Duration,
    /// No wait is longer: a provider that asks for more is not waited for, and the request fails at once.
    pub longest_wait: Duration,
}
