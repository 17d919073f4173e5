//! The oldest messages go behind one rolling summary.

use std::sync::Arc;

use async_trait::async_trait;

use crate::cover::{Known, choose, cover, know, stretches};
use crate::judge::judge;
use crate::plan::last_request;
use crate::{
    Draft, ExtractiveSummarizer, Plan, Prose, Strategy, StrategyError, Summarizer, SummaryRequest, Template,
};

/// Covers the oldest units with a summary, so many that the aim is reached, and merges the summaries that
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
        Self { summarizer, template: Template::THROUGHLINE }
    }

    /// The same, asked for in another way.
    #[must_use]
    pub fn with_template(self, template: Template) -> Self {
        Self { template, ..self }
    }

    async fn progress(&self, draft: &mut Draft<'_>, plan: &Plan<'_>, known: &Known<'_>) -> Prose {
        /// Fewer tokens are not worth a call of a model.
        const WORTH_A_CALL: u64 = 400;
        let budget = known.budgets.progress;
        if budget == 0 {
            return Prose::by_rule("");
        }
        let prompt = plan.job.prompt(self.template.prompt(budget));
        let counter = draft.counter();
        let entries = draft.original_of(known.stretch.span);
        let (previous, prefix) = (known.history.previous(), plan.job.prefix);
        let request = SummaryRequest {
            entries,
            previous: previous.as_deref(),
            budget,
            prompt: &prompt,
            counter,
            prefix,
            spending: plan.job.spending,
        };
        let replaced = known.stretch.tokens;
        if let Some(summarizer) = self.summarizer.as_ref().filter(|_| replaced >= WORTH_A_CALL) {
            let answer = match summarizer.summarize(&request).await {
                Ok(prose) => judge(&prose.text, replaced, budget, &self.template, counter)
                    .map(|text| Prose { text, ..prose }),
                Err(error) => Err(with_sources(&error)),
            };
            match answer {
                Ok(prose) => return prose,
                Err(cause) => {
                    draft.degrade("summarizer", "progress taken from the messages themselves", cause);
                }
            }
        }
        Prose::by_rule(ExtractiveSummarizer.extract(&request))
    }
}

/// An error with everything behind it, in one line.
fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

#[async_trait]
impl Strategy for RollingSummary {
    fn name(&self) -> &'static str {
        "summary"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError> {
        let units = draft.units();
        let pinned = last_request(&units, draft.entries());
        let end = plan.first_protected(draft.view(), &units);
        let budgets = plan.budgets();
        let count = choose(draft.tokens(), &units, pinned, end, plan.aim, budgets);
        let mut sides = stretches(&units, draft.entries(), pinned, count);
        sides.retain(|stretch| stretch.fresh);
        let mut known = know(draft, &sides, budgets);
        for part in &mut known {
            part.progress = self.progress(draft, plan, part).await;
            draft.remember_progress(part.stretch.span, &part.progress);
        }
        cover(draft, &known, plan.policy, &self.template);
        Ok(draft.settle()?)
    }
}

#[cfg(test)]
mod tests;
