//! The oldest messages go behind a summary.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Rubichan, TEMPLATE};
use crate::cover::{Stretch, stretches};
use crate::plan::{first_fixed, last_request};
use crate::presets::prose::{ask, cover};
use crate::presets::summary_text::{compose, prose_of, with_count, words_of};
use crate::{Draft, ExtractiveSummarizer, Plan, Prose, Strategy, StrategyError, Summarizer, SummaryRequest};

/// Summarizes the older part of a conversation that has enough messages.
#[derive(Debug, Clone)]
pub(super) struct Summarization {
    pub(super) numbers: Rubichan,
    pub(super) summarizer: Option<Arc<dyn Summarizer>>,
}

impl Summarization {
    async fn summary(&self, draft: &mut Draft<'_>, plan: &Plan<'_>, stretch: &Stretch) -> Prose {
        let counter = draft.counter();
        let entries = draft.original_of(stretch.span);
        let budget = self.numbers.summary_tokens;
        let (prompt, prefix) = (plan.job.prompt(TEMPLATE.prompt(budget)), plan.job.prefix);
        let previous = prose_of(entries);
        let request = SummaryRequest {
            entries,
            previous: previous.as_deref(),
            budget,
            prompt: &prompt,
            counter,
            prefix,
            spending: plan.job.spending,
        };
        match ask(self.summarizer.as_deref(), &request, &TEMPLATE, stretch.tokens).await {
            Ok(Some(prose)) => return prose,
            Ok(None) => {}
            Err(cause) => draft.degrade("summarizer", "a summary by rule", cause),
        }
        Prose::by_rule(ExtractiveSummarizer.extract(&request))
    }
}

#[async_trait]
impl Strategy for Summarization {
    fn name(&self) -> &'static str {
        "summarization"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError> {
        let messages = draft.entries().len();
        if messages < self.numbers.summarize_from {
            return Ok(());
        }
        let split = messages * usize::from(self.numbers.summarize_percent) / 100;
        let units = draft.units();
        let before = units.iter().take_while(|unit| unit.entries.end <= split).count();
        let count = before.min(first_fixed(draft.view(), &units));
        let mut sides = stretches(&units, draft.entries(), last_request(&units, draft.entries()), count);
        sides.retain(|stretch| stretch.fresh);
        for stretch in &sides {
            let summary = self.summary(draft, plan, stretch).await;
            let covered = draft.original_of(stretch.span);
            let words = words_of(covered);
            let text = compose(draft, stretch.span, &summary.text, &words, plan.budgets().words);
            cover(draft, stretch, with_count(covered.len(), &text), &TEMPLATE, summary.model);
        }
        Ok(draft.settle()?)
    }
}
