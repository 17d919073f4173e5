//! The body of a request to OpenAI's Chat Completions API.
//!
//! Tools, system and user messages and the stream's options are built as types of async-openai. Messages of the model
//! and results of tools are not: the types leave out a `content` that is null and the fields in which compatible
//! servers carry reasoning, and their order of fields differs, which would change the bytes of every cached prefix.
//!
//! Nor is the library's client used. Its stream reads a response into a queue without limit and takes a connection that
//! is cut for the end of the answer; it repeats a request up to four times; and its configuration reads addresses and
//! organizations from the environment, sends an `authorization` header without a key, and panics over a key that no
//! header can carry. Bodies are posted by [`Transport`](crate::http::Transport), as those of every other provider are.

mod marked;
mod messages;

use async_openai::types::chat::{
    ChatCompletionStreamOptions, ChatCompletionTool, ChatCompletionTools, FunctionObject,
};
use serde::Serialize;
use serde_json::{Map, Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::ToolDefinition;

use crate::form::schema::wire_schema;
use crate::openai::options::OpenAiOptions;

/// The body of `POST /v1/chat/completions`, streaming, with usage at the end of the stream.
///
/// Total: every request has a body. One without faults has a body that the API takes:
///
/// - The system prompt's sections become one system message, with blank lines between them.
/// - Each tool result is a message of its own, right after the message with the calls. The wire has no flag for a
///   failure and no pictures there: a failure's text begins with `error: `, and pictures follow in a user message.
/// - Consecutive parts of the user's side become one message: a plain text, or a list of parts when it has
///   pictures. Tail notes go to its end.
/// - What not every server takes of this is an option: the role `system`, a null as content, the user's message behind results.
/// - Thinking is left out: OpenAI's own server does not take it back. For others see [`ThinkingBack`](crate::openai::ThinkingBack).
/// - Cache breakpoints are left out: the provider caches prefixes by itself, and the session's name as
///   `prompt_cache_key` leads its requests to the same cache. With [`OpenAiOptions::cache_control`] they are Anthropic's
///   markers on the parts of the system message, of the user's messages and of tool results.
#[must_use]
pub fn encode(request: &CompletionRequest, options: OpenAiOptions) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    body.insert(options.max_tokens_field.name().to_owned(), json!(request.max_output_tokens));
    body.insert("stream".to_owned(), json!(true));
    if options.stream_usage {
        let usage = ChatCompletionStreamOptions { include_usage: Some(true), include_obfuscation: None };
        body.insert("stream_options".to_owned(), typed(&usage));
    }
    if let Some(session) = request.session.as_ref().filter(|_| options.prompt_cache_key) {
        body.insert("prompt_cache_key".to_owned(), json!(session.as_str()));
    }
    if let Some(effort) = options.effort {
        body.insert("reasoning_effort".to_owned(), json!(effort.name()));
    }
    let tools: Vec<Value> = request
        .tools
        .iter()
        .filter(|definition| definition.origin.runs_here())
        .map(|definition| typed(&tool(definition)))
        .collect();
    if !tools.is_empty() {
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    body.insert("messages".to_owned(), Value::Array(messages::encode(request, options)));
    Value::Object(body)
}

fn tool(definition: &ToolDefinition) -> ChatCompletionTools {
    let function = FunctionObject {
        name: definition.name.clone(),
        description: Some(definition.description.clone()),
        parameters: Some(wire_schema(&definition.input_schema)),
        strict: None,
    };
    ChatCompletionTools::Function(ChatCompletionTool { function })
}

/// A part of the body from a type of the library. Those used here always serialize.
fn typed(part: &impl Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

#[cfg(test)]
mod tests;
