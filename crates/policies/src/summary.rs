//! One strategy for all designs that put messages behind a summary of prose.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_compaction::{
    AnswerChecks, Draft, ExtractiveSummarizer, Plan, Prose, ProseSummary, Range, Strategy, StrategyError,
    Summarizer, SummaryPrefix, SummaryRequest, Template, cover_range, first_fixed, fresh_ranges,
    request_prose,
};
use throughline_conversation::Entry;

/// What a design decides about its summaries.
pub(crate) trait SummaryDesign: Debug + Send + Sync {
    /// The strategy's name in the log.
    fn name(&self) -> &'static str;

    /// The prompt, and what an answer must have.
    fn template(&self) -> &'static Template;

    /// The ranges of messages that get a summary.
    fn ranges(&self, draft: &Draft<'_>, plan: &Plan<'_>) -> Vec<Range>;

    /// Tokens of the prose of a summary at most.
    fn budget(&self, plan: &Plan<'_>) -> u64;

    /// What a model is shown and asked for a range with a budget.
    fn question<'a>(&self, draft: &Draft<'a>, plan: &Plan<'a>, range: &Range) -> Question<'a>;

    /// The prose without a model.
    fn by_rule(&self, _covered: &[Entry], request: &SummaryRequest<'_>) -> String {
        ExtractiveSummarizer.extract(request)
    }

    /// Returns true if the summary fails with its summarizer, instead of being made by rule.
    fn needs_its_model(&self) -> bool {
        false
    }

    /// The text of a summary, from its prose.
    fn text(&self, draft: &mut Draft<'_>, plan: &Plan<'_>, range: &Range, prose: &str) -> String;
}

/// Why a design that needs its model has no summary where the model is not asked.
const UNASKED: &str = "the last answers of the summarizer could not be used";

/// What a model is shown and asked.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    /// Messages to summarize; none if the prompt has them in it.
    pub(crate) entries: Cow<'a, [Entry]>,
    /// The prose of earlier summaries among them.
    pub(crate) previous: Option<String>,
    /// The prompt.
    pub(crate) prompt: String,
    /// The session's last request, where the summary is asked for at its end.
    pub(crate) prefix: Option<SummaryPrefix<'a>>,
}

/// Covers ranges with the summaries of a design: by the model, or by rule without a model or when it fails.
#[derive(Debug, Clone)]
pub(crate) struct DesignedSummary<D> {
    pub(crate) design: D,
    pub(crate) summarizer: Option<Arc<dyn Summarizer>>,
}

impl<D: SummaryDesign> DesignedSummary<D> {
    async fn prose(
        &self,
        draft: &mut Draft<'_>,
        plan: &Plan<'_>,
        range: &Range,
    ) -> Result<Prose, StrategyError> {
        let counter = draft.counter();
        let question = self.design.question(draft, plan, range);
        let request = SummaryRequest {
            entries: &question.entries,
            previous: question.previous.as_deref(),
            budget: self.design.budget(plan),
            prompt: &question.prompt,
            counter,
            prefix: question.prefix,
            spending: plan.job.spending,
            checks: Some(AnswerChecks { template: self.design.template(), replaced: range.tokens }),
        };
        let summarizer = self.summarizer.as_deref().filter(|_| !plan.job.by_rule);
        if summarizer.is_none() && self.summarizer.is_some() && self.design.needs_its_model() {
            return Err(StrategyError::Other(UNASKED.into()));
        }
        match request_prose(draft, summarizer, &request).await {
            Ok(Some(prose)) => return Ok(prose),
            Ok(None) => {}
            Err(cause) if self.design.needs_its_model() => return Err(StrategyError::Other(cause.into())),
            Err(cause) => draft.degrade("summarizer", "a summary by rule", cause),
        }
        Ok(Prose::by_rule(self.design.by_rule(draft.original_of(range.span), &request)))
    }
}

#[async_trait]
impl<D: SummaryDesign> Strategy for DesignedSummary<D> {
    fn name(&self) -> &'static str {
        self.design.name()
    }

    fn follows_instructions(&self) -> bool {
        self.summarizer.is_some()
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError> {
        for range in self.design.ranges(draft, plan) {
            let prose = self.prose(draft, plan, &range).await?;
            let text = self.design.text(draft, plan, &range, &prose.text);
            cover_range(draft, &range, text, self.design.template(), &prose);
        }
        Ok(draft.settle()?)
    }
}

/// The text of a summary that quotes all words of the user in its range.
pub(crate) fn with_words(draft: &mut Draft<'_>, plan: &Plan<'_>, range: &Range, prose: &str) -> String {
    let words = ProseSummary::all_words(draft.original_of(range.span));
    ProseSummary::render(draft, range.span, prose, &words, plan.words_tokens())
}

/// The ranges among the first `messages` messages: a unit that the limit would split stays whole, and what the model has
/// not read stays.
pub(crate) fn oldest_ranges(draft: &Draft<'_>, messages: usize) -> Vec<Range> {
    let units = draft.units();
    let before = units.iter().take_while(|unit| unit.entries.end <= messages).count();
    fresh_ranges(draft, before.min(first_fixed(draft.view(), &units)))
}
