//! Token figures and the counter.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::message::{ContentBlock, Message};
use crate::origin::Origin;
use crate::tool::ToolDefinition;

/// How reliable a token figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureSource {
    /// Counted by the model's own tokenizer or reported by the provider for just this content.
    Exact,
    /// A provider's report for an earlier request, plus an estimate of what was added since.
    Anchored,
    /// Estimated from the text alone.
    Estimated,
}

/// Tokens by part of a request. They sum to the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Components {
    /// System prompt without skill fragments.
    pub system: u64,
    /// Prompt fragments of active skills.
    pub skills: u64,
    /// Descriptions and schemas of the tools that are sent.
    pub tools: u64,
    /// Messages, tool results and the tail of the request.
    pub conversation: u64,
}

impl Components {
    /// Sum of the parts.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.fixed().saturating_add(self.conversation)
    }

    /// What no compaction can shrink: everything but the conversation.
    #[must_use]
    pub fn fixed(&self) -> u64 {
        self.system.saturating_add(self.skills).saturating_add(self.tools)
    }
}

/// A provider's usage report for one request, in tokens but for the last figure. The three input figures do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Input that was neither read from nor written to the cache.
    pub input: u64,
    /// Input read from the cache.
    pub cache_read: u64,
    /// Input written to the cache.
    pub cache_write: u64,
    /// Output, thinking included.
    pub output: u64,
    /// Searches of the web that the provider ran, as it charges them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub searches: u64,
}

impl Usage {
    /// All input of the request, however it was priced.
    #[must_use]
    pub fn prompt(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// The same with a prompt of this many tokens where the provider named them apart from the figures that it charges.
    #[must_use]
    pub fn with_prompt(self, tokens: Option<u64>) -> Self {
        tokens.map_or(self, |input| Self { input, cache_read: 0, cache_write: 0, ..self })
    }

    /// The same for a prompt of this many tokens: what is read and the notes stay unchanged, and what is written takes the
    /// difference, or the input where nothing is.
    #[must_use]
    pub fn recounted(self, prompt: u64) -> Self {
        let known = self.cache_read.min(prompt);
        match self.cache_write {
            0 => Self { input: prompt - known, cache_read: known, ..self },
            _ => {
                let input = self.input.min(prompt - known);
                Self { input, cache_read: known, cache_write: prompt - known - input, ..self }
            }
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            output: self.output.saturating_add(other.output),
            searches: self.searches.saturating_add(other.searches),
        }
    }
}

/// What each token costs more in a request whose prompt is longer than a limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongPrompt {
    /// Tokens of the longest prompt that still has the usual price.
    pub over: u64,
    /// Factor of the price of all its input, the cached included.
    pub input: f64,
    /// Factor of the price of its output.
    pub output: f64,
}

impl LongPrompt {
    /// Returns true if a request with a prompt of this many tokens costs more.
    #[must_use]
    pub fn applies(&self, prompt: u64) -> bool {
        prompt > self.over
    }

    /// Factor of the input price of a request with a prompt of this many tokens.
    #[must_use]
    pub fn input_factor(long: Option<Self>, prompt: u64) -> f64 {
        long.filter(|long| long.applies(prompt)).map_or(1.0, |long| long.input)
    }

    /// Factor of the output price of a request with a prompt of this many tokens.
    #[must_use]
    pub fn output_factor(long: Option<Self>, prompt: u64) -> f64 {
        long.filter(|long| long.applies(prompt)).map_or(1.0, |long| long.output)
    }
}

/// Use of a model by requests whose answers are not messages of the session: summaries, regenerated documents, answers
/// that were cancelled or broke off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUse {
    /// The model.
    #[serde(flatten)]
    pub origin: Origin,
    /// Requests with reported usage.
    pub requests: u64,
    /// The sum of the reported usage.
    pub usage: Usage,
    /// Further requests without reported usage. Their cost is unknown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreported: u64,
}

pub(crate) fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl ModelUse {
    /// Creates an empty figure for this model.
    #[must_use]
    pub fn of(origin: Origin) -> Self {
        Self { origin, requests: 0, usage: Usage::default(), unreported: 0 }
    }

    /// The figure of one request; `None`: the provider did not report its usage.
    #[must_use]
    pub fn of_request(origin: Origin, usage: Option<Usage>) -> Self {
        let mut used = Self::of(origin);
        used.add_request(usage);
        used
    }

    /// Returns true if there was no request.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.requests == 0 && self.unreported == 0
    }

    /// Adds a request; `None`: the provider did not report its usage.
    pub fn add_request(&mut self, usage: Option<Usage>) {
        match usage {
            Some(usage) => self.add(usage),
            None => self.add_unreported(),
        }
    }

    /// Adds a request with its usage.
    pub fn add(&mut self, usage: Usage) {
        self.requests = self.requests.saturating_add(1);
        self.usage = self.usage.plus(usage);
    }

    /// The same requests without what was reported of them.
    #[must_use]
    pub fn without_report(self) -> Self {
        let unreported = self.unreported.saturating_add(self.requests);
        Self { unreported, ..Self::of(self.origin) }
    }

    /// Adds a request without reported usage: some providers report only at the end of an answer, and this one was
    /// cancelled or broke off.
    pub fn add_unreported(&mut self) {
        self.unreported = self.unreported.saturating_add(1);
    }
}

/// Counts tokens of texts, messages and tools.
///
/// # Contract
/// Total and deterministic: any text has a count, the same text always the same one. Counting a longer text
/// must cost time in proportion to its length. Implementations override [`TokenCounter::block`] or
/// [`TokenCounter::message`] where their rule is not the sum of texts.
pub trait TokenCounter: Debug + Send + Sync {
    /// Tokens of a text.
    fn text(&self, text: &str) -> u64;

    /// How reliable the figures are. Defaults to an estimate.
    fn source(&self) -> FigureSource {
        FigureSource::Estimated
    }

    /// Tokens of one block.
    fn block(&self, block: &ContentBlock) -> u64 {
        /// A picture costs about this, whatever its bytes: counting its base64 as text is far off.
        const IMAGE: u64 = 1_600;
        /// Names, ids and brackets around a call or a result.
        const FRAME: u64 = 8;
        match block {
            ContentBlock::Text { text } => self.text(text),
            ContentBlock::Thinking(thinking) => self
                .text(&thinking.text)
                .saturating_add(thinking.redacted.as_deref().map_or(0, |data| self.text(data) / 2)),
            ContentBlock::Image(_) => IMAGE,
            ContentBlock::ToolCall(call) => {
                self.text(&call.name).saturating_add(self.text(&call.input.to_string())).saturating_add(FRAME)
            }
            ContentBlock::ToolResult(result) => self
                .text(&result.content)
                .saturating_add(IMAGE.saturating_mul(result.images.len() as u64))
                .saturating_add(FRAME),
        }
    }

    /// Tokens of a message: its blocks and a frame of four.
    fn message(&self, message: &Message) -> u64 {
        message.content.iter().fold(4, |sum: u64, block| sum.saturating_add(self.block(block)))
    }

    /// Tokens of a tool's description and schema.
    fn tool(&self, tool: &ToolDefinition) -> u64 {
        self.text(&tool.name)
            .saturating_add(self.text(&tool.description))
            .saturating_add(self.text(&tool.input_schema.to_string()))
            .saturating_add(12)
    }
}

const _: Option<&dyn TokenCounter> = None;

/// Counts nothing, for messages whose tokens no caller asks for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uncounted;

impl TokenCounter for Uncounted {
    fn text(&self, _text: &str) -> u64 {
        0
    }

    fn message(&self, _message: &Message) -> u64 {
        0
    }
}
