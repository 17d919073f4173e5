//! What of the next request the provider has in its cache.

use throughline_conversation::{
    CacheBreakpoint, CacheChange, CacheForecast, Entry, Millis, Seq, Transcript, Usage, View,
};
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
        let breakpoints = self.plan(&mut planner, session.view(), session.view().entries(), tools, model);
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
        self.plan(&mut self.planner.clone(), session.view(), session.view().entries(), tools, model)
    }

    /// The markers of a request that shows these entries of a view.
    pub(super) fn plan(
        &self,
        planner: &mut BreakpointPlanner,
        view: &View,
        shown: &[Entry],
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
            entries: shown,
            conversation_tokens: shown.iter().fold(0, |sum, entry| sum.saturating_add(entry.tokens)),
            epoch: self.epoch_of(view),
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
        let now = SentPart {
            at: session.now(),
            epoch: self.epoch_of(session.view()),
            entries: session.view().entries(),
            scale: window.meter().scale(),
            tail_tokens: 0,
            breakpoints: &breakpoints,
        };
        self.predictor.read(&self.request(tools, model, &origin, now))
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
        let earlier = || session.earlier().map(|earlier| earlier.at);
        let sent = self.sent_at.replace(now).or_else(earlier);
        let idle = sent.map_or(0, |sent| now.0.saturating_sub(sent.0));
        if model.info.cache.is_cold_after(idle.unsigned_abs()) {
            // The provider has dropped its cache by now.
            self.predictor.forget(CacheChange::Idle { minutes: model.info.cache.idle_minutes() });
        }
        let mut predictor = std::mem::take(&mut self.predictor);
        let origin = model.origin().to_string();
        let part = SentPart {
            at: now,
            epoch: self.epoch_of(session.view()),
            entries: session.view().entries(),
            scale: window.meter().scale(),
            tail_tokens,
            breakpoints,
        };
        let next = self.request(tools, model, &origin, part);
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

    /// A request as the cache predictor sees it.
    pub(super) fn request<'r>(
        &'r self,
        tools: &'r ToolBox,
        model: &ActiveModel,
        origin: &'r str,
        part: SentPart<'r>,
    ) -> NextRequest<'r> {
        NextRequest {
            model: origin,
            rules: model.info.cache,
            now: part.at,
            scale: part.scale,
            tools: tools.active(),
            tool_tokens: tools.sizes(),
            system: self.last_system(),
            section_tokens: &self.system_tokens.sections,
            entries: part.entries,
            epoch: part.epoch,
            breakpoints: part.breakpoints,
            tail_tokens: part.tail_tokens,
        }
    }
}

/// What of a request is not the same in all requests with this system prompt and these tools.
#[derive(Debug, Clone, Copy)]
pub(super) struct SentPart<'a> {
    /// When it is sent.
    pub(super) at: Millis,
    /// The epoch of its view.
    pub(super) epoch: u64,
    pub(super) entries: &'a [Entry],
    /// Tokens of the model for one of the counter.
    pub(super) scale: f64,
    /// The counter's tokens of the notes.
    pub(super) tail_tokens: u64,
    pub(super) breakpoints: &'a [CacheBreakpoint],
}
