//! The input of a summary that is written while the session works.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{
    Entry, EntryKind, SectionText, SessionId, Span, TokenCounter, ToolDefinition, Transcript,
};

use crate::extractive::ExtractiveSummarizer;
use crate::goal::wish_of;
use crate::history::RangeFacts;
use crate::plan::around_last_request;
use crate::spending::Spending;
use crate::summarizer::{AnswerChecks, Prose, Summarizer, SummaryError, SummaryPrefix, SummaryRequest};
use crate::template::Template;

/// A [`SummaryRequest`] that owns what it is made of.
#[derive(Debug, Clone)]
pub struct SummaryJob {
    entries: Vec<Entry>,
    previous: Option<String>,
    budget: u64,
    prompt: String,
    counter: Arc<dyn TokenCounter>,
    prefix: Option<OwnedPrefix>,
    checks: Option<(Template, u64)>,
}

/// A [`SummaryPrefix`] that owns what it is made of.
#[derive(Debug, Clone)]
struct OwnedPrefix {
    model: String,
    session: SessionId,
    system: Arc<[SectionText]>,
    tools: Arc<[ToolDefinition]>,
    transcript: Transcript,
    max_output_tokens: u64,
    tokens: u64,
    cached: u64,
}

/// A summary, and the messages that it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenSummary {
    covers: Vec<(Span, u64)>,
    /// The user's instructions that it follows.
    wish: String,
    prose: Prose,
}

impl SummaryJob {
    fn of(request: &SummaryRequest<'_>, counter: Arc<dyn TokenCounter>) -> Self {
        Self {
            entries: request.entries.to_vec(),
            previous: request.previous.map(str::to_owned),
            budget: request.budget,
            prompt: request.prompt.to_owned(),
            counter,
            prefix: request.prefix.as_ref().map(OwnedPrefix::of),
            checks: request.checks.map(|checks| (*checks.template, checks.replaced)),
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// Why it is missing: the summarizer failed, or its answer cannot be used.
    pub async fn write(
        &self,
        summarizer: &dyn Summarizer,
        spending: &Spending<'_>,
    ) -> Result<WrittenSummary, SummaryError> {
        let request = SummaryRequest {
            entries: &self.entries,
            previous: self.previous.as_deref(),
            budget: self.budget,
            prompt: &self.prompt,
            counter: self.counter.as_ref(),
            prefix: self.prefix.as_ref().map(OwnedPrefix::as_prefix),
            spending: Some(spending),
            checks: self
                .checks
                .as_ref()
                .map(|(template, replaced)| AnswerChecks { template, replaced: *replaced }),
        };
        let prose = summarizer.summarize(&request).await?;
        request.check(&prose.text).map_err(SummaryError::Unusable)?;
        let wish = wish_of(&self.prompt).to_owned();
        Ok(WrittenSummary { covers: covered(&self.entries), wish, prose })
    }
}

impl OwnedPrefix {
    fn of(prefix: &SummaryPrefix<'_>) -> Self {
        Self {
            model: prefix.model.to_owned(),
            session: prefix.session.clone(),
            system: Arc::clone(prefix.system),
            tools: Arc::clone(prefix.tools),
            transcript: prefix.transcript.clone(),
            max_output_tokens: prefix.max_output_tokens,
            tokens: prefix.tokens,
            cached: prefix.cached,
        }
    }

    fn as_prefix(&self) -> SummaryPrefix<'_> {
        SummaryPrefix {
            model: &self.model,
            session: &self.session,
            system: &self.system,
            tools: &self.tools,
            transcript: &self.transcript,
            max_output_tokens: self.max_output_tokens,
            tokens: self.tokens,
            cached: self.cached,
        }
    }
}

impl WrittenSummary {
    /// Returns true if a compaction of the view can use it: what the compaction covers begins with the messages, unchanged and in a
    /// row, and they are at least a quarter of the view. The user's words and earlier summaries may be before them.
    #[must_use]
    pub fn fits(&self, view: &[Entry]) -> bool {
        let total = view.iter().map(|entry| entry.tokens).sum();
        self.is_much_of(total) && around_last_request(view).into_iter().any(|side| self.start(side).is_some())
    }

    /// The summary of these entries: this one, and what is before and behind the messages that it covers by rule. `None`: other
    /// messages than the user's words and earlier summaries are before them, more than three quarters of all are newer, or the
    /// user asks for something else.
    #[must_use]
    pub fn extended(&self, request: &SummaryRequest<'_>) -> Option<Prose> {
        const BEFORE: &str = "### Before\n";
        const SINCE: &str = "\n\n### Since then\n";
        let total = request.entries.iter().map(|entry| entry.tokens).sum();
        if self.wish != wish_of(request.prompt) || !self.is_much_of(total) {
            return None;
        }
        let start = self.start(request.entries)?;
        let by_rule = |entries: Option<&[Entry]>, previous: Option<&str>, budget: u64| {
            let entries = entries.unwrap_or_default();
            ExtractiveSummarizer.extract(&SummaryRequest { entries, previous, budget, ..*request })
        };
        let counter = request.counter;
        let mut prose = self.prose.clone();
        let left =
            request.budget.saturating_sub(counter.text(&prose.text).saturating_add(counter.text(SINCE)));
        let mut before = String::new();
        if let Some(head) = request.entries.get(..start)
            && let Some(previous) = RangeFacts::gather(head).previous()
        {
            // What came since may have as much room.
            before = by_rule(None, Some(&previous), (left / 2).saturating_sub(counter.text(BEFORE)));
        }
        if !before.is_empty() {
            before = format!("{BEFORE}{before}\n\n");
        }
        let newer = request.entries.get(start.saturating_add(self.covers.len())..);
        let since = by_rule(newer, None, left.saturating_sub(counter.text(&before)));
        if !before.is_empty() {
            prose.text.insert_str(0, &before);
        }
        if !since.is_empty() {
            prose.text.truncate(prose.text.trim_end().len());
            prose.text.push_str(SINCE);
            prose.text.push_str(&since);
        }
        Some(prose)
    }

    /// Index of the first message among entries that have all of them, with nothing of the model before.
    fn start(&self, entries: &[Entry]) -> Option<usize> {
        let (first, _) = self.covers.first()?;
        let start = entries.iter().position(|entry| entry.span == *first)?;
        let of_model = |entry: &Entry| matches!(entry.kind, EntryKind::Assistant | EntryKind::Results);
        let (head, own) = entries.split_at_checked(start)?;
        (!head.iter().any(of_model) && self.begins(own)).then_some(start)
    }

    fn begins(&self, entries: &[Entry]) -> bool {
        let same =
            |((span, tokens), entry): (&(Span, u64), &Entry)| *span == entry.span && *tokens == entry.tokens;
        self.covers.len() <= entries.len() && self.covers.iter().zip(entries).all(same)
    }

    fn is_much_of(&self, total: u64) -> bool {
        let own: u64 = self.covers.iter().map(|(_, tokens)| tokens).sum();
        own.saturating_mul(4) >= total
    }
}

/// The messages and their tokens: an edit changes one or the other.
fn covered(entries: &[Entry]) -> Vec<(Span, u64)> {
    entries.iter().map(|entry| (entry.span, entry.tokens)).collect()
}

/// Collects what a compaction would ask a model, and asks none.
#[derive(Debug)]
pub struct SummaryCollector {
    counter: Arc<dyn TokenCounter>,
    jobs: Mutex<Vec<SummaryJob>>,
}

impl SummaryCollector {
    /// A collector without jobs. The counter is the one that the view is counted with.
    #[must_use]
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        Self { counter, jobs: Mutex::default() }
    }

    /// Takes the jobs, in the order in which they were asked for.
    #[must_use]
    pub fn take(&self) -> Vec<SummaryJob> {
        std::mem::take(&mut *self.jobs.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl Summarizer for SummaryCollector {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        let job = SummaryJob::of(request, Arc::clone(&self.counter));
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).push(job);
        Ok(Prose::by_rule(ExtractiveSummarizer.extract(request)))
    }
}
