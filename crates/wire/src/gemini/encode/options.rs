//! Options of the Gemini API alone.

use serde_json::{Value, json};

use crate::gemini::signature;

/// Options of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GeminiOptions {
    /// Thinking with at most this many tokens, and with its summary shown; `None` leaves both to the API. Models
    /// that take a level get `low` below 2,048, `medium` below 8,192 and `high` from there, and `minimal` for 0.
    pub thinking_budget: Option<u64>,
    /// Whether the model takes a level of thinking instead of a number of tokens, and refuses its own calls
    /// without a signature: Gemini 3 and later. `None`: the name in the request says so.
    pub signed_calls: Option<bool>,
}

impl GeminiOptions {
    /// For the model of this name, whatever the request calls it.
    #[must_use]
    pub fn for_model(name: &str) -> Self {
        Self { thinking_budget: None, signed_calls: Some(signature::is_required(name)) }
    }

    /// The field `thinkingConfig` for a model that has signed calls or not.
    pub(super) fn thinking(&self, signed_calls: bool) -> Option<Value> {
        let budget = self.thinking_budget?;
        if !signed_calls {
            return Some(json!({"thinkingBudget": budget, "includeThoughts": budget > 0}));
        }
        let level = match budget {
            0 => "minimal",
            1..2_048 => "low",
            2_048..8_192 => "medium",
            _ => "high",
        };
        Some(json!({"thinkingLevel": level, "includeThoughts": budget > 0}))
    }
}
