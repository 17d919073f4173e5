//! The part of a request before the conversation, and what a provider has of it in its cache.

mod cached;
mod system_prompt;

use std::collections::BTreeMap;
use std::sync::Arc;

use throughline_conversation::{Millis, SectionText};
use throughline_prompt::{BreakpointPlanner, CachePredictor, PromptSection, SectionSource};

use cached::PreviousPrefix;
use system_prompt::SystemTokens;

/// The system prompt, and the state of the prompt cache.
#[derive(Debug)]
pub(crate) struct Prefix {
    pub(crate) sources: Vec<Arc<dyn SectionSource>>,
    /// Last sections of each source: the fallback while the source is unavailable.
    pub(crate) last_sections: BTreeMap<String, Vec<PromptSection>>,
    pub(crate) system: Arc<[SectionText]>,
    pub(crate) system_tokens: SystemTokens,
    /// Epoch of the view for which the system prompt was built. `None` before the first request.
    pub(crate) prompt_epoch: Option<u64>,
    /// Compactions of this run that the system prompt was built after.
    pub(crate) compactions_seen: u64,
    previous: PreviousPrefix,
    pub(crate) planner: BreakpointPlanner,
    pub(crate) predictor: CachePredictor,
    /// When the last request of this run was sent.
    pub(crate) sent_at: Option<Millis>,
}

impl Prefix {
    pub(crate) fn new(sources: Vec<Arc<dyn SectionSource>>) -> Self {
        Self {
            sources,
            last_sections: BTreeMap::new(),
            system: Arc::from(Vec::new()),
            system_tokens: SystemTokens::default(),
            prompt_epoch: None,
            compactions_seen: 0,
            previous: PreviousPrefix::default(),
            planner: BreakpointPlanner::new(),
            predictor: CachePredictor::default(),
            sent_at: None,
        }
    }
}
