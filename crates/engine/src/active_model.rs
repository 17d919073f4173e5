//! The facts of the model that answers, and the policies that are in force with it.

use std::sync::Arc;

use throughline_compaction::{Compactor, ModelSummaries, PreparedSummaries, Summarizer, TriedSummarizer};
use throughline_completion::ModelInfo;
use throughline_conversation::{Origin, Purpose, ServerAddress, SideRequest, Source};

use crate::ahead::Ahead;
use crate::caller_summaries::CallerSummaries;
use crate::event::{Event, LearnedLimit};
use crate::settings::Settings;

/// Who writes summaries.
#[derive(Debug, Clone, Default)]
pub(crate) enum SummarySource {
    /// They are extracted from the messages.
    #[default]
    Rule,
    /// A port.
    Port(Arc<dyn Summarizer>),
    /// The caller of the engine, with a model of its own.
    Caller,
}

/// The model that answers now. A switch replaces all of it, and is recorded.
#[derive(Debug)]
pub(crate) struct ActiveModel {
    pub(crate) info: ModelInfo,
    pub(crate) server: Option<ServerAddress>,
    pub(crate) settings: Settings,
    pub(crate) compactor: Compactor,
    /// Asks the caller of the engine for summaries, in place of a summarizer.
    pub(crate) caller: Option<Arc<CallerSummaries>>,
    summarizer: Option<Arc<TriedSummarizer>>,
    prepared: Option<Arc<PreparedSummaries>>,
}

impl ActiveModel {
    pub(crate) fn new(
        info: ModelInfo,
        server: Option<ServerAddress>,
        settings: Settings,
        summaries: SummarySource,
    ) -> Self {
        let (summarizer, caller) = match summaries {
            SummarySource::Rule => (None, None),
            SummarySource::Port(summarizer) => (Some(summarizer), None),
            SummarySource::Caller => {
                let caller = Arc::new(CallerSummaries::new(info.clone()));
                (Some(Arc::clone(&caller) as Arc<dyn Summarizer>), Some(caller))
            }
        };
        let summarizer = summarizer.map(|own| Arc::new(TriedSummarizer::new(own)));
        let prepared = summarizer.clone().map(|own| Arc::new(PreparedSummaries::new(own)));
        let compactor = compactor(&settings, prepared.as_ref());
        Self { info, server, settings, compactor, caller, summarizer, prepared }
    }

    /// Continues with other numbers for prices and summaries.
    pub(crate) fn follow(&mut self, settings: Settings) {
        self.compactor = compactor(&settings, self.prepared.as_ref());
        // A limit of the running task stays.
        self.settings = Settings { max_requests: self.settings.max_requests, ..settings };
    }

    /// When a model is asked for a summary. Behind some answers in a row that could not be used it is asked only when the user asks
    /// for a compaction; where it is asked for its price, behind one.
    pub(crate) fn summaries(&self) -> ModelSummaries {
        let is_priced = self.settings.compaction.asks_model() == ModelSummaries::WherePaid;
        if self.gives_up_summaries() || is_priced && self.unusable_summaries() > 0 {
            return ModelSummaries::Never;
        }
        self.summaries_on_request()
    }

    /// When a model is asked for the summary of a compaction that the user asks for: answers that could not be used
    /// [are forgiven](Self::forgive).
    pub(crate) fn summaries_on_request(&self) -> ModelSummaries {
        match self.settings.compaction.asks_model() {
            _ if !self.compactor.asks_model() => ModelSummaries::Never,
            // What the caller's model costs is not known.
            ModelSummaries::WherePaid if self.caller.is_some() => ModelSummaries::Always,
            own => own,
        }
    }

    /// Returns true if no summary is asked for any more, because the last answers could not be used.
    pub(crate) fn gives_up_summaries(&self) -> bool {
        self.unusable_summaries() >= TriedSummarizer::MOST_UNUSABLE
    }

    fn unusable_summaries(&self) -> u32 {
        self.summarizer.as_ref().map_or(0, |own| own.unusable())
    }

    /// Where summaries that are written ahead of compactions are; `None`: the loop writes none, or the policy waits for its model.
    pub(crate) fn prepared(&self, ahead: &Ahead) -> Option<&Arc<PreparedSummaries>> {
        let own = self.prepared.as_ref().filter(|_| self.caller.is_none() && ahead.is_enabled());
        own.filter(|_| self.settings.compaction.summaries_ahead)
    }

    /// The user asks for a compaction: what stopped earlier ones may be removed.
    pub(crate) fn forgive(&self) {
        self.compactor.reset_breaker();
        self.summarizer.iter().for_each(|own| own.forgive());
    }

    pub(crate) fn origin(&self) -> Origin {
        self.info.origin()
    }

    /// A request to it whose answer is no message.
    pub(crate) fn side_request(&self, purpose: Purpose) -> SideRequest {
        SideRequest { purpose, model: self.origin(), server: self.server.clone() }
    }

    /// The event that its server said a limit.
    pub(crate) fn learned(&self, limit: LearnedLimit) -> Event {
        Event::LimitLearned { model: self.origin(), server: self.server.clone(), limit }
    }

    /// The model as the author of a message or document.
    pub(crate) fn source(&self) -> Source {
        Source::Model(self.info.name.clone())
    }
}

fn compactor(settings: &Settings, summarizer: Option<&Arc<PreparedSummaries>>) -> Compactor {
    let summarizer = summarizer.map(|own| Arc::clone(own) as Arc<dyn Summarizer>);
    Compactor::new(settings.compaction.clone(), summarizer)
}
