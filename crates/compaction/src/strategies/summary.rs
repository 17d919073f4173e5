//! Replaces the oldest messages by one rolling summary.

use std::sync::Arc;

use async_trait::async_trait;

use crate::cover::{RangeHistory, analyze, budgets_left, cover, fresh_ranges, units_to_cover};
use crate::draft::Draft;
use crate::extractive::ExtractiveSummarizer;
use crate::plan::{Plan, last_request};
use crate::policy::SummaryScope;
use crate::prose::request_prose;
use crate::strategy::{Strategy, StrategyError};
use crate::summarizer::{AnswerChecks, Prose, Summarizer, SummaryRequest};
use crate::template::Template;

/// Covers the oldest units with a summary, as many as reach the aim, and merges the summaries that
/// are among them. The user's words in it are verbatim, the files, commands, errors and names are
/// gathered without a model; only the prose about the progress may come from one.
///
/// The user's last own words stay where they are. When they stand among the oldest units, there is one summary
/// before and one behind them.
#[derive(Debug, Clone)]
pub struct RollingSummary {
    summarizer: Option<Arc<dyn Summarizer>>,
    template: Template,
}

impl Default for RollingSummary {
    fn default() -> Self {
        Self::new(None)
    }
}

impl RollingSummary {
    /// Summaries whose prose comes from this summarizer, or from the messages themselves.
    #[must_use]
    pub fn new(summarizer: Option<Arc<dyn Summarizer>>) -> Self {
        Self { summarizer, template: Template::ROLLING }
    }

    /// The same, asked for in another way.
    #[must_use]
    pub fn with_template(self, template: Template) -> Self {
        Self { template, ..self }
    }

    async fn progress(&self, draft: &mut Draft<'_>, plan: &Plan<'_>, history: &RangeHistory<'_>) -> Prose {
        /// Fewer tokens are not worth a call of a model.
        const WORTH_A_CALL: u64 = 400;
        let budget = history.budgets.progress;
        if budget == 0 {
            return Prose::by_rule("");
        }
        let prompt = plan.job.summary_prompt(self.template.prompt(budget));
        let counter = draft.counter();
        let entries = draft.original_of(history.range.span);
        let (previous, prefix) = (history.history.previous(), plan.job.prefix);
        let replaced = history.range.tokens;
        let request = SummaryRequest {
            entries,
            previous: previous.as_deref(),
            budget,
            prompt: &prompt,
            counter,
            prefix,
            spending: plan.job.spending,
            checks: Some(AnswerChecks { template: &self.template, replaced }),
        };
        let asked = !plan.job.by_rule && replaced >= WORTH_A_CALL;
        let summarizer = self.summarizer.as_deref().filter(|_| asked);
        match request_prose(draft, summarizer, &request).await {
            Ok(Some(prose)) => return prose,
            Ok(None) => {}
            Err(cause) => draft.degrade("summarizer", "an extractive summary of the messages", cause),
        }
        Prose::by_rule(ExtractiveSummarizer.extract(&request))
    }
}

#[async_trait]
impl Strategy for RollingSummary {
    fn name(&self) -> &'static str {
        "summary"
    }

    fn follows_instructions(&self) -> bool {
        self.summarizer.is_some()
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError> {
        let units = draft.units();
        let pinned = last_request(&units, draft.entries());
        let end = plan.first_protected(draft.view(), &units);
        let budgets = plan.budgets();
        let count = units_to_cover(draft.tokens(), &units, pinned, end, plan.aim, budgets);
        let ranges = fresh_ranges(draft, count);
        let budgets = match plan.policy.summary_scope {
            SummaryScope::Messages => budgets,
            SummaryScope::Session => budgets_left(draft, &ranges, budgets),
        };
        let mut histories = analyze(draft, &ranges, budgets);
        for part in &mut histories {
            part.progress = self.progress(draft, plan, part).await;
            draft.remember_progress(part.range.span, &part.progress);
        }
        cover(draft, &histories, plan.policy, &self.template);
        Ok(draft.settle()?)
    }
}

#[cfg(test)]
mod tests;
