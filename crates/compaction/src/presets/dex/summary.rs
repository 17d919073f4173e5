//! All but the last messages go behind a summary.

use std::sync::Arc;

use async_trait::async_trait;

use super::{HEADING, TEMPLATE, history, rules};
use crate::cover::{Stretch, stretches};
use crate::plan::{first_fixed, last_request};
use crate::policy::fraction_of;
use crate::presets::prose::{ask, cover};
use crate::presets::summary_text::{compose, words_of};
use crate::words::fit;
use crate::{Draft, Plan, Prose, Strategy, StrategyError, Summarizer, SummaryRequest};

/// Keeps the newest messages and puts the others behind a summary: by the model when there is one, by rule when it
/// fails or there is none.
#[derive(Debug, Clone)]
pub(super) struct HistorySummary {
    pub(super) keep_messages: usize,
    pub(super) summary_tokens: u64,
    pub(super) summarizer: Option<Arc<dyn Summarizer>>,
}

impl HistorySummary {
    async fn summary(&self, draft: &mut Draft<'_>, plan: &Plan<'_>, stretch: &Stretch) -> Prose {
        /// Part of the room that the history may take in the request for its summary.
        const SHARE: f64 = 0.75;

        let counter = draft.counter();
        let entries = draft.original_of(stretch.span);
        let budget = self.summary_tokens.min(plan.job.room / 5);
        let prompt = plan.job.prompt(history::prompt(entries, fraction_of(plan.job.room, SHARE), counter));
        // The prompt has the messages in it already.
        let prefix = None;
        let request = SummaryRequest {
            entries: &[],
            previous: None,
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
        Prose::by_rule(fit(rules::lines(entries).trim_end(), budget, counter))
    }
}

#[async_trait]
impl Strategy for HistorySummary {
    fn name(&self) -> &'static str {
        "history_summary"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError> {
        let Some(cut) = draft.entries().len().checked_sub(self.keep_messages).filter(|cut| *cut > 0) else {
            return Ok(());
        };
        let units = draft.units();
        // A unit that the cut would go through stays whole.
        let before = units.iter().take_while(|unit| unit.entries.end <= cut).count();
        let count = before.min(first_fixed(draft.view(), &units));
        let mut sides = stretches(&units, draft.entries(), last_request(&units, draft.entries()), count);
        sides.retain(|stretch| stretch.fresh);
        for stretch in &sides {
            let summary = self.summary(draft, plan, stretch).await;
            let words = words_of(draft.original_of(stretch.span));
            let text = compose(draft, stretch.span, &summary.text, &words, plan.budgets().words);
            cover(draft, stretch, format!("{HEADING}{text}"), &TEMPLATE, summary.model);
        }
        Ok(draft.settle()?)
    }
}
