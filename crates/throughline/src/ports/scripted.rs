//! A model that answers from a script, for tests and for runs without a key.

use std::sync::Arc;

use throughline_budget::ScriptAwareEstimator;
use throughline_completion::{ModelInfo, ScriptedModel};

pub use throughline_completion::Reply;

/// A model with a window of 100,000 tokens that gives these answers in order, and the text
/// `[the script has no more answers]` after the last one: compare [`ScriptedModel::request_count`] with the script where that matters.
/// [`ScriptedModel::requests`] returns what it was asked.
pub fn model(replies: impl IntoIterator<Item = Reply>) -> Arc<ScriptedModel> {
    let info = ModelInfo::with_window("scripted", 100_000, 8_000);
    Arc::new(ScriptedModel::new(info, Box::new(ScriptAwareEstimator), replies).recording())
}
