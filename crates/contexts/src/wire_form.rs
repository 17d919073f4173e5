//! The form in which a context speaks to its caller.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throughline_completion::CompletionRequest;
use throughline_conversation::{Message, Transcript};
use throughline_engine::ModelInfo;
use throughline_wire::anthropic::AnthropicOptions;
use throughline_wire::gemini::GeminiOptions;
use throughline_wire::ollama::OllamaOptions;
use throughline_wire::openai::OpenAiOptions;
use throughline_wire::{Wire, WireOptions, WireRequest as _};

use crate::words::{Object, object};

/// The API that the caller's client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WireForm {
    /// Anthropic's Messages API.
    #[default]
    Anthropic,
    /// OpenAI's Chat Completions API.
    OpenaiChat,
    /// OpenAI's Responses API.
    OpenaiResponses,
    /// Google's Gemini API.
    Gemini,
    /// Ollama's chat API.
    Ollama,
}

impl WireForm {
    /// The protocol.
    #[must_use]
    pub fn wire(self) -> Wire {
        match self {
            Self::Anthropic => Wire::Anthropic,
            Self::OpenaiChat => Wire::OpenAiChat,
            Self::OpenaiResponses => Wire::OpenAiResponses,
            Self::Gemini => Wire::Gemini,
            Self::Ollama => Wire::Ollama,
        }
    }

    /// The provider whose models speak it.
    pub(crate) fn provider(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenaiChat | Self::OpenaiResponses => "openai",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// The messages of a body.
    fn list(self) -> &'static str {
        match self {
            Self::Anthropic | Self::OpenaiChat | Self::Ollama => "messages",
            Self::OpenaiResponses => "input",
            Self::Gemini => "contents",
        }
    }
}

/// What a body depends on besides the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BodyOptions {
    /// Bodies ask for a stream.
    pub stream: bool,
    /// The server is not the provider's own: llama.cpp, vLLM, a gateway. For the two APIs of OpenAI.
    pub compatible: bool,
    /// Maximum tokens of thinking, for Anthropic and Gemini.
    pub thinking_tokens: Option<u64>,
}

/// Writes requests in the form of one context.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyWriter {
    pub(crate) form: WireForm,
    stream: bool,
    options: WireOptions,
}

impl BodyWriter {
    pub(crate) fn new(form: WireForm, options: BodyOptions, info: &ModelInfo) -> Self {
        let openai =
            || if options.compatible { OpenAiOptions::compatible() } else { OpenAiOptions::openai() };
        let thinking_budget = options.thinking_tokens;
        let wire = match form {
            WireForm::Anthropic => {
                WireOptions::Anthropic(AnthropicOptions { thinking_budget, ..AnthropicOptions::default() })
            }
            WireForm::OpenaiChat => WireOptions::OpenAiChat(openai()),
            WireForm::OpenaiResponses => WireOptions::OpenAiResponses(openai()),
            WireForm::Gemini => {
                WireOptions::Gemini(GeminiOptions { thinking_budget, ..GeminiOptions::default() })
            }
            WireForm::Ollama => WireOptions::Ollama(OllamaOptions { num_ctx: info.window }),
        };
        Self { form, stream: options.stream, options: wire }
    }

    pub(crate) fn body(&self, request: &CompletionRequest) -> Object {
        object(if self.stream { request.stream_body(self.options) } else { request.body(self.options) })
    }

    /// A side request: its answer is one text, so it is never streamed.
    pub(crate) fn side_body(&self, request: &CompletionRequest) -> Object {
        object(request.body(self.options))
    }

    /// One message as items of a list.
    pub(crate) fn items(&self, message: Message, of: &CompletionRequest) -> Vec<Object> {
        let alone = CompletionRequest {
            transcript: Transcript::from_messages([message]),
            tail: Vec::new(),
            breakpoints: Vec::new(),
            system: std::sync::Arc::new([]),
            tools: std::sync::Arc::new([]),
            ..of.clone()
        };
        let mut body = object(alone.body(self.options));
        match body.remove(self.form.list()) {
            Some(Value::Array(items)) => items.into_iter().map(object).collect(),
            _ => Vec::new(),
        }
    }
}
