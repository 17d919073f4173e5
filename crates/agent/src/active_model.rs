//! The model that answers, and the policies that are in force with it.

use std::sync::Arc;

use throughline_compaction::{Compactor, Summarizer};
use throughline_completion::{LanguageModel, ModelInfo};
use throughline_conversation::{Origin, Purpose, SideRequest, Source};

use crate::settings::Settings;

/// The model that answers now. A switch replaces all of it, and is recorded.
#[derive(Debug)]
pub(crate) struct ActiveModel {
    pub(crate) model: Arc<dyn LanguageModel>,
    pub(crate) info: ModelInfo,
    pub(crate) settings: Settings,
    pub(crate) compactor: Compactor,
    summarizer: Option<Arc<dyn Summarizer>>,
}

impl ActiveModel {
    pub(crate) fn new(
        model: Arc<dyn LanguageModel>,
        info: ModelInfo,
        settings: Settings,
        summarizer: Option<Arc<dyn Summarizer>>,
    ) -> Self {
        let compactor = Compactor::new(settings.compaction.clone(), summarizer.clone());
        Self { model, info, settings, compactor, summarizer }
    }

    /// Continues with other numbers for prices and summaries.
    pub(crate) fn follow(&mut self, settings: Settings) {
        self.compactor = Compactor::new(settings.compaction.clone(), self.summarizer.clone());
        // A limit of the running task stays.
        self.settings = Settings { max_requests: self.settings.max_requests, ..settings };
    }

    pub(crate) fn origin(&self) -> Origin {
        self.info.origin()
    }

    /// A request to it whose answer is no message.
    pub(crate) fn side_request(&self, purpose: Purpose) -> SideRequest {
        SideRequest { purpose, model: self.origin(), server: self.model.server() }
    }

    /// The model as the author of a message or document.
    pub(crate) fn source(&self) -> Source {
        Source::Model(self.info.name.clone())
    }
}
