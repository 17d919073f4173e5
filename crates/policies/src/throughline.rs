//! The policy `throughline`: compacts deep, at the moments when the model's prices and its prompt cache's clock say that it
//! pays.

use std::sync::Arc;

use throughline_budget::Threshold;
use throughline_compaction::{
    CompactionPolicy, RollingSummary, Strategy, StrategyChain, Summarizer, SummaryScope, TargetSize, Template,
};
use throughline_engine::Settings;
use throughline_resultstore::OffloadPolicy;

use crate::economy::{Economy, LARGEST_PREVIEWED};
use crate::policy::Policy;
use crate::summary_style::SummaryStyle;
use crate::vibe::SECTIONS;

/// For a help text.
pub(crate) const SUMMARY: &str = "Compacts deep, when prices and the prompt cache's clock say that it pays; large results leave the window at once";

/// The settings.
pub(crate) fn settings(mut own: Settings, economy: Economy) -> Settings {
    own.early = Threshold::Off;
    let window = own.window.unwrap_or(LARGEST_PREVIEWED);
    own.pricing = Some(economy.pricing(window));
    // What is previewed makes room; what an edit needs of a file is in the middle as often as at its ends.
    own.offload =
        OffloadPolicy { read_threshold_bytes: economy.whole_reads(window), ..economy.previews(window) };
    let compaction = CompactionPolicy {
        // The newest step stays whole, and what led to it.
        protect_steps: 1,
        recent_tokens: economy.recent_tokens(),
        target: TargetSize { fraction: 0.0, tokens: 0 },
        user_words_tokens: economy.words_tokens(window),
        ledger_tokens: 300,
        names_tokens: economy.names_tokens(),
        given_tokens: economy.given_tokens(window),
        summary_scope: SummaryScope::Session,
        ..CompactionPolicy::default()
    };
    own.compaction = SummaryStyle::Brief.apply(Policy::Throughline, compaction);
    own
}

/// One summary of everything but the newest turn. Cleared results would cost tokens that the summary does not need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DeepChain(pub(crate) SummaryStyle);

/// How a thorough summary is asked for.
const THOROUGH: Template = Template {
    name: "throughline thorough",
    prompt: concat!(include_str!("../texts/vibe.md"), include_str!("../texts/budget.md")),
    headings: SECTIONS,
};

impl StrategyChain for DeepChain {
    fn strategies(&self, summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
        let summary = RollingSummary::new(summarizer);
        vec![Arc::new(match self.0 {
            SummaryStyle::Rule | SummaryStyle::Brief => summary,
            SummaryStyle::Thorough => summary.with_template(THOROUGH),
        })]
    }
}

#[cfg(test)]
mod tests;
