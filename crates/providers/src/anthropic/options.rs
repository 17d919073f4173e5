//! What only Anthropic's API can be asked for.

use serde_json::{Value, json};

use super::blocks;

/// Fewest tokens of a thinking budget (Anthropic documentation, "Extended thinking").
const LEAST_BUDGET: u64 = 1_024;

/// Options of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Extended thinking with at most this many tokens, which are a part of the answer's.
    ///
    /// It is left out where the API refuses it: a budget under 1,024 tokens, an answer that may have no more
    /// tokens than the budget, and the middle of a tool loop that began without thinking.
    pub thinking_budget: Option<u64>,
}

impl Options {
    /// The field `thinking`, for a request of so many output tokens and these messages on the wire.
    pub(super) fn thinking(&self, max_tokens: u64, messages: &[Value]) -> Option<Value> {
        let budget = self.thinking_budget?;
        let fits = (LEAST_BUDGET..max_tokens).contains(&budget);
        (fits && !began_without_thinking(messages))
            .then(|| json!({"type": "enabled", "budget_tokens": budget}))
    }
}

/// Whether the model's last message makes calls that no thinking stands before.
fn began_without_thinking(messages: &[Value]) -> bool {
    let from_the_model = |message: &&Value| message.get("role").and_then(Value::as_str) == Some("assistant");
    let last = messages.iter().rev().find(from_the_model);
    let blocks = last.and_then(|message| message.get("content")).and_then(Value::as_array);
    let Some(blocks) = blocks else { return false };
    blocks.iter().any(|block| blocks::is(block, "tool_use"))
        && !blocks.first().is_some_and(blocks::is_thinking)
}

#[cfg(test)]
mod tests;
