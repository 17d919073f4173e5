//! The port that writes the prose of a summary.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::{
    Entry, ProviderCompaction, SectionText, SessionId, TokenCounter, ToolDefinition, Transcript,
};

use crate::judge::judge;
use crate::spending::Spending;
use crate::template::Template;

/// The input of one summary.
#[derive(Debug, Clone, Copy)]
pub struct SummaryRequest<'a> {
    /// The messages that leave the window, whole, oldest first. Summaries of earlier times may be among them.
    pub entries: &'a [Entry],
    /// The progress of the summaries among the messages, oldest first.
    pub previous: Option<&'a str>,
    /// Tokens that the answer may have.
    pub budget: u64,
    /// The complete prompt for the model, without the messages.
    pub prompt: &'a str,
    /// Counts what the view is counted with.
    pub counter: &'a dyn TokenCounter,
    /// The session's last request, if it is in a provider's prompt cache.
    pub prefix: Option<SummaryPrefix<'a>>,
    /// Collects the usage of its requests; `None` discards it.
    pub spending: Option<&'a Spending<'a>>,
    /// What an answer is checked for; `None`: nothing.
    pub checks: Option<AnswerChecks<'a>>,
}

/// What an answer is checked for.
#[derive(Debug, Clone, Copy)]
pub struct AnswerChecks<'a> {
    /// The headings that it must have.
    pub template: &'a Template,
    /// Tokens of the messages that it replaces. It must have fewer.
    pub replaced: u64,
}

impl SummaryRequest<'_> {
    /// The usable part of an answer: without its analysis, and within the budget. A summarizer with a second source of prose
    /// uses it where the first one fails this check.
    ///
    /// # Errors
    /// The reason why the answer cannot be used: it is empty, a refusal, a tool call or too long, or lacks a heading.
    pub fn check(&self, text: &str) -> Result<String, String> {
        match self.checks {
            Some(AnswerChecks { template, replaced }) => {
                judge(text, replaced, self.budget, template, self.counter)
            }
            None => Ok(text.to_owned()),
        }
    }
}

/// A session's next request without a compaction: a provider that has it in its cache reads it for
/// much less than a text made of the same messages.
#[derive(Debug, Clone, Copy)]
pub struct SummaryPrefix<'a> {
    /// The model whose cache it is in.
    pub model: &'a str,
    /// The session, by which providers route.
    pub session: &'a SessionId,
    /// The system prompt.
    pub system: &'a Arc<[SectionText]>,
    /// The tools.
    pub tools: &'a Arc<[ToolDefinition]>,
    /// All messages, those that stay in the window included.
    pub transcript: &'a Transcript,
    /// Maximum tokens of an answer in the session. It may decide what else is in the request, so it is part of it.
    pub max_output_tokens: u64,
    /// Tokens of all of it, as the provider would count them: rather too many than too few.
    pub tokens: u64,
    /// How many of these are in the cache.
    pub cached: u64,
}

/// Prose, and who wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prose {
    /// The prose.
    pub text: String,
    /// The model that wrote it; `None` for extractive prose.
    pub model: Option<String>,
    /// What a provider's own compaction contributed.
    pub provider: Option<ProviderCompaction>,
    /// Why a preferred source was not used, where this is the fallback. It is reported once.
    pub fell_back: Option<String>,
}

impl Prose {
    /// Creates extractive prose.
    #[must_use]
    pub fn by_rule(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Creates prose that a model wrote.
    #[must_use]
    pub fn by_model(text: impl Into<String>, model: impl Into<String>) -> Self {
        Self { text: text.into(), model: Some(model.into()), ..Self::default() }
    }
}

/// Why a summary failed.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    /// The model refused.
    #[error("the summarizer refused: {0}")]
    Refused(String),
    /// The model called a tool instead.
    #[error("the summarizer called the tool {0:?} instead of writing")]
    CalledTool(String),
    /// The answer reached the limit of its tokens. Some models spend all of it on thinking.
    #[error("the summary is cut off at its limit of tokens")]
    CutOff,
    /// The answer fails its check.
    #[error("the summary cannot be used: {0}")]
    Unusable(String),
    /// The compaction does not wait for a model, and no summary of these messages is ready.
    #[error("no summary of these messages is ready")]
    NotReady,
    /// Anything else.
    #[error("the summarizer failed")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Writes prose about messages that leave the window.
///
/// # Contract
/// MUST answer with prose of about the request's budget at most, made of the request alone. MUST NOT call
/// tools, MUST NOT ask a model more than nine times for one request, and MUST report each time in
/// [`SummaryRequest::spending`]. MUST NOT give an answer that is cut off at its end. Dropping the future MUST be harmless.
/// The answer is checked: an empty, refusing, tool-calling or overlong one is not used, nor one without the headings that
/// the prompt asks for.
///
/// # When it fails
/// [`ExtractiveSummarizer`](crate::ExtractiveSummarizer) is the fallback, and the outcome says so. There is no retry: a compaction asks once for each range that it covers, which is twice at most.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait Summarizer: Debug + Send + Sync {
    /// The prose.
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError>;
}

const _: Option<&dyn Summarizer> = None;
