//! Everything goes behind one summary.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::{Entry, EntryKind};

use super::clean::cleaned;
use crate::cover::stretches;
use crate::presets::prose::{ask, cover};
use crate::presets::summary_text::{Earlier, LAST_REQUEST, compose, prose_of, words_of};
use crate::{
    Draft, ExtractiveSummarizer, Plan, Prose, Strategy, StrategyError, Summarizer, SummaryRequest, Template,
};

/// How the summary is asked for.
const TEMPLATE: Template = Template {
    name: "vibe",
    prompt: include_str!("../../../texts/presets/vibe.md"),
    headings: &["Technical Context", "Immediate Next Step"],
};

/// Covers all messages with the model's summary. Without a model it is made by rule.
#[derive(Debug, Clone)]
pub(super) struct ConversationSummary {
    pub(super) summary_tokens: u64,
    pub(super) summarizer: Option<Arc<dyn Summarizer>>,
}

#[async_trait]
impl Strategy for ConversationSummary {
    fn name(&self) -> &'static str {
        "conversation_summary"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError> {
        let units = draft.units();
        let open = usize::from(!draft.view().open_calls().is_empty());
        let end = units.len().saturating_sub(open);
        let all = stretches(&units, draft.entries(), None, end);
        let Some(stretch) = all.into_iter().find(|stretch| stretch.fresh) else { return Ok(()) };
        let counter = draft.counter();
        let covered = draft.original_of(stretch.span);
        // At the end of the session's own request the prompt stands behind valid messages as they are. Shown apart
        // from it, and in the middle of a step, they have to be made whole first.
        let prefix = plan.job.prefix.filter(|_| open == 0);
        let clean = if prefix.is_some() { Vec::new() } else { cleaned(draft.original()) };
        let entries = if prefix.is_some() { covered } else { &clean };
        let budget = self.summary_tokens.min(plan.job.room / 5);
        let prompt = plan.job.prompt(TEMPLATE.prompt.trim_end().to_owned());
        let previous = prose_of(covered);
        let request = SummaryRequest {
            entries,
            previous: previous.as_deref(),
            budget,
            prompt: &prompt,
            counter,
            prefix,
            spending: plan.job.spending,
        };
        let summary = match ask(self.summarizer.as_deref(), &request, &TEMPLATE, stretch.tokens).await {
            Ok(Some(prose)) => prose,
            Ok(None) => Prose::by_rule(ExtractiveSummarizer.extract(&request)),
            Err(cause) => return Err(StrategyError::Other(cause.into())),
        };
        let mut words = words_of(covered);
        let request = last_request(covered);
        if request.is_some() {
            // It is the newest of them and stands on its own.
            words.pop();
        }
        let mut text = compose(draft, stretch.span, &summary.text, &words, plan.budgets().words);
        if let Some(request) = request {
            text.push_str(LAST_REQUEST);
            text.push_str(&request);
        }
        cover(draft, &stretch, text, &TEMPLATE, summary.model);
        Ok(draft.settle()?)
    }
}

/// The text of the user's last request: a message of their own, or the end of an earlier summary. What the engine
/// says from the user's side is none.
fn last_request(entries: &[Entry]) -> Option<String> {
    let said = |entry: &Entry| match entry.kind {
        EntryKind::User => Some(entry.message.text()),
        EntryKind::Summary => {
            entry.message.texts().find_map(|text| Earlier::read(text).request.map(str::to_owned))
        }
        _ => None,
    };
    entries.iter().rev().filter_map(said).find(|text| !text.trim().is_empty())
}
