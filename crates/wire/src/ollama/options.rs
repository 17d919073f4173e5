//! Options of Ollama's chat API alone.

use serde_json::{Value, json};

use crate::effort::Effort;

/// The field that asks a model to think, or not to.
pub const THINK: &str = "think";

/// The value of [`THINK`] for a thinking budget: models think or do not, and gpt-oss takes an effort (Ollama documentation,
/// "Thinking"). `None`: gpt-oss always thinks, and cannot be asked for 0.
#[must_use]
pub fn think(model: &str, budget: u64) -> Option<Value> {
    match Effort::of_budget(budget) {
        effort if model.contains("gpt-oss") => effort.map(|effort| json!(effort.name())),
        effort => Some(json!(effort.is_some())),
    }
}

/// Options of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OllamaOptions {
    /// Size of the window in tokens, above 0. A change of it makes the server load the model again.
    pub num_ctx: u64,
}

impl Default for OllamaOptions {
    /// 32,768 tokens: a larger window needs more memory than most machines have.
    fn default() -> Self {
        Self { num_ctx: 32_768 }
    }
}
