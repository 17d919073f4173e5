//! What models that think want back of it.

use serde_json::Value;

use crate::validate::body::{Faults, items, text};
use crate::validate::fault::WireFault;

/// What a model that needs its own thinking misses in the body of `POST /v1/chat/completions`.
///
/// Messages with calls must have reasoning that is not empty, as Kimi has it; with tools every message of the model
/// must have some, be it empty, as DeepSeek has it. Either name of the field will do.
#[must_use]
pub fn openai_chat_thinking(body: &Value) -> Vec<WireFault> {
    let mut faults = Faults::default();
    let tools = !items(body, "tools").is_empty();
    for (index, message) in of_model(body) {
        let reasoning = ["reasoning_content", "reasoning"].into_iter().find_map(|name| text(message, name));
        let calls = !items(message, "tool_calls").is_empty();
        let path = format!("messages.[{index}].reasoning_content");
        if calls && reasoning.is_none_or(str::is_empty) {
            let rule = "thinking is enabled but reasoning_content is missing in assistant tool call message at index";
            faults.add(path, format!("{rule} {index}"));
        } else if tools && reasoning.is_none() {
            faults.add(path, "The `reasoning_content` in the thinking mode must be passed back to the API.");
        }
    }
    faults.found
}

/// Which calls lack the signature that a Gemini model needs in the body of `POST /v1/chat/completions`: that of the
/// first call of each message.
#[must_use]
pub fn openai_chat_signatures(body: &Value) -> Vec<WireFault> {
    let mut faults = Faults::default();
    for (index, message) in of_model(body) {
        let Some(call) = items(message, "tool_calls").first() else { continue };
        let signature = call.pointer("/extra_content/google/thought_signature").and_then(Value::as_str);
        let rule = "Function call is missing a thought_signature in functionCall parts. This is required for tools to \
                    work correctly, and missing thought_signature may lead to degraded model performance.";
        let path = format!("messages.[{index}].tool_calls[0].extra_content");
        faults.unless(signature.is_some_and(|signature| !signature.is_empty()), path, rule);
    }
    faults.found
}

fn of_model(body: &Value) -> impl Iterator<Item = (usize, &Value)> {
    items(body, "messages")
        .iter()
        .enumerate()
        .filter(|(_, message)| text(message, "role") == Some("assistant"))
}
