//! Calls of the tool in a conversation.

use std::collections::BTreeMap;

use serde_json::Value;
use throughline_conversation::{Message, ToolCall};

use crate::skill_tool::USE_SKILL;

/// Names of the skills that were called for with success, in order.
pub(crate) fn activated<'a>(shown: impl IntoIterator<Item = &'a Message>) -> Vec<String> {
    let mut asked: BTreeMap<&str, &str> = BTreeMap::new();
    let mut names: Vec<String> = Vec::new();
    for message in shown {
        for call in message.tool_calls().filter(|call| is_activation(call)) {
            if let Some(name) = call.input.get("name").and_then(Value::as_str) {
                asked.insert(&call.id, name);
            }
        }
        for result in message.tool_results().filter(|result| !result.is_error) {
            if let Some(name) = asked.remove(result.call_id.as_str())
                && !names.iter().any(|known| known == name)
            {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// A call that names a file reads only that.
fn is_activation(call: &ToolCall) -> bool {
    call.name == USE_SKILL && call.input.get("file").is_none_or(Value::is_null)
}

#[cfg(test)]
mod tests;
