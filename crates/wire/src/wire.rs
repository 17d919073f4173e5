//! The protocols of the providers' APIs.

use std::fmt;
use std::time::SystemTime;

use throughline_completion::ModelError;

use crate::errors;
use crate::openai_chat::with_hint;

/// The protocol of an API: how requests, answers and errors are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wire {
    /// Anthropic's Messages API, `POST /v1/messages`.
    Anthropic,
    /// OpenAI's Chat Completions API, `POST /v1/chat/completions`, which most other servers speak too.
    OpenAiChat,
    /// OpenAI's Responses API, `POST /v1/responses`.
    OpenAiResponses,
    /// Google's Gemini API, `POST /v1beta/models/MODEL:generateContent`, or `:streamGenerateContent?alt=sse`.
    Gemini,
    /// Ollama's chat API, `POST /api/chat`.
    Ollama,
}

impl Wire {
    /// The error of a response that is no success, as [`errors::of_response`] classifies it.
    ///
    /// `retry_after` is the value of that header, a number of seconds or a date, which is why the current time is needed.
    #[must_use]
    pub fn refusal(self, status: u16, retry_after: Option<&str>, now: SystemTime, body: &[u8]) -> ModelError {
        let error = errors::of_response(self.provider(), status, retry_after, now, body);
        if self == Self::OpenAiChat { with_hint(error) } else { error }
    }

    /// The provider's name in messages.
    fn provider(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAiChat | Self::OpenAiResponses => "openai",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Anthropic => "Anthropic's Messages API",
            Self::OpenAiChat => "OpenAI's Chat Completions API",
            Self::OpenAiResponses => "OpenAI's Responses API",
            Self::Gemini => "the Gemini API",
            Self::Ollama => "Ollama's chat API",
        })
    }
}

#[cfg(test)]
mod tests;
