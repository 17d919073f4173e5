//! The part of a request before the conversation, and what a provider has of it in its cache.

mod cached;
mod restored;
mod sections;
mod system_prompt;

use std::collections::BTreeMap;
use std::sync::Arc;

use throughline_conversation::{CacheChange, Millis, SectionText, TokenCounter};
use throughline_prompt::{BreakpointPlanner, CachePredictor, DynamicPlacement, PromptSection, SectionSource};

use cached::PreviousPrefix;
use system_prompt::SystemTokens;

/// The system prompt, and the state of the prompt cache.
#[derive(Debug)]
pub(crate) struct Prefix {
    sources: Vec<Arc<dyn SectionSource>>,
    /// Last sections of each source: the fallback while the source is unavailable.
    last_sections: BTreeMap<String, Vec<PromptSection>>,
    system: Arc<[SectionText]>,
    /// The system prompt of the last request, if documents and notes were at its end.
    sent_system: Option<Arc<[SectionText]>>,
    /// Where documents and notes go.
    placement: DynamicPlacement,
    system_tokens: SystemTokens,
    /// Epoch of the view for which the system prompt was built. `None` before the first request.
    prompt_epoch: Option<u64>,
    /// Compactions of this run that the system prompt was built after.
    compactions_seen: u64,
    previous: PreviousPrefix,
    planner: BreakpointPlanner,
    predictor: CachePredictor,
    /// When the last request of this run was sent.
    sent_at: Option<Millis>,
}

/// What a provider has in its cache, as far as requests tell.
#[derive(Debug)]
pub(crate) struct CacheState {
    predictor: CachePredictor,
    sent_at: Option<Millis>,
}

impl Prefix {
    pub(crate) fn new(sources: Vec<Arc<dyn SectionSource>>, placement: DynamicPlacement) -> Self {
        Self {
            sources,
            last_sections: BTreeMap::new(),
            system: Arc::from(Vec::new()),
            sent_system: None,
            placement,
            system_tokens: SystemTokens::default(),
            prompt_epoch: None,
            compactions_seen: 0,
            previous: PreviousPrefix::default(),
            planner: BreakpointPlanner::new(),
            predictor: CachePredictor::default(),
            sent_at: None,
        }
    }

    /// What the provider is expected to have in its cache, and since when.
    pub(crate) fn cache_state(&self) -> CacheState {
        CacheState { predictor: self.predictor.clone(), sent_at: self.sent_at }
    }

    /// Restores a state of the cache: the request that was predicted since then was not sent.
    pub(crate) fn restore_cache_state(&mut self, state: CacheState) {
        self.predictor = state.predictor;
        self.sent_at = state.sent_at;
    }

    /// The system prompt of the next request, without texts that change from request to request.
    pub(crate) fn system(&self) -> &Arc<[SectionText]> {
        &self.system
    }

    pub(crate) fn system_tokens(&self) -> &SystemTokens {
        &self.system_tokens
    }

    /// Where documents and notes go.
    pub(crate) fn placement(&self) -> DynamicPlacement {
        self.placement
    }

    /// When the last request of this run was sent.
    pub(crate) fn sent_at(&self) -> Option<Millis> {
        self.sent_at
    }

    /// Counts the prompt for the next model, which has nothing of the previous model's cache.
    pub(crate) fn adopt_model(&mut self, placement: DynamicPlacement, counter: &dyn TokenCounter) {
        self.placement = placement;
        self.restore_system(Arc::clone(&self.system), counter);
        self.planner = BreakpointPlanner::new();
        self.predictor.forget(CacheChange::ModelSwitch);
    }

    /// Places the texts of the request that is sent now. Returns its system prompt and its notes.
    pub(crate) fn place_sent(&mut self, texts: Vec<String>) -> (Arc<[SectionText]>, Vec<String>) {
        let (system, notes) = self.place(texts);
        let is_system_tail = self.placement == DynamicPlacement::SystemTail;
        self.sent_system = is_system_tail.then(|| Arc::clone(&system));
        (system, notes)
    }

    /// Places texts that change from request to request. Returns the system prompt of the request and its notes.
    pub(crate) fn place(&self, texts: Vec<String>) -> (Arc<[SectionText]>, Vec<String>) {
        self.placement.place(&self.system, texts)
    }

    /// The system prompt of the last request.
    pub(crate) fn last_system(&self) -> &Arc<[SectionText]> {
        self.sent_system.as_ref().unwrap_or(&self.system)
    }
}
