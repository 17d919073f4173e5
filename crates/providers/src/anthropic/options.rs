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
    ///
    /// Models before Claude Opus 4.5 and Claude Sonnet 4.6, and every Haiku before 5.5, forget the thinking of a tool
    /// loop as soon as anything but results stands in it. A tail note does that for its request: the thinking of the
    /// loop is not seen, and the messages behind it are not found in the provider's cache (Anthropic documentation,
    /// "Prompt caching").
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

/// Whether the turn that this request goes on with began without thinking: for the API all messages of a tool loop are
/// one turn of the model, whose first message decides. Later ones come without thinking of their own unless it is
/// interleaved, so that to judge by them would switch thinking off in the middle of the loop.
fn began_without_thinking(messages: &[Value]) -> bool {
    let begin = messages.iter().enumerate().rposition(|(at, message)| {
        let last = at + 1 == messages.len();
        is_from(message, "user") && has_words(message) && !(last && has_results(message))
    });
    let mut turn = messages.iter().skip(begin.map_or(0, |begin| begin + 1));
    let first = turn.find(|message| is_from(message, "assistant"));
    first.is_some_and(|first| {
        content(first).iter().any(|block| blocks::is(block, "tool_use"))
            && !content(first).first().is_some_and(blocks::is_thinking)
    })
}

fn is_from(message: &Value, role: &str) -> bool {
    message.get("role").and_then(Value::as_str) == Some(role)
}

/// Whether there is anything but results. In the message of a request's end such words may be a note for this request
/// alone; with results in front of them they are no new turn of the user.
fn has_words(message: &Value) -> bool {
    content(message).iter().any(|block| !blocks::is(block, "tool_result"))
}

fn has_results(message: &Value) -> bool {
    content(message).iter().any(|block| blocks::is(block, "tool_result"))
}

fn content(message: &Value) -> &[Value] {
    message.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests;
