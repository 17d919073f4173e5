//! The body of a request to Anthropic's Messages API.

mod blocks;
mod markers;
mod messages;
mod options;
mod pairs;

use serde_json::{Map, Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{Message, Place, WEB_SEARCH};

use crate::form::name::wire_name;
use crate::form::schema::wire_schema;
use crate::form::text;
use markers::Markers;

pub use options::{AnthropicOptions, CacheMarkers, LEAST_BUDGET, THINKING_BINDING};

/// The type of the provider's own search (Anthropic documentation, "Web search tool"): the version that all models take.
const WEB_SEARCH_TYPE: &str = "web_search_20250305";

/// Maximum number of searches of one answer; each is charged.
const MAX_SEARCHES: u64 = 10;

/// The body of `POST /v1/messages`, streaming.
///
/// Total: every request has a body. One without faults has a body that the API takes:
///
/// - Messages of one side that follow each other become one, its results first; tail notes go to the end of the
///   last user message, after every marker.
/// - At most four markers are set, those of the longest prefixes; a marker with a longer lifetime than one in
///   front of it gets the shorter one. A block that takes no marker hands it to the block before.
/// - Thinking is sent back unchanged, with its signature or its opaque data. Thinking without either is left out (but see
///   [`AnthropicOptions::unsigned_thinking`]), and so is thinking at the very end of a message, where the API refuses it.
/// - A tool that the provider runs itself is named by its type alone. What it did is sent back as it came, with the sources of
///   the texts; a call without its result, or the other way around, is left out, but for one that the provider is still to
///   answer: then the body ends as the API continues from, without notes.
/// - A transcript with calls needs tools. When the request has none, tools with the names in the transcript are sent,
///   and the model is asked to call none.
#[must_use]
pub fn encode(request: &CompletionRequest) -> Value {
    encode_with(request, &AnthropicOptions::default())
}

/// The same with options that are Anthropic's own.
///
/// Total as [`encode`]: an option that the API would refuse for this request is left out, see [`AnthropicOptions`].
#[must_use]
pub fn encode_with(request: &CompletionRequest, options: &AnthropicOptions) -> Value {
    let markers = Markers::new(&request.breakpoints, options.cache_markers);
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    body.insert("max_tokens".to_owned(), json!(request.max_output_tokens));
    body.insert("stream".to_owned(), json!(true));
    let tools = tools(request, &markers);
    let placeholders = if tools.is_empty() { called_tools(request) } else { Vec::new() };
    if !tools.is_empty() {
        body.insert("tools".to_owned(), Value::Array(tools));
    } else if !placeholders.is_empty() {
        body.insert("tools".to_owned(), Value::Array(placeholders));
        body.insert("tool_choice".to_owned(), json!({"type": "none"}));
    }
    let system = match options.system_as_text {
        true => text::system(request).map(Value::String),
        false => Some(system(request, &markers)).filter(|blocks| !blocks.is_empty()).map(Value::Array),
    };
    if let Some(system) = system {
        body.insert("system".to_owned(), system);
    }
    let messages = messages::encode(request, &markers, options.unsigned_thinking);
    if let Some(thinking) = options.thinking(request.max_output_tokens, &messages) {
        body.insert("thinking".to_owned(), thinking);
    }
    if let Some(effort) = options.effort() {
        body.insert("output_config".to_owned(), json!({"effort": effort}));
    }
    body.insert("messages".to_owned(), Value::Array(messages));
    Value::Object(body)
}

/// The content of one message, as in the body of a request. Empty: the API takes nothing of it.
#[must_use]
pub fn message_content(message: &Message) -> Vec<Value> {
    messages::content(message, Place::Message(0), &Markers::new(&[], CacheMarkers::None), false)
}

fn tools(request: &CompletionRequest, markers: &Markers) -> Vec<Value> {
    let encode = |(index, tool): (usize, &throughline_conversation::ToolDefinition)| {
        let mut value = match tool.origin.is_of_provider() {
            true => json!({"type": WEB_SEARCH_TYPE, "name": WEB_SEARCH, "max_uses": MAX_SEARCHES}),
            false => json!({
                "name": tool.name,
                "description": tool.description,
                "input_schema": wire_schema(&tool.input_schema),
            }),
        };
        markers.mark(Place::Tool(index), &mut value);
        value
    };
    request.tools.iter().enumerate().map(encode).collect()
}

/// The tools that the transcript calls, in the order of their first call.
fn called_tools(request: &CompletionRequest) -> Vec<Value> {
    let mut names: Vec<String> = Vec::new();
    for call in request.transcript.messages().flat_map(Message::tool_calls) {
        let name = wire_name(&call.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.into_iter().map(|name| json!({"name": name, "input_schema": wire_schema(&json!({}))})).collect()
}

fn system(request: &CompletionRequest, markers: &Markers) -> Vec<Value> {
    let encode = |(index, section): (usize, &throughline_conversation::SectionText)| {
        let mut block = blocks::text(&section.text)?;
        markers.mark(Place::Section(index), &mut block);
        Some(block)
    };
    request.system.iter().enumerate().filter_map(encode).collect()
}

#[cfg(test)]
mod tests;
