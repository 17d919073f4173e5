//! What of the next request the provider has in its cache.

use throughline_conversation::{CacheBreakpoint, CacheChange, CacheForecast, Seq, Transcript, Usage, View};
use throughline_prompt::{BreakpointPlanner, NextRequest, PlanInput, SectionFigures};

use super::Prefix;
use crate::active_model::ActiveModel;
use crate::session::Session;
use crate::toolbox::ToolBox;
use crate::window::Window;

/// The messages before the first change of groups since the last request: if a later change restores them, what is
/// cached is still valid.
#[derive(Debug, Default)]
pub(crate) struct PreviousPrefix {
    before: Option<(u64, Transcript)>,
    /// An epoch of the view, and the earlier epoch whose messages it starts with.
    same: Option<(u64, u64)>,
}

impl Prefix {
    /// Shows another view, projected again from the log. If it starts with the previous messages, their epoch continues.
    pub(crate) fn show(&mut self, session: &mut Session, last: Seq, view: View) {
        let old = (self.epoch_of(session.view()), session.view().transcript().clone());
        let (epoch, transcript) = &*self.previous.before.get_or_insert(old);
        let continues = transcript.common_prefix(view.transcript()) == transcript.len();
        self.previous.same = continues.then_some((view.epoch(), *epoch));
        session.show(last, view);
    }

    /// The epoch of the view, or the earlier one that it continues. While it stays the same, messages are only appended.
    pub(crate) fn epoch_of(&self, view: &View) -> u64 {
        let epoch = view.epoch();
        self.previous.same.filter(|(view, _)| *view == epoch).map_or(epoch, |(_, earlier)| earlier)
    }

    /// Where the request that is sent now marks its prefixes. Later views are compared with it.
    pub(crate) fn plan_sent(
        &mut self,
        session: &Session,
        tools: &ToolBox,
        model: &ActiveModel,
    ) -> Vec<CacheBreakpoint> {
        let mut planner = std::mem::take(&mut self.planner);
        let breakpoints = self.plan(&mut planner, session, tools, model);
        self.planner = planner;
        self.previous.before = None;
        breakpoints
    }

    /// Where the next request would mark its prefixes if it were sent now.
    pub(crate) fn planned(
        &self,
        session: &Session,
        tools: &ToolBox,
        model: &ActiveModel,
    ) -> Vec<CacheBreakpoint> {
        self.plan(&mut self.planner.clone(), session, tools, model)
    }

    fn plan(
        &self,
        planner: &mut BreakpointPlanner,
        session: &Session,
        tools: &ToolBox,
        model: &ActiveModel,
    ) -> Vec<CacheBreakpoint> {
        let figures = self.system.iter().zip(&self.system_tokens.sections);
        let system: Vec<SectionFigures> = figures
            .map(|(section, tokens)| SectionFigures { tokens: *tokens, cacheable: section.cacheable })
            .collect();
        planner.plan(&PlanInput {
            rules: model.info.cache,
            tools: tools.active().len(),
            tools_tokens: tools.tokens(),
            system: &system,
            entries: session.view().entries(),
            conversation_tokens: session.view().tokens(),
            epoch: self.epoch_of(session.view()),
        })
    }

    /// Tokens of the model that a request sent now would read from the cache.
    pub(crate) fn read_now(
        &self,
        session: &Session,
        window: &Window,
        tools: &ToolBox,
        model: &ActiveModel,
    ) -> u64 {
        let breakpoints = self.planned(session, tools, model);
        let origin = model.origin().to_string();
        let sized = Sizes { scale: window.meter().scale(), tail_tokens: 0, breakpoints: &breakpoints };
        self.predictor.read(&self.next_request(session, tools, model, &origin, sized))
    }

    /// Predicts what a request that is sent now reads from the cache, and notes that it is sent.
    pub(crate) fn predict(
        &mut self,
        session: &Session,
        window: &Window,
        tools: &ToolBox,
        model: &ActiveModel,
        tail_tokens: u64,
        breakpoints: &[CacheBreakpoint],
    ) -> (Usage, Option<CacheForecast>) {
        let now = session.now();
        let idle = self.sent_at.replace(now).map_or(0, |sent| now.0.saturating_sub(sent.0));
        if model.info.cache.is_cold_after(idle.unsigned_abs()) {
            // The provider has dropped its cache by now.
            self.predictor.forget(CacheChange::Idle { minutes: model.info.cache.idle_minutes() });
        }
        let mut predictor = std::mem::take(&mut self.predictor);
        let origin = model.origin().to_string();
        let sized = Sizes { scale: window.meter().scale(), tail_tokens, breakpoints };
        let next = self.next_request(session, tools, model, &origin, sized);
        let forecast = predictor.forecast(&next);
        let predicted = predictor.predict(&next);
        self.predictor = predictor;
        // A prefix this short was not stored.
        (predicted, forecast.filter(|forecast| forecast.warm >= model.info.cache.min_tokens))
    }

    /// Corrects the prediction of the last request by the provider's report.
    pub(crate) fn learn(&mut self, reported: &Usage) {
        self.predictor.learn(reported);
    }

    /// The request as the cache predictor sees it.
    fn next_request<'r>(
        &'r self,
        session: &'r Session,
        tools: &'r ToolBox,
        model: &ActiveModel,
        origin: &'r str,
        sized: Sizes<'r>,
    ) -> NextRequest<'r> {
        NextRequest {
            model: origin,
            rules: model.info.cache,
            now: session.now(),
            scale: sized.scale,
            tools: tools.active(),
            tools_tokens: tools.tokens(),
            system: self.last_system(),
            section_tokens: &self.system_tokens.sections,
            entries: session.view().entries(),
            epoch: self.epoch_of(session.view()),
            breakpoints: sized.breakpoints,
            tail_tokens: sized.tail_tokens,
        }
    }
}

/// The sizes of a request, and its markers.
#[derive(Debug, Clone, Copy)]
struct Sizes<'a> {
    /// Tokens of the model for one of the counter.
    scale: f64,
    /// The counter's tokens of the notes.
    tail_tokens: u64,
    breakpoints: &'a [CacheBreakpoint],
}
