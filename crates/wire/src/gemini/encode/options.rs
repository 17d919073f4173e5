//! Options of the Gemini API alone.

use serde_json::{Value, json};
use throughline_text::group_thousands;

use crate::effort::Effort;
use crate::gemini::signature;

/// Options of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GeminiOptions {
    /// Thinking with at most this many tokens, and with its summary shown; `None` leaves both to the API. Models
    /// that take a level get that of its [`Effort`], and for 0 the lowest that they take.
    pub thinking_budget: Option<u64>,
    /// Whether the model takes a level of thinking instead of a number of tokens, and refuses its own calls
    /// without a signature: Gemini 3 and later. `None`: the name in the request says so.
    pub signed_calls: Option<bool>,
    /// Whether the model takes the provider's own tools next to functions: Gemini 3 and later. `None`: the name in the request
    /// says so.
    pub web_search: Option<bool>,
}

/// Models that take a number of tokens, with the fewest and the most, and whether they also take 0 (Gemini API documentation,
/// "Thinking"). The first name that the model's begins with counts.
const BUDGETS: &[(&str, u64, u64, bool)] = &[
    ("gemini-2.5-pro", 128, 32_768, false),
    ("gemini-2.5-flash-lite", 512, 24_576, true),
    ("gemini-2.5-flash", 0, 24_576, true),
];

/// Models that take the level `minimal`, which others refuse (Gemini API documentation, "Thinking levels").
const MINIMAL: &[&str] = &["gemini-3-flash", "gemini-3.1-flash-lite", "gemini-3.5-flash", "gemini-3.6-flash"];

/// Returns true if a model of this name takes the level `minimal`.
fn takes_minimal(name: &str) -> bool {
    MINIMAL.iter().any(|start| name.starts_with(start))
}

/// What a model takes as a budget of tokens, for an error; `None`: this one, or what it takes is not known.
#[must_use]
pub fn refused_budget(model: &str, tokens: u64) -> Option<String> {
    let name = model.rsplit('/').next().unwrap_or(model);
    if signature::is_required(name) {
        let has_medium = name != "gemini-3-pro" && name != "gemini-3-pro-preview";
        let is_taken = match Effort::of_budget(tokens) {
            None => takes_minimal(name),
            Some(Effort::Medium) => has_medium,
            Some(_) => true,
        };
        let medium = if has_medium { ", below 8,192 medium, from there high" } else { ", from 8,192 high" };
        return (!is_taken)
            .then(|| format!("a level and always thinks: --thinking below 2,048 tokens is low{medium}"));
    }
    let (_, least, most, takes_zero) = BUDGETS.iter().find(|(start, ..)| name.starts_with(start))?;
    if (*least..=*most).contains(&tokens) || tokens == 0 && *takes_zero {
        return None;
    }
    let zero = if *takes_zero && *least > 0 { ", or 0 for none" } else { "" };
    Some(format!("{} to {} tokens{zero}", group_thousands(*least), group_thousands(*most)))
}

impl GeminiOptions {
    /// For the model of this name, whatever the request calls it.
    #[must_use]
    pub fn for_model(name: &str) -> Self {
        let is_third = signature::is_required(name);
        Self { thinking_budget: None, signed_calls: Some(is_third), web_search: Some(is_third) }
    }

    /// The field `thinkingConfig` for a model that has signed calls or not.
    pub(super) fn thinking(&self, model: &str, signed_calls: bool) -> Option<Value> {
        let budget = self.thinking_budget?;
        if !signed_calls {
            return Some(json!({"thinkingBudget": budget, "includeThoughts": budget > 0}));
        }
        let name = model.rsplit('/').next().unwrap_or(model);
        let least = if takes_minimal(name) { "minimal" } else { Effort::Low.name() };
        let level = Effort::of_budget(budget).map_or(least, Effort::name);
        Some(json!({"thinkingLevel": level, "includeThoughts": budget > 0}))
    }
}
