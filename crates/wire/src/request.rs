//! A request as a body.

use serde_json::Value;
use throughline_completion::CompletionRequest;

use crate::options::WireOptions;
use crate::{anthropic, gemini, ollama, openai_chat, openai_responses};

/// Writes a request in the form of a provider.
///
/// ```
/// # use std::sync::Arc;
/// # use throughline_completion::CompletionRequest;
/// # use throughline_conversation::{Message, Transcript};
/// use throughline_wire::anthropic::AnthropicOptions;
/// use throughline_wire::{Wire, WireOptions, WireRequest as _};
///
/// # let request = CompletionRequest {
/// #     model: "claude-sonnet-4-5".to_owned(),
/// #     session: None,
/// #     tools: Arc::new([]),
/// #     system: Arc::new([]),
/// #     transcript: Transcript::from_messages([Message::user("hello")]),
/// #     tail: Vec::new(),
/// #     breakpoints: Vec::new(),
/// #     max_output_tokens: 4_096,
/// # };
/// let body = request.body(Wire::Anthropic);
/// assert_eq!(body["stream"], false);
///
/// let thinking = AnthropicOptions { thinking_budget: Some(2_048), ..AnthropicOptions::default() };
/// let body = request.stream_body(WireOptions::Anthropic(thinking));
/// assert_eq!(body["stream"], true);
/// assert_eq!(body["thinking"]["budget_tokens"], 2_048);
/// ```
pub trait WireRequest {
    /// The body of a request for a whole answer: that of [`WireRequest::stream_body`] with `stream` off. Gemini has no such
    /// field: there the address says which of the two it is.
    fn body(&self, wire: impl Into<WireOptions>) -> Value;

    /// The body of a request for a stream, the same bytes as the clients of `providers` send.
    fn stream_body(&self, wire: impl Into<WireOptions>) -> Value;
}

impl WireRequest for CompletionRequest {
    fn body(&self, wire: impl Into<WireOptions>) -> Value {
        let mut body = self.stream_body(wire);
        if let Value::Object(fields) = &mut body {
            if let Some(stream) = fields.get_mut("stream") {
                *stream = Value::Bool(false);
            }
            // OpenAI refuses it without a stream.
            fields.shift_remove("stream_options");
        }
        body
    }

    fn stream_body(&self, wire: impl Into<WireOptions>) -> Value {
        match wire.into() {
            WireOptions::Anthropic(options) => anthropic::encode_with(self, &options),
            WireOptions::OpenAiChat(options) => openai_chat::encode(self, options),
            WireOptions::OpenAiResponses(options) => openai_responses::encode(self, options),
            WireOptions::Gemini(options) => gemini::encode(self, &options),
            WireOptions::Ollama(options) => ollama::encode(self, options.num_ctx),
        }
    }
}

#[cfg(test)]
mod tests;
