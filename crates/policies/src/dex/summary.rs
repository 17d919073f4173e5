//! All but the last messages go behind a summary.

use std::borrow::Cow;

use throughline_compaction::{Draft, Plan, Range, SummaryRequest, Template, fit, fraction_of};
use throughline_conversation::Entry;
use throughline_documents::COMPACTED_HISTORY;

use super::{TEMPLATE, history, rules};
use crate::summary::{Question, SummaryDesign, oldest_ranges, with_words};

/// Leaves the newest messages and summarizes the others.
#[derive(Debug, Clone)]
pub(super) struct HistorySummary {
    pub(super) keep_messages: usize,
    pub(super) summary_tokens: u64,
}

impl SummaryDesign for HistorySummary {
    fn name(&self) -> &'static str {
        "history_summary"
    }

    fn template(&self) -> &'static Template {
        &TEMPLATE
    }

    fn ranges(&self, draft: &Draft<'_>, _plan: &Plan<'_>) -> Vec<Range> {
        match draft.entries().len().checked_sub(self.keep_messages) {
            Some(messages) if messages > 0 => oldest_ranges(draft, messages),
            _ => Vec::new(),
        }
    }

    fn budget(&self, plan: &Plan<'_>) -> u64 {
        self.summary_tokens.min(plan.job.room / 5)
    }

    fn question<'a>(&self, draft: &Draft<'a>, plan: &Plan<'a>, range: &Range) -> Question<'a> {
        /// Part of the room that the history may take in the request for its summary.
        const SHARE: f64 = 0.75;

        let tokens = fraction_of(plan.job.room, SHARE);
        let prompt = history::prompt(draft.original_of(range.span), tokens, draft.counter());
        // The prompt has the messages in it already.
        let (entries, prefix) = (Cow::Borrowed(&[][..]), None);
        Question { entries, previous: None, prompt: plan.job.summary_prompt(prompt), prefix }
    }

    fn by_rule(&self, covered: &[Entry], request: &SummaryRequest<'_>) -> String {
        fit(rules::lines(covered).trim_end(), request.budget, request.counter)
    }

    fn text(&self, draft: &mut Draft<'_>, plan: &Plan<'_>, range: &Range, prose: &str) -> String {
        format!("{COMPACTED_HISTORY}\n{}", with_words(draft, plan, range, prose))
    }
}
