//! The input of a summary that is written while the session works.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{
    Entry, SectionText, SessionId, Span, TokenCounter, ToolDefinition, Transcript,
};

use crate::extractive::ExtractiveSummarizer;
use crate::goal::wish_of;
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
    /// Returns true if a view still has the messages, unchanged and in a row, and they are at least a quarter of it.
    #[must_use]
    pub fn fits(&self, view: &[Entry]) -> bool {
        let Some((first, _)) = self.covers.first() else { return false };
        let Some(start) = view.iter().position(|entry| entry.span == *first) else { return false };
        let total = view.iter().map(|entry| entry.tokens).sum();
        self.begins(view.get(start..).unwrap_or_default()) && self.is_much_of(total)
    }

    /// The summary of these entries: this one, and what follows the messages that it covers by rule. `None`: they begin with other
    /// messages, more than three quarters of them are newer, or the user asks for something else.
    #[must_use]
    pub fn extended(&self, request: &SummaryRequest<'_>) -> Option<Prose> {
        const SINCE: &str = "\n\n### Since then\n";
        let total = request.entries.iter().map(|entry| entry.tokens).sum();
        let follows = self.wish == wish_of(request.prompt);
        if !follows || !self.begins(request.entries) || !self.is_much_of(total) {
            return None;
        }
        let mut prose = self.prose.clone();
        let own = request.counter.text(&prose.text).saturating_add(request.counter.text(SINCE));
        let rest = SummaryRequest {
            entries: request.entries.get(self.covers.len()..).unwrap_or_default(),
            previous: None,
            budget: request.budget.saturating_sub(own),
            ..*request
        };
        let since = ExtractiveSummarizer.extract(&rest);
        if !since.is_empty() {
            prose.text.truncate(prose.text.trim_end().len());
            prose.text.push_str(SINCE);
            prose.text.push_str(&since);
        }
        Some(prose)
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
