//! The body of a request to Ollama's chat API.

mod messages;

use serde_json::{Map, Value, json};
use throughline_completion::CompletionRequest;

use crate::form::schema::function_tool;

/// The body of `POST /api/chat`, streaming.
///
/// `num_ctx` is the size of the window in tokens, above 0. It is always sent: the server's own default is small, and
/// of a longer request it cuts off the front without an error. `truncate` and `shift` ask it not to: a server that
/// knows them refuses such a request instead, an older one takes no notice.
///
/// Total: every request has a body. One without faults has a body that the API takes:
///
/// - The system prompt's sections become one system message, with blank lines between them.
/// - Consecutive messages of one side become one: templates of local models want the roles to alternate. Tail
///   notes go to the end of the user's last.
/// - Each tool result is a message of its own, with the tool's name. Calls have no ids here and are answered by
///   position, so results come in the order of the calls.
/// - Pictures of a message are in a field next to its text, in order. The wire has no flag for a failure and its results have
///   no pictures: a failure's text begins with `error: `, and pictures follow in a user message.
/// - Thinking is left out: templates drop it from earlier turns.
/// - Cache breakpoints and the session's name are left out: the server keeps the last prefix by itself.
#[must_use]
pub fn encode(request: &CompletionRequest, num_ctx: u64) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    body.insert("stream".to_owned(), json!(true));
    body.insert("truncate".to_owned(), json!(false));
    body.insert("shift".to_owned(), json!(false));
    body.insert("options".to_owned(), json!({"num_ctx": num_ctx, "num_predict": request.max_output_tokens}));
    let tools: Vec<Value> =
        request.tools.iter().filter(|tool| tool.origin.runs_here()).map(function_tool).collect();
    if !tools.is_empty() {
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    body.insert("messages".to_owned(), Value::Array(messages::encode(request)));
    Value::Object(body)
}

#[cfg(test)]
mod tests;
