//! The body of a request to OpenAI's Responses API.

mod items;
mod marks;

use serde_json::{Map, Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::ToolDefinition;

use crate::form::schema::wire_schema;
use crate::form::text::system;
use crate::openai::options::{OpenAiOptions, ThinkingBack};
use items::ReasoningBack;
use marks::Marks;

/// The field of all that is asked of the prompt cache.
pub const CACHE_OPTIONS: &str = "prompt_cache_options";

/// Fewest output tokens that the API lets a request ask for.
const FEWEST_TOKENS: u64 = 16;

/// The body of `POST /v1/responses`, streaming, with nothing stored at the provider.
///
/// Total: every request has a body. One without faults has a body that the API takes:
///
/// - The system prompt's sections become `instructions`, with blank lines between them.
/// - Texts and calls of the model become items in their order. A message has an `id`, its `status` and its `phase`; calls
///   and outputs find each other by `call_id`. What the provider's own tools did is sent back as it came.
/// - Consecutive parts of the user's side become one message. Tail notes go to its end.
/// - The wire has no flag for a failure: a failure's text begins with `error: `. Pictures of a result are parts of
///   its output.
/// - Reasoning is requested in its encrypted form, and is sent back as the same item, before the text or calls that it led to:
///   thinking whose signature is the item's id and whose redacted content is the item's encrypted content. Servers
///   that take thinking back ([`ThinkingBack`](crate::openai::ThinkingBack)) get that without encrypted content too. Other
///   thinking is left out, and so is reasoning at the end of a message, which the API refuses.
/// - Cache breakpoints are left out where [`OpenAiOptions::cache_breakpoints`] is not set: the provider then caches prefixes by
///   itself. The session's name as `prompt_cache_key` leads its requests to the same cache.
/// - Where it is set, they become `prompt_cache_breakpoint` of parts of the user's side, and what is not marked is not cached.
///   The instructions cannot carry one, so the system prompt's sections are parts of a developer's message before all others;
///   results are lists of parts, marked or not. A breakpoint behind something that carries none, such as the
///   model's own messages, is at the part before it; those of tools are covered by the next one.
/// - A tool that the provider runs itself is named by its type alone, with [`OpenAiOptions::web_search`]; without, it is a
///   function if the program can run it, and left out if not.
/// - Tools are not `strict`, which would be the default here and makes every argument a required one.
/// - Fewer than 16 output tokens become 16, the least that the API takes.
#[must_use]
pub fn encode(request: &CompletionRequest, options: OpenAiOptions) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    body.insert("max_output_tokens".to_owned(), json!(request.max_output_tokens.max(FEWEST_TOKENS)));
    body.insert("stream".to_owned(), json!(true));
    body.insert("store".to_owned(), json!(false));
    let sealed = options.seals(&request.model);
    let searches = options.web_search && request.tools.iter().any(|tool| tool.origin.is_of_provider());
    let include = [(sealed, "reasoning.encrypted_content"), (searches, "web_search_call.action.sources")];
    let include: Vec<&str> = include.into_iter().filter_map(|(asked, name)| asked.then_some(name)).collect();
    if !include.is_empty() {
        body.insert("include".to_owned(), json!(include));
    }
    if let Some(effort) = options.effort {
        body.insert("reasoning".to_owned(), json!({"effort": effort.name()}));
    }
    if let Some(session) = request.session.as_ref().filter(|_| options.prompt_cache_key) {
        body.insert("prompt_cache_key".to_owned(), json!(session.as_str()));
    }
    let tools = request.tools.iter().filter_map(|tool| match tool.origin.is_of_provider() {
        true if options.web_search => Some(json!({"type": "web_search"})),
        _ => tool.origin.runs_here().then(|| function(tool)),
    });
    let tools: Vec<Value> = tools.collect();
    if !tools.is_empty() {
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    let back = ReasoningBack { sealed, plain: options.thinking_back != ThinkingBack::Never };
    if options.cache_breakpoints {
        body.insert(CACHE_OPTIONS.to_owned(), json!({ "mode": "explicit" }));
    } else if let Some(system) = system(request) {
        body.insert("instructions".to_owned(), json!(system));
    }
    let marks = options.cache_breakpoints.then(|| Marks::new(&request.breakpoints));
    body.insert("input".to_owned(), Value::Array(items::encode(request, back, marks)));
    Value::Object(body)
}

fn function(tool: &ToolDefinition) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": wire_schema(&tool.input_schema),
        "strict": false,
    })
}

#[cfg(test)]
mod tests;
