//! The body of a request to OpenAI's Chat Completions API.

mod messages;

use serde_json::{Map, Value, json};
use throughline_completion::CompletionRequest;

use crate::openai::OpenAiOptions;
use crate::wire::schema::function_tool;

/// The body of `POST /v1/chat/completions`, streaming, with usage at the end of the stream.
///
/// Total: every request has a body. One without faults has a body that the API takes:
///
/// - The system prompt's sections become one system message, with blank lines between them.
/// - Each tool result is a message of its own, right after the message with the calls. The wire has no flag for a
///   failure and no pictures there: a failure's text begins with `error: `, and pictures follow in a user message.
/// - What the user's side says in a row becomes one message: a plain text, or a list of parts when it has
///   pictures. Tail notes go to its end.
/// - Thinking is left out: OpenAI's own server does not take it back. For others see [`ThinkingBack`](crate::openai::ThinkingBack).
/// - Cache breakpoints are left out: the provider caches prefixes by itself, and the session's name as
///   `prompt_cache_key` leads its requests to the same cache.
#[must_use]
pub fn encode(request: &CompletionRequest, options: OpenAiOptions) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    body.insert(options.max_tokens_field.name().to_owned(), json!(request.max_output_tokens));
    body.insert("stream".to_owned(), json!(true));
    if options.stream_usage {
        body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    }
    if let Some(session) = request.session.as_ref().filter(|_| options.prompt_cache_key) {
        body.insert("prompt_cache_key".to_owned(), json!(session.as_str()));
    }
    let tools: Vec<Value> = request.tools.iter().map(function_tool).collect();
    if !tools.is_empty() {
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    body.insert("messages".to_owned(), Value::Array(messages::encode(request, options.thinking_back)));
    Value::Object(body)
}

#[cfg(test)]
mod tests;
