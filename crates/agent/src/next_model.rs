//! Another model, and what belongs to it.

use std::sync::Arc;

use throughline_compaction::Summarizer;
use throughline_completion::LanguageModel;
use throughline_conversation::TokenCounter;
use throughline_engine::{ModelProfile, Settings};

/// Another model, and what belongs to it.
#[derive(Debug, Clone)]
pub struct NextModel {
    /// The model.
    pub model: Arc<dyn LanguageModel>,
    /// Counts its tokens.
    pub counter: Arc<dyn TokenCounter>,
    /// Policies and limits for its window. Offload and deferral do not change after the session was opened.
    pub settings: Settings,
    /// Writes the summaries from here on.
    pub summarizer: Option<Arc<dyn Summarizer>>,
}

impl NextModel {
    /// The model, and what the engine has to know about it.
    pub(crate) fn into_parts(self) -> (Arc<dyn LanguageModel>, ModelProfile) {
        let Self { model, counter, settings, summarizer } = self;
        let profile =
            ModelProfile { info: model.info(), server: model.server(), counter, settings, summarizer };
        (model, profile)
    }
}
