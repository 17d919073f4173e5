//! The five protocols, each with our client for it.

use std::sync::Arc;

use serde_json::Value;
use throughline_budget::Chars4Estimator;
use throughline_completion::{CacheRules, LanguageModel, ModelInfo, Prices};
use throughline_providers::anthropic::AnthropicModel;
use throughline_providers::gemini::GeminiModel;
use throughline_providers::http::{Endpoint, ReqwestTransport};
use throughline_providers::ollama::OllamaModel;
use throughline_providers::openai_chat::OpenAiChatModel;
use throughline_providers::openai_responses::OpenAiResponsesModel;
use throughline_wire::openai::OpenAiOptions;

/// Window of all models in tokens.
pub(crate) const WINDOW: u64 = 32_000;
/// Tokens that are asked for at most.
pub(crate) const MAX_OUTPUT: u64 = 4_096;
/// Of these for thinking.
pub(crate) const THINKING: u64 = 1_024;

/// A protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    Anthropic,
    Chat,
    Responses,
    Gemini,
    Ollama,
}

impl Protocol {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Chat => "chat",
            Self::Responses => "responses",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// Where requests go.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Anthropic => "/v1/messages",
            Self::Chat => "/v1/chat/completions",
            Self::Responses => "/v1/responses",
            Self::Gemini => "/v1beta/models/gemini-3.5-flash:streamGenerateContent",
            Self::Ollama => "/api/chat",
        }
    }

    /// A model that thinks, by the rules of the mock.
    pub(crate) fn model_name(self) -> &'static str {
        match self {
            Self::Anthropic => "claude-sonnet-4-5",
            Self::Chat | Self::Responses => "gpt-5",
            Self::Gemini => "gemini-3.5-flash",
            Self::Ollama => "qwen3:8b",
        }
    }

    /// The header with the key.
    pub(crate) fn key_header(self) -> &'static str {
        match self {
            Self::Anthropic => "x-api-key",
            Self::Gemini => "x-goog-api-key",
            Self::Chat | Self::Responses | Self::Ollama => "authorization",
        }
    }

    /// The conversation in a body, without the system prompt.
    pub(crate) fn conversation(self, body: &Value) -> &[Value] {
        let field = match self {
            Self::Responses => "input",
            Self::Gemini => "contents",
            Self::Anthropic | Self::Chat | Self::Ollama => "messages",
        };
        let said = body.get(field).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let system = said.iter().take_while(|message| message["role"] == "system").count();
        said.get(system..).unwrap_or_default()
    }

    fn info(self) -> ModelInfo {
        let (provider, cache, prices) = match self {
            Self::Anthropic => ("anthropic", CacheRules::anthropic(), Prices::anthropic()),
            Self::Chat | Self::Responses => ("openai", CacheRules::automatic(), Prices::openai()),
            Self::Gemini => ("gemini", CacheRules::automatic(), Prices::openai()),
            Self::Ollama => ("ollama", CacheRules::automatic(), Prices::openai()),
        };
        ModelInfo {
            name: self.model_name().to_owned(),
            provider: provider.to_owned(),
            window: WINDOW,
            max_output: MAX_OUTPUT,
            cache,
            prices,
            web_search: false,
            thinking: None,
        }
    }
}

/// Our client for a protocol.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) protocol: Protocol,
    pub(crate) endpoint: Endpoint,
    /// Whether thinking is asked for, where it must be.
    pub(crate) thinks: bool,
}

impl Client {
    pub(crate) fn new(protocol: Protocol, endpoint: Endpoint) -> Self {
        Self { protocol, endpoint, thinks: false }
    }

    pub(crate) fn model(&self) -> Arc<dyn LanguageModel> {
        let (info, endpoint) = (self.protocol.info(), self.endpoint.clone());
        let transport = Arc::new(ReqwestTransport::default());
        match self.protocol {
            Protocol::Anthropic if self.thinks => {
                Arc::new(AnthropicModel::new(info, endpoint, transport).with_thinking(THINKING))
            }
            Protocol::Anthropic => Arc::new(AnthropicModel::new(info, endpoint, transport)),
            Protocol::Chat => {
                Arc::new(OpenAiChatModel::new(info, endpoint, transport, OpenAiOptions::openai()))
            }
            Protocol::Responses => {
                Arc::new(OpenAiResponsesModel::new(info, endpoint, transport, OpenAiOptions::openai()))
            }
            Protocol::Gemini if self.thinks => {
                Arc::new(GeminiModel::new(info, endpoint, transport).with_thinking(THINKING))
            }
            Protocol::Gemini => Arc::new(GeminiModel::new(info, endpoint, transport)),
            Protocol::Ollama => {
                Arc::new(OllamaModel::new(info, endpoint, transport, Arc::new(Chars4Estimator)))
            }
        }
    }
}

/// The same tests for each protocol, each in a module of its name.
#[macro_export]
macro_rules! for_each_protocol {
    ($($test:ident),* $(,)?) => {
        $crate::for_each_protocol!(@ anthropic Anthropic, $($test),*);
        $crate::for_each_protocol!(@ chat Chat, $($test),*);
        $crate::for_each_protocol!(@ responses Responses, $($test),*);
        $crate::for_each_protocol!(@ gemini Gemini, $($test),*);
        $crate::for_each_protocol!(@ ollama Ollama, $($test),*);
    };
    (@ $module:ident $protocol:ident, $($test:ident),*) => {
        mod $module {
            $(
                #[tokio::test]
                async fn $test() {
                    super::$test($crate::protocol::Protocol::$protocol).await;
                }
            )*
        }
    };
}
