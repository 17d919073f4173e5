//! The oldest messages go behind a summary.

use std::borrow::Cow;

use throughline_compaction::{Draft, Plan, ProseSummary, Range, Template};

use super::{Rubichan, TEMPLATE};
use crate::summary::{Question, SummaryDesign, oldest_ranges, with_words};

/// Summarizes the older part of a conversation that has enough messages.
#[derive(Debug, Clone)]
pub(super) struct Summarization {
    pub(super) numbers: Rubichan,
}

impl SummaryDesign for Summarization {
    fn name(&self) -> &'static str {
        "summarization"
    }

    fn template(&self) -> &'static Template {
        &TEMPLATE
    }

    fn ranges(&self, draft: &Draft<'_>, _plan: &Plan<'_>) -> Vec<Range> {
        let messages = draft.entries().len();
        if messages < self.numbers.summarize_from {
            return Vec::new();
        }
        oldest_ranges(draft, messages * usize::from(self.numbers.summarize_percent) / 100)
    }

    fn budget(&self, _plan: &Plan<'_>) -> u64 {
        self.numbers.summary_tokens
    }

    fn question<'a>(&self, draft: &Draft<'a>, plan: &Plan<'a>, range: &Range) -> Question<'a> {
        let entries = draft.original_of(range.span);
        Question {
            entries: Cow::Borrowed(entries),
            previous: ProseSummary::all_prose(entries),
            prompt: plan.job.summary_prompt(TEMPLATE.prompt(self.budget(plan))),
            prefix: plan.job.prefix,
        }
    }

    fn text(&self, draft: &mut Draft<'_>, plan: &Plan<'_>, range: &Range, prose: &str) -> String {
        let covered = draft.original_of(range.span).len();
        ProseSummary::with_count(covered, &with_words(draft, plan, range, prose))
    }
}
