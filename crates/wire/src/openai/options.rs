//! Options for the differences between servers of OpenAI's APIs.

use serde::Deserialize;

use crate::effort::Effort;
use crate::form::name::CallIdForm;

/// Maximum number of tools of one request to OpenAI (OpenAI API reference, "tools"). Over Chat Completions no server is sent more: those
/// that speak it have the limit, too, and an error of theirs may not say so.
pub const MOST_TOOLS: usize = 128;

/// The name of the limit on output tokens in Chat Completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MaxTokensField {
    /// `max_completion_tokens`: OpenAI's own name, and the only one that its reasoning models accept.
    #[default]
    MaxCompletionTokens,
    /// `max_tokens`: the older name, which every other server knows.
    MaxTokens,
}

impl MaxTokensField {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::MaxCompletionTokens => "max_completion_tokens",
            Self::MaxTokens => "max_tokens",
        }
    }
}

/// Whether Chat Completions sends a model's thinking back.
///
/// OpenAI's own API does not take it. Of others some need it: a model that thinks between its calls loses its thread
/// without it, and DeepSeek and Kimi refuse a request that lacks it. Only the model's own thinking is ever given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingBack {
    /// Never: the server refuses it.
    #[default]
    Never,
    /// In the field that it came in, where there was some. A server accepts what it sent: vLLM, llama.cpp,
    /// LM Studio and OpenRouter do, and their templates drop what the model does not need.
    AsItCame,
    /// The same, and a blank in every other message of the model: the server refuses a message without.
    Always,
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
    /// Whether the Responses API is asked for reasoning in its encrypted form, without which a model loses its
    /// reasoning at each tool call. OpenAI refuses the question to models that do not reason; the GPT-4 families
    /// and older are known by their names and never asked, independent of this value.
    pub encrypted_reasoning: bool,
    /// Whether the server sends back the model's thinking and the signatures of its calls on Chat Completions, and
    /// reasoning that is not encrypted on Responses.
    pub thinking_back: ThinkingBack,
    /// Whether Chat Completions carries cache breakpoints as Anthropic's `cache_control`: gateways pass it on to Claude,
    /// which caches nothing without it.
    pub cache_control: bool,
    /// Whether requests to the Responses API name the response before, so that the server says why it could not reuse its
    /// prompt cache.
    pub cache_diagnostics: bool,
    /// Whether the Responses API carries cache breakpoints, as OpenAI takes them from GPT-5.6 on. What is not marked is then not
    /// cached.
    pub cache_breakpoints: bool,
    /// Whether the Responses API has a search of the web of its own.
    pub web_search: bool,
    /// How much a model is asked to think; `None` leaves it to the server.
    pub effort: Option<Effort>,
    /// How Chat Completions writes the ids of calls.
    pub call_ids: CallIdForm,
    /// Whether Chat Completions takes messages of the role `system`. Where it does not, the system prompt begins the first message of
    /// the user.
    pub system_role: bool,
    /// Whether Chat Completions takes a null for the content of a message that has only calls. Where it does not, that is an empty
    /// text.
    pub null_content: bool,
    /// Whether Chat Completions takes a message of the user right behind results of tools. Where it does not (Mistral), a short
    /// message of the model stands between the two.
    pub user_after_results: bool,
}

/// Beginnings of the names of OpenAI's model families that do not reason. The list is closed: all newer ones do,
/// but for single models that a name does not tell.
const NEVER_REASONS: &[&str] = &["gpt-3.5", "gpt-4", "chatgpt-4o"];

impl OpenAiOptions {
    /// For OpenAI itself.
    #[must_use]
    pub fn openai() -> Self {
        Self {
            max_tokens_field: MaxTokensField::MaxCompletionTokens,
            prompt_cache_key: true,
            stream_usage: true,
            encrypted_reasoning: true,
            thinking_back: ThinkingBack::Never,
            cache_control: false,
            cache_diagnostics: false,
            cache_breakpoints: false,
            web_search: true,
            effort: None,
            call_ids: CallIdForm::Plain,
            system_role: true,
            null_content: true,
            user_after_results: true,
        }
    }

    /// For other servers that speak like OpenAI's: llama.cpp, vLLM, LM Studio, gateways.
    #[must_use]
    pub fn compatible() -> Self {
        Self {
            max_tokens_field: MaxTokensField::MaxTokens,
            prompt_cache_key: false,
            thinking_back: ThinkingBack::AsItCame,
            call_ids: CallIdForm::AsGiven,
            web_search: false,
            ..Self::openai()
        }
    }

    /// Returns true if reasoning is exchanged with this model in its encrypted form.
    #[must_use]
    pub fn seals(self, model: &str) -> bool {
        // Gateways put the maker before the name, fine-tuned models say so.
        let name = model.rsplit('/').next().unwrap_or(model);
        let name = name.strip_prefix("openai.").unwrap_or(name);
        let name = name.strip_prefix("ft:").unwrap_or(name);
        self.encrypted_reasoning && !NEVER_REASONS.iter().any(|family| name.starts_with(family))
    }
}

impl Default for OpenAiOptions {
    fn default() -> Self {
        Self::openai()
    }
}
