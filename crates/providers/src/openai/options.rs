//! What servers of OpenAI's APIs take, where they differ.

/// The name of the limit on output tokens in Chat Completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MaxTokensField {
    /// `max_completion_tokens`: OpenAI's own name, and the only one that its reasoning models take.
    #[default]
    MaxCompletionTokens,
    /// `max_tokens`: the older name, which every other server knows.
    MaxTokens,
}

impl MaxTokensField {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::MaxCompletionTokens => "max_completion_tokens",
            Self::MaxTokens => "max_tokens",
        }
    }
}

/// Which fields a server takes that not every server of OpenAI's APIs takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenAiOptions {
    /// How Chat Completions names the limit on output tokens. The Responses API has one name only.
    pub max_tokens_field: MaxTokensField,
    /// Whether the session's name is sent as `prompt_cache_key`, which leads its requests to the same cache. Some
    /// servers refuse a request with a field that they do not know.
    pub prompt_cache_key: bool,
    /// Whether Chat Completions is asked to report usage at the end of a stream (`stream_options`). Without that a
    /// stream reports none.
    pub stream_usage: bool,
}

impl OpenAiOptions {
    /// For OpenAI itself.
    #[must_use]
    pub fn openai() -> Self {
        Self {
            max_tokens_field: MaxTokensField::MaxCompletionTokens,
            prompt_cache_key: true,
            stream_usage: true,
        }
    }

    /// For other servers that speak like OpenAI's: llama.cpp, vLLM, LM Studio, gateways.
    #[must_use]
    pub fn compatible() -> Self {
        Self { max_tokens_field: MaxTokensField::MaxTokens, prompt_cache_key: false, stream_usage: true }
    }
}

impl Default for OpenAiOptions {
    fn default() -> Self {
        Self::openai()
    }
}
