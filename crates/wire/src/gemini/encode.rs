//! The body of a request to the Gemini API.

mod contents;
mod options;

use serde_json::{Map, Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::ToolDefinition;

use super::signature;
use crate::form::schema::wire_schema;
use crate::form::text::system;
pub use options::{GeminiOptions, refused_budget};

/// The body of `POST /v1beta/models/MODEL:streamGenerateContent`; the model is in the address.
///
/// Total: every request has a body. One without faults has a body that the API takes:
///
/// - The system prompt's sections become one text, with blank lines between them.
/// - Consecutive messages of one side become one content. Results come first in theirs, in the order of their calls, then
///   texts, pictures, and the tail notes.
/// - A result is `{"output": …}`, a failure `{"error": …}`. The wire has no pictures there: they follow the results.
/// - A signature goes back on the part that it came with. With [`GeminiOptions::signed_calls`] the first call of a content
///   that has none gets the value that the API reads as "made elsewhere".
/// - Thoughts without a signature are left out: the API reads nothing from them.
/// - A tool that the provider runs itself is `googleSearch`, next to the functions, where [`GeminiOptions::web_search`] says
///   that the model takes both. Elsewhere it is a function if the program can run it, and left out if not.
/// - Cache breakpoints and the session's name are left out: the provider caches prefixes by itself.
#[must_use]
pub fn encode(request: &CompletionRequest, options: &GeminiOptions) -> Value {
    let signed_calls = options.signed_calls.unwrap_or_else(|| signature::is_required(&request.model));
    let mut body = Map::new();
    if let Some(system) = system(request) {
        body.insert("systemInstruction".to_owned(), json!({"parts": [{"text": system}]}));
    }
    let may_search = options.web_search.unwrap_or_else(|| signature::is_required(&request.model));
    let (own, others): (Vec<_>, Vec<_>) =
        request.tools.iter().partition(|tool| may_search && tool.origin.is_of_provider());
    let others = others.into_iter().filter(|tool| tool.origin.runs_here());
    let functions: Vec<Value> = others.map(declaration).collect();
    let mut tools = Vec::new();
    if !functions.is_empty() {
        tools.push(json!({"functionDeclarations": functions}));
    }
    if !own.is_empty() {
        tools.push(json!({"googleSearch": {}}));
    }
    if tools.len() > 1 {
        body.insert("toolConfig".to_owned(), json!({"includeServerSideToolInvocations": true}));
    }
    if !tools.is_empty() {
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    let mut config = Map::new();
    config.insert("maxOutputTokens".to_owned(), json!(request.max_output_tokens));
    if let Some(thinking) = options.thinking(&request.model, signed_calls) {
        config.insert("thinkingConfig".to_owned(), thinking);
    }
    body.insert("generationConfig".to_owned(), Value::Object(config));
    let contents = contents::encode(request, signed_calls);
    body.insert("contents".to_owned(), Value::Array(contents));
    Value::Object(body)
}

fn declaration(tool: &ToolDefinition) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "parametersJsonSchema": wire_schema(&tool.input_schema),
    })
}

#[cfg(test)]
mod tests;
