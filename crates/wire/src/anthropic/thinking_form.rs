//! The form in which a model is asked to think.

use serde::Deserialize;

/// In which form Anthropic's API asks a model to think. The other form is refused, with every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThinkingForm {
    /// With a token budget: models before Claude Opus 4.6, and those of other vendors.
    #[default]
    Budget,
    /// Either form; a token budget is respected.
    Either,
    /// As much as the model finds right at an effort: Claude Opus 4.7 and later.
    Adaptive,
}
