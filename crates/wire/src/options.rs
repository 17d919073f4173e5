//! What a body depends on besides the request.

use crate::anthropic::AnthropicOptions;
use crate::gemini::GeminiOptions;
use crate::ollama::OllamaOptions;
use crate::openai::OpenAiOptions;
use crate::wire::Wire;

/// A protocol with its options. A [`Wire`] becomes one with the defaults: those of the provider's own server, and no thinking
/// asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireOptions {
    /// Anthropic's Messages API.
    Anthropic(AnthropicOptions),
    /// OpenAI's Chat Completions API.
    OpenAiChat(OpenAiOptions),
    /// OpenAI's Responses API.
    OpenAiResponses(OpenAiOptions),
    /// The Gemini API.
    Gemini(GeminiOptions),
    /// Ollama's chat API.
    Ollama(OllamaOptions),
}

impl From<Wire> for WireOptions {
    fn from(wire: Wire) -> Self {
        match wire {
            Wire::Anthropic => Self::Anthropic(AnthropicOptions::default()),
            Wire::OpenAiChat => Self::OpenAiChat(OpenAiOptions::default()),
            Wire::OpenAiResponses => Self::OpenAiResponses(OpenAiOptions::default()),
            Wire::Gemini => Self::Gemini(GeminiOptions::default()),
            Wire::Ollama => Self::Ollama(OllamaOptions::default()),
        }
    }
}
