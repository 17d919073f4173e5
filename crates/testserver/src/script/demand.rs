//! Reasoning that some models of Chat Completions require to be sent back.

use serde::Deserialize;
use serde_json::Value;
use throughline_wire::validate::WireFault;

/// Reasoning that a model of Chat Completions requires to be sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Demand {
    /// Its thinking (DeepSeek, Kimi).
    Thinking,
    /// The signatures of its calls (Gemini).
    Signatures,
}

impl Demand {
    /// Returns the faults of a body of `POST /v1/chat/completions` that lacks it.
    ///
    /// Thinking: messages with calls must have reasoning that is not empty, as Kimi requires; with tools, every message
    /// of the model must have the field, even if it is empty, as DeepSeek requires. Both names of the field are accepted.
    ///
    /// Signatures: the first call of each message must have one.
    #[must_use]
    pub fn faults(self, body: &Value) -> Vec<WireFault> {
        match self {
            Self::Thinking => missing_thinking(body),
            Self::Signatures => missing_signatures(body),
        }
    }
}

fn missing_thinking(body: &Value) -> Vec<WireFault> {
    let tools = !list(body, "tools").is_empty();
    let fault = |(index, message): (usize, &Value)| {
        let reasoning = ["reasoning_content", "reasoning"].into_iter().find_map(|name| text(message, name));
        let calls = !list(message, "tool_calls").is_empty();
        let rule = if calls && reasoning.is_none_or(str::is_empty) {
            format!(
                "thinking is enabled but reasoning_content is missing in assistant tool call message at index {index}"
            )
        } else if tools && reasoning.is_none() {
            "The `reasoning_content` in the thinking mode must be passed back to the API.".to_owned()
        } else {
            return None;
        };
        Some(WireFault { path: format!("messages.[{index}].reasoning_content"), message: rule })
    };
    of_model(body).filter_map(fault).collect()
}

fn missing_signatures(body: &Value) -> Vec<WireFault> {
    let rule = "Function call is missing a thought_signature in functionCall parts. This is required for tools to \
                work correctly, and missing thought_signature may lead to degraded model performance.";
    let fault = |(index, message): (usize, &Value)| {
        let call = list(message, "tool_calls").first()?;
        let signature = call.pointer("/extra_content/google/thought_signature").and_then(Value::as_str);
        let path = format!("messages.[{index}].tool_calls[0].extra_content");
        signature.is_none_or(str::is_empty).then(|| WireFault { path, message: rule.to_owned() })
    };
    of_model(body).filter_map(fault).collect()
}

/// The messages of the model, with their indices.
fn of_model(body: &Value) -> impl Iterator<Item = (usize, &Value)> {
    let messages = list(body, "messages").iter().enumerate();
    messages.filter(|(_, message)| text(message, "role") == Some("assistant"))
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field)?.as_str()
}

#[cfg(test)]
mod tests;
