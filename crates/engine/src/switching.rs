//! Switching to another model in the middle of a session.

use std::sync::Arc;

use throughline_budget::{InvalidThresholds, Limits};
use throughline_compaction::{Goal, Summarizer};
use throughline_completion::ModelInfo;
use throughline_conversation::{
    Components, Degradation, EditReason, ModelRecord, RecordBody, Seq, ServerAddress, TargetModel,
    TokenCounter,
};
use throughline_text::error_chain;

use crate::active_model::{ActiveModel, SummarySource};
use crate::compact_error::CompactError;
use crate::engine::ContextEngine;
use crate::event::Event;
use crate::operation::Operation;
use crate::session::{Session, documents_tail, tokens_of};
use crate::settings::Settings;
use crate::state::EngineState;
use crate::step_context::StepContext;
use crate::window::{Window, window_of};

/// The facts of a model, and what belongs to it.
#[derive(Debug, Clone)]
pub struct ModelProfile {
    /// Its facts.
    pub info: ModelInfo,
    /// Where it is reached; `None`: no server, or not known.
    pub server: Option<ServerAddress>,
    /// Counts its tokens.
    pub counter: Arc<dyn TokenCounter>,
    /// Policies and limits for its window. Offload and deferral do not change after the session was opened.
    pub settings: Settings,
    /// Writes the summaries from here on.
    pub summarizer: Option<Arc<dyn Summarizer>>,
}

/// Why a session keeps its model.
#[derive(Debug, thiserror::Error)]
pub enum SwitchError {
    /// The thresholds contradict the new window.
    #[error(transparent)]
    Limits(#[from] InvalidThresholds),
    /// The user stopped the compaction before the switch.
    #[error("stopped before the switch")]
    Stopped,
}

/// The limits of the next model, and whether the session could be made to fit them.
struct Prepared {
    window: u64,
    reserved: u64,
    limits: Limits,
    shrunk: Result<(), CompactError>,
}

impl Operation<'_> {
    /// Continues with another model at the user's request.
    ///
    /// If the session does not fit the new window, the current model compacts it first. Messages of another provider are
    /// shown to the new model as text; the log keeps their own form, which is shown again after a switch back. The user
    /// may stop the switch while the summary is written. A request and calls of another model that are still open are given up.
    ///
    /// # Errors
    /// [`SwitchError`]; then the model stays, nothing is compacted, and what is open stays open.
    pub async fn switch_model(&mut self, next: ModelProfile) -> Result<(), SwitchError> {
        let switched = self.switch(next).await;
        self.flush().await;
        switched
    }

    async fn switch(&mut self, next: ModelProfile) -> Result<(), SwitchError> {
        let prepared = self.prepare_switch(&next).await?;
        if matches!(prepared.shrunk, Err(CompactError::Stopped)) {
            let what = format!("{} stays", self.engine.state.model.origin());
            self.engine.state.session.record_decision("switch", what, "the user stopped the switch");
            return Err(SwitchError::Stopped);
        }
        self.carry_out(next, &prepared, "the user asked for it");
        Ok(())
    }

    /// Continues with a fallback model after a failure of the current one. The turn continues, with the rest of its requests.
    ///
    /// # Errors
    /// [`InvalidThresholds`] if it cannot be used; then the model stays, and the next fallback may be tried.
    pub async fn fall_back(&mut self, mut next: ModelProfile, why: &str) -> Result<(), InvalidThresholds> {
        next.settings.max_requests = self.engine.state.model.settings.max_requests;
        match self.prepare_switch(&next).await {
            Ok(prepared) => {
                self.carry_out(next, &prepared, why);
                Ok(())
            }
            Err(unfit) => {
                let fallback = "the next one is tried";
                self.engine.state.session.degrade(&self.turn, "fallback model", fallback, &unfit);
                Err(unfit)
            }
        }
    }

    async fn prepare_switch(&mut self, next: &ModelProfile) -> Result<Prepared, InvalidThresholds> {
        let engine = &mut *self.engine;
        let learnt = engine.state.window.learnt().get(&next.info.origin().to_string()).copied();
        let (window, reserved, limits) = window_of(&next.info, &next.settings, learnt)?;
        let smaller = limits.effective_window < engine.state.window.limits().effective_window;
        let shrunk =
            if smaller && !engine.fits(next, &limits) { self.shrink(window, limits).await } else { Ok(()) };
        Ok(Prepared { window, reserved, limits, shrunk })
    }

    fn carry_out(&mut self, next: ModelProfile, prepared: &Prepared, why: &str) {
        let Operation { engine, turn } = self;
        if let Err(error) = &prepared.shrunk {
            // The next request compacts by force if it has to.
            let why = error_chain(error);
            engine.state.session.record_decision("switch", "not compacted before the switch", why.clone());
            turn.sink.emit(Event::NotCompacted { why });
        }
        let (from, to) = (engine.state.model.origin(), next.info.origin());
        if from != to {
            // A request and calls belong to the model that was asked.
            self.close_calls();
        }
        let Operation { engine, turn } = self;
        engine.adopt(next, prepared);
        engine.state.session.record_model(&mut engine.state.window, &engine.state.model);
        if from == to {
            // The same model with other settings.
            return;
        }
        engine.state.session.record_decision("switch", format!("{to} continues after {from}"), why);
        let (from, to) = (from.to_string(), to.to_string());
        turn.sink.emit(Event::Switched { from, to, why: why.to_owned() });
    }

    /// Compacts for the next window with the current model: it knows the conversation, and its cache is warm.
    async fn shrink(&mut self, window: u64, limits: Limits) -> Result<(), CompactError> {
        let turn = self.turn;
        let next = NextLimits::begin(&mut self.engine.state, window, limits);
        let mut step = StepContext { state: &mut *next.state, turn };
        step.compaction().attempt(EditReason::Switch, Goal::Deep).await.map(drop)
    }
}

/// The session measures by the limits of the next model while it is compacted for it. Its own are back when that ends, also if the
/// caller's future is dropped: the model may stay.
struct NextLimits<'e> {
    state: &'e mut EngineState,
    own: (u64, Limits),
}

impl<'e> NextLimits<'e> {
    fn begin(state: &'e mut EngineState, window: u64, limits: Limits) -> Self {
        let own = state.window.replace_limits(window, limits);
        Self { state, own }
    }
}

impl Drop for NextLimits<'_> {
    fn drop(&mut self) {
        let (window, limits) = self.own;
        self.state.window.replace_limits(window, limits);
    }
}

impl ContextEngine {
    /// Returns true if the session, in the form and by the count of the next model, is below the level at which it would
    /// be compacted there.
    fn fits(&self, next: &ModelProfile, limits: &Limits) -> bool {
        let counter = next.counter.as_ref();
        let origin = next.info.origin();
        let meter = self.state.window.meter_of(&origin);
        let reader =
            TargetModel { origin: Arc::new(origin), foreign: next.settings.foreign, thinking_from: None };
        let conversation = self.state.session.view().seen_by(reader, counter).tokens();
        let documents = documents_tail(self.state.session.view());
        let sections = self.state.prefix.system().iter().map(|section| &section.text);
        let system = tokens_of(counter, sections.chain(&documents));
        let tools = self.state.tools.tokens_by(counter);
        let upper = meter.measure(Components { system, skills: 0, tools, conversation }).upper;
        upper < limits.compact.or(limits.block).unwrap_or(limits.effective_window)
    }

    fn adopt(&mut self, next: ModelProfile, prepared: &Prepared) {
        let ModelProfile { info, server, counter, settings, summarizer } = next;
        // With other settings the model has its cache still.
        let stays = self.state.model.origin() == info.origin();
        let window = &mut self.state.window;
        window.adopt_model(&self.state.model.origin(), &info.origin(), prepared.reserved);
        window.replace_limits(prepared.window, prepared.limits);
        let placement = settings.placement;
        let summaries = match summarizer {
            Some(summarizer) => SummarySource::Port(summarizer),
            None if self.state.model.caller.is_some() => SummarySource::Caller,
            None => SummarySource::Rule,
        };
        self.state.model = ActiveModel::new(info, server, settings, summaries);
        self.state.session.recount_by(Arc::clone(&counter));
        let cache = stays.then(|| self.state.prefix.cache_state());
        self.state.prefix.adopt_model(placement, counter.as_ref());
        if let Some(cache) = cache {
            self.state.prefix.restore_cache_state(cache);
        }
        self.state.tools.follow_switch(counter.as_ref());
    }
}

impl Session {
    /// Records the model that answers from here on, and shows the view as it reads it.
    pub(crate) fn record_model(&mut self, window: &mut Window, model: &ActiveModel) {
        let thinking_from = self.view().reader().and_then(|reader| reader.thinking_from);
        self.record_reader(window, model, thinking_from);
    }

    /// Records that the model is shown no thinking of the messages until here.
    pub(crate) fn forget_thinking(&mut self, window: &mut Window, model: &ActiveModel) {
        let next = Seq(self.view().last().0.saturating_add(1));
        self.record_reader(window, model, Some(next));
    }

    fn record_reader(&mut self, window: &mut Window, model: &ActiveModel, thinking_from: Option<Seq>) {
        let record = ModelRecord {
            origin: Arc::new(model.origin()),
            window: model.info.window,
            learnt: window.learnt().clone(),
            foreign: model.settings.foreign,
            thinking_from,
            thinking: model.info.thinking,
        };
        let epoch = self.view().epoch();
        if let Err(error) = self.append(RecordBody::Model(record)) {
            self.note_degradation(Degradation {
                subsystem: "view".to_owned(),
                fallback: "messages are shown as the model before reads them".to_owned(),
                cause: error_chain(&error),
            });
        }
        if self.view().epoch() != epoch {
            window.drop_anchor();
        }
    }
}
