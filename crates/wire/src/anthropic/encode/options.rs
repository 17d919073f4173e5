//! AnthropicOptions of Anthropic's API alone.

use serde_json::{Map, Value, json};

use super::blocks;
use crate::anthropic::ThinkingForm;
use crate::effort::Effort;

/// Fewest tokens of a thinking budget (Anthropic documentation, "Extended thinking").
pub const LEAST_BUDGET: u64 = 1_024;

/// Value of the header `anthropic-beta` for [`AnthropicOptions::bound_thinking`].
pub const THINKING_BINDING: &str = "thinking-binding-controls-2026-08-01";

/// Which cache markers a server takes, from all to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum CacheMarkers {
    /// Markers of any lifetime.
    #[default]
    All,
    /// Markers without a field for their lifetime, which is five minutes.
    FiveMinutes,
    /// None: the server does not know the field `cache_control`.
    None,
}

/// AnthropicOptions of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnthropicOptions {
    /// Extended thinking with at most this many tokens, which are a part of the answer's.
    ///
    /// It is left out where the API refuses it: a budget under 1,024 tokens, an answer that may have no more
    /// tokens than the budget, and the middle of a tool loop that began without thinking.
    ///
    /// Models before Claude Opus 4.5 and Claude Sonnet 4.6, and every Haiku up to 4.5, forget the thinking of a tool
    /// loop as soon as it contains anything but results. A tail note does that for its request: the thinking of the
    /// loop is not seen, and the messages after it are not found in the provider's cache (Anthropic documentation,
    /// "Prompt caching").
    pub thinking_budget: Option<u64>,
    /// The form in which the model takes that. Where it is [`ThinkingForm::Adaptive`] the number selects an [`Effort`];
    /// 0 asks for no thinking. An effort weighs on all that the model writes, not on its thinking alone.
    pub thinking_form: ThinkingForm,
    /// Whether the model's thinking is bound to everything before it: sent back after anything else, it is rejected
    /// with the whole request, by accounts made since September 2026 (Anthropic documentation, "Preserved thinking").
    /// A tail note of an earlier request and a summary are such changes. With this the API is asked to drop the thinking
    /// instead, in a field that needs the header `anthropic-beta` with [`THINKING_BINDING`]. Models of this kind
    /// think in the adaptive form, always.
    pub bound_thinking: bool,
    /// Which cache markers the server takes.
    pub cache_markers: CacheMarkers,
    /// Whether the system prompt is one text, not a list of blocks: some servers that speak like Anthropic's take no list. It has no
    /// cache markers then.
    pub system_as_text: bool,
    /// Whether thinking without a signature is sent back, and a blank where a message with calls has none. The API itself takes no
    /// such thinking; servers that speak like it sign nothing, and some refuse calls without (DeepSeek, Kimi).
    pub unsigned_thinking: bool,
}

impl AnthropicOptions {
    /// The field `thinking`, for a request with this output limit and these wire messages.
    pub(super) fn thinking(&self, max_tokens: u64, messages: &[Value]) -> Option<Value> {
        if self.bound_thinking || self.effort().is_some() {
            return Some(self.adaptive());
        }
        let budget = self.thinking_budget.filter(|_| self.thinking_form != ThinkingForm::Adaptive)?;
        let fits = (LEAST_BUDGET..max_tokens).contains(&budget);
        (fits && !began_without_thinking(messages))
            .then(|| json!({"type": "enabled", "budget_tokens": budget}))
    }

    fn adaptive(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("type".to_owned(), json!("adaptive"));
        if self.effort().is_some() {
            // Unasked, newer models keep to themselves what they think; it costs the same.
            fields.insert("display".to_owned(), json!("summarized"));
        }
        if self.bound_thinking {
            fields.insert("block_binding".to_owned(), json!({"prefix_mismatch_behavior": "drop_block"}));
        }
        Value::Object(fields)
    }

    /// The effort of a model that is asked to think in the adaptive form.
    pub(super) fn effort(&self) -> Option<&'static str> {
        let adaptive = self.bound_thinking || self.thinking_form == ThinkingForm::Adaptive;
        Effort::of_budget(self.thinking_budget.filter(|_| adaptive)?).map(Effort::name)
    }
}

/// Returns true if the turn that this request continues began without thinking: for the API all messages of a tool loop
/// are one turn of the model, whose first message decides. Later ones come without thinking of their own unless it is
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

/// Returns true if there is anything but results. In the message of a request's end such words may be a note for this request
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
