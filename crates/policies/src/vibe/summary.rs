//! Everything goes behind one summary.

use std::borrow::Cow;

use throughline_compaction::{Draft, Plan, ProseSummary, Range, Template, whole_range};

use super::clean::cleaned;
use crate::summary::{Question, SummaryDesign};

/// Headings of its seven sections that no answer may lack.
pub(crate) const SECTIONS: &[&str] = &["Technical Context", "Immediate Next Step"];

/// How the summary is asked for.
const TEMPLATE: Template =
    Template { name: "vibe", prompt: include_str!("../../texts/vibe.md"), headings: SECTIONS };

/// Covers all messages with the model's summary, with the user's last request at its end.
#[derive(Debug, Clone)]
pub(super) struct ConversationSummary {
    pub(super) summary_tokens: u64,
}

impl SummaryDesign for ConversationSummary {
    fn name(&self) -> &'static str {
        "conversation_summary"
    }

    fn template(&self) -> &'static Template {
        &TEMPLATE
    }

    fn ranges(&self, draft: &Draft<'_>, _plan: &Plan<'_>) -> Vec<Range> {
        let open = usize::from(!draft.view().open_calls().is_empty());
        whole_range(draft, draft.units().len().saturating_sub(open)).into_iter().collect()
    }

    fn budget(&self, plan: &Plan<'_>) -> u64 {
        self.summary_tokens.min(plan.job.room / 5)
    }

    fn question<'a>(&self, draft: &Draft<'a>, plan: &Plan<'a>, range: &Range) -> Question<'a> {
        let covered = draft.original_of(range.span);
        // At the end of the session's own request the prompt stands behind valid messages. Shown apart from it, and in
        // the middle of a step, the messages have to be completed first.
        let prefix = plan.job.prefix.filter(|_| draft.view().open_calls().is_empty());
        let entries = match prefix {
            Some(_) => Cow::Borrowed(covered),
            None => Cow::Owned(cleaned(draft.original())),
        };
        Question {
            entries,
            previous: ProseSummary::all_prose(covered),
            prompt: plan.job.summary_prompt(TEMPLATE.prompt.trim_end().to_owned()),
            prefix,
        }
    }

    fn needs_its_model(&self) -> bool {
        true
    }

    fn text(&self, draft: &mut Draft<'_>, plan: &Plan<'_>, range: &Range, prose: &str) -> String {
        let covered = draft.original_of(range.span);
        let mut words = ProseSummary::all_words(covered);
        let request = ProseSummary::last_request(covered);
        if request.is_some() {
            // It is the newest of them and is shown on its own.
            words.pop();
        }
        let text = ProseSummary::render(draft, range.span, prose, &words, plan.words_tokens());
        match request {
            Some(request) => ProseSummary::with_request(&text, &request),
            None => text,
        }
    }
}
