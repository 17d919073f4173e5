//! The default chain and the default numbers.

use std::sync::Arc;

use crate::model_summaries::ModelSummaries;
use crate::policy::{CompactionPolicy, SummaryScope, TargetSize};
use crate::strategies::summary::RollingSummary;
use crate::strategies::tool_clearing::ToolClearing;
use crate::strategy::Strategy;
use crate::strategy_chain::StrategyChain;
use crate::summarizer::Summarizer;

/// The default chain: clears old tool results, then replaces the oldest messages by one rolling summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RollingChain;

impl StrategyChain for RollingChain {
    fn strategies(&self, summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
        vec![Arc::new(ToolClearing), Arc::new(RollingSummary::new(summarizer))]
    }
}

impl Default for CompactionPolicy {
    fn default() -> Self {
        Self {
            chain: Arc::new(RollingChain),
            instructions: None,
            model_summaries: ModelSummaries::default(),
            summaries_ahead: false,
            strict: false,
            protect_steps: 4,
            recent_tokens: 0,
            target: TargetSize { fraction: 0.35, tokens: 11_000 },
            minimum_gain: 0.10,
            max_failures: 3,
            user_words_tokens: 8_000,
            progress_tokens: 1_000,
            ledger_tokens: 900,
            names_tokens: 3_000,
            given_tokens: 0,
            summary_scope: SummaryScope::Messages,
            clear_min_bytes: 400,
            clip_bytes: 200,
            digest_bytes_per_name: 100,
            digest_max_names: 200,
        }
    }
}
