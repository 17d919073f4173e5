//! Switching to another model in the middle of a session.

use std::collections::VecDeque;
use std::sync::Arc;

use throughline_budget::{InvalidThresholds, Limits, Meter};
use throughline_compaction::{Goal, Summarizer};
use throughline_completion::{LanguageModel, ModelInfo};
use throughline_conversation::{
    CacheChange, Components, EditReason, ModelRecord, RecordBody, TargetModel, TokenCounter,
};
use throughline_prompt::BreakpointPlanner;
use throughline_text::error_chain;

use crate::active_model::ActiveModel;
use crate::compact_error::CompactError;
use crate::compacting::Compaction;
use crate::error::TurnError;
use crate::event::Event;
use crate::frame::RequestFrame;
use crate::prefix::Prefix;
use crate::session::{Session, documents_tail, tokens_of};
use crate::settings::Settings;
use crate::steps::Failure;
use crate::toolbox::ToolBox;
use crate::turn_context::TurnContext;
use crate::window::{Window, window_of};

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

/// The owners that a switch of the model changes.
pub(crate) struct Switch<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) window: &'a mut Window,
    pub(crate) prefix: &'a mut Prefix,
    pub(crate) tools: &'a mut ToolBox,
    pub(crate) model: &'a mut ActiveModel,
    pub(crate) turn: &'a TurnContext<'a>,
}

/// The limits of the next model, and whether the session could be made to fit them.
struct Prepared {
    info: ModelInfo,
    window: u64,
    limits: Limits,
    shrunk: Result<(), CompactError>,
}

impl Switch<'_> {
    /// Switches at the user's request. The user may stop it while the session is compacted for the next model.
    pub(crate) async fn on_request(&mut self, next: NextModel) -> Result<(), SwitchError> {
        let prepared = self.prepare(&next).await?;
        if matches!(prepared.shrunk, Err(CompactError::Stopped)) {
            let what = format!("{} stays", self.model.origin());
            self.session.record_decision("switch", what, "the user stopped the switch");
            return Err(SwitchError::Stopped);
        }
        self.carry_out(next, &prepared, "the user asked for it");
        Ok(())
    }

    /// Switches to the first fallback model that fits, after a failure of the current one.
    pub(crate) async fn fall_back(
        &mut self,
        fallbacks: &mut VecDeque<NextModel>,
        failure: Failure,
    ) -> Result<(), TurnError> {
        let why = failure.error.to_string();
        if !fallbacks.is_empty() {
            failure.withdraw(self.turn, &why);
        }
        while let Some(mut next) = fallbacks.pop_front() {
            // The turn continues, with the rest of its requests.
            next.settings.max_requests = self.model.settings.max_requests;
            match self.prepare(&next).await {
                Ok(prepared) => {
                    self.carry_out(next, &prepared, &why);
                    return Ok(());
                }
                Err(unfit) => {
                    self.session.degrade(self.turn, "fallback model", "the next one is tried", &unfit);
                }
            }
        }
        Err(failure.error.into())
    }

    async fn prepare(&mut self, next: &NextModel) -> Result<Prepared, InvalidThresholds> {
        // Open calls belong to the model that made them.
        self.session.close_open_calls(self.turn);
        let info = next.model.info();
        let learnt = self.window.learnt.get(&info.origin().to_string()).copied();
        let (window, limits) = window_of(&info, &next.settings, learnt)?;
        let smaller = limits.effective_window < self.window.limits.effective_window;
        let shrunk = if smaller && !self.fits(next, &info, &limits) {
            self.shrink(window, limits).await
        } else {
            Ok(())
        };
        Ok(Prepared { info, window, limits, shrunk })
    }

    fn carry_out(&mut self, next: NextModel, prepared: &Prepared, why: &str) {
        if let Err(error) = &prepared.shrunk {
            // The next request compacts by force if it has to.
            let why = error_chain(error);
            self.session.record_decision("switch", "not compacted before the switch", why.clone());
            self.turn.sink.emit(Event::NotCompacted { why });
        }
        let (from, to) = (self.model.origin(), prepared.info.origin());
        self.adopt(next, prepared);
        self.session.record_model(self.window, self.model);
        self.session.record_decision("switch", format!("{to} continues after {from}"), why);
        let (from, to) = (from.to_string(), to.to_string());
        self.turn.sink.emit(Event::Switched { from, to, why: why.to_owned() });
    }

    /// Returns true if the session, in the form and by the count of the next model, is below the level at which it would
    /// be compacted there.
    fn fits(&self, next: &NextModel, info: &ModelInfo, limits: &Limits) -> bool {
        let counter = next.counter.as_ref();
        let origin = info.origin();
        let meter = self.window.meters.get(&origin.to_string()).cloned().unwrap_or_default();
        let reader = TargetModel { origin: Arc::new(origin), foreign: next.settings.foreign };
        let conversation = self.session.view.seen_by(reader, counter).tokens();
        let documents = documents_tail(&self.session.view);
        let sections = self.prefix.system.iter().map(|section| &section.text);
        let system = tokens_of(counter, sections.chain(&documents));
        let tools = self.tools.active.iter().map(|tool| counter.tool(tool)).sum();
        let upper = meter.measure(Components { system, skills: 0, tools, conversation }).upper;
        upper < limits.compact.or(limits.block).unwrap_or(limits.effective_window)
    }

    /// Compacts for the next window with the current model: it knows the conversation, and its cache is warm.
    async fn shrink(&mut self, window: u64, limits: Limits) -> Result<(), CompactError> {
        let before = (self.window.total, self.window.limits);
        (self.window.total, self.window.limits) = (window, limits);
        let frame = RequestFrame { prefix: self.prefix, tools: self.tools, model: self.model };
        let mut compaction =
            Compaction { session: self.session, window: self.window, frame, turn: self.turn };
        let compacted = compaction.attempt(EditReason::Switch, Goal::Deep).await;
        (self.window.total, self.window.limits) = before;
        compacted.map(drop)
    }

    fn adopt(&mut self, next: NextModel, prepared: &Prepared) {
        let NextModel { model, counter, settings, summarizer } = next;
        let window = &mut *self.window;
        let mut old = std::mem::replace(&mut window.meter, Meter::new());
        old.drop_anchor();
        if let Some(known) = window.meters.remove(&prepared.info.origin().to_string()) {
            window.meter = known;
        } else if self.model.origin().provider == prepared.info.provider {
            // Models of one provider count alike, and the first report corrects it.
            window.meter = old.clone();
        }
        window.meters.insert(self.model.origin().to_string(), old);
        (window.total, window.limits) = (prepared.window, prepared.limits);
        window.reserved = settings.max_output_tokens;
        self.prefix.placement = settings.placement;
        *self.model = ActiveModel::new(model, prepared.info.clone(), settings, summarizer);
        self.session.counter = Arc::clone(&counter);
        self.session.view = self.session.view.recounted(counter.as_ref());
        self.session.count_documents();
        self.prefix.restore_system(Arc::clone(&self.prefix.system), counter.as_ref());
        self.tools.count(counter.as_ref());
        self.tools.switches += 1;
        // The next model has nothing of the previous model's cache.
        self.prefix.planner = BreakpointPlanner::new();
        self.prefix.predictor.forget(CacheChange::ModelSwitch);
    }
}

impl Session {
    /// Records the model that answers from here on, and shows the view as it reads it.
    pub(crate) fn record_model(&mut self, window: &mut Window, model: &ActiveModel) {
        let record = ModelRecord {
            origin: Arc::new(model.origin()),
            window: model.info.window,
            learnt: window.learnt.clone(),
            foreign: model.settings.foreign,
        };
        let epoch = self.view.epoch();
        // It cannot fail: the record is the next one, and a change of reader fits any view.
        let _ = self.append(RecordBody::Model(record));
        if self.view.epoch() != epoch {
            window.meter.drop_anchor();
        }
    }
}
