//! What of the next request the provider has in its cache.

use throughline_compaction::NameLog;
use throughline_conversation::{CacheBreakpoint, Transcript, View};
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
    pub(crate) fn show(&mut self, session: &mut Session, view: View) {
        let old = (self.epoch_of(&session.view), session.view.transcript().clone());
        let (epoch, transcript) = &*self.previous.before.get_or_insert(old);
        let continues = transcript.common_prefix(view.transcript()) == transcript.len();
        self.previous.same = continues.then_some((view.epoch(), *epoch));
        // Names of groups that are hidden now must not show up in a summary.
        session.names = NameLog::default();
        session.followed = None;
        session.view = view;
    }

    /// The epoch of the view, or the earlier one that it continues. While it stays the same, messages are only appended.
    pub(crate) fn epoch_of(&self, view: &View) -> u64 {
        let epoch = view.epoch();
        self.previous.same.filter(|(view, _)| *view == epoch).map_or(epoch, |(_, earlier)| earlier)
    }

    /// Notes that a request is sent: it is the one that later views are compared with.
    pub(crate) fn sent(&mut self) {
        self.previous.before = None;
    }

    /// Where the next request marks its prefixes.
    pub(crate) fn plan(
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
            entries: session.view.entries(),
            conversation_tokens: session.view.tokens(),
            epoch: self.epoch_of(&session.view),
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
        let breakpoints = self.plan(&mut self.planner.clone(), session, tools, model);
        let origin = model.origin().to_string();
        let sized = Sizes { scale: window.meter().scale(), tail_tokens: 0, breakpoints: &breakpoints };
        self.predictor.read(&self.next_request(session, tools, model, &origin, sized))
    }

    /// The request as the cache predictor sees it.
    pub(crate) fn next_request<'r>(
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
            now: session.clock.now(),
            scale: sized.scale,
            tools: tools.active(),
            tools_tokens: tools.tokens(),
            system: self.last_system(),
            section_tokens: &self.system_tokens.sections,
            entries: session.view.entries(),
            epoch: self.epoch_of(&session.view),
            breakpoints: sized.breakpoints,
            tail_tokens: sized.tail_tokens,
        }
    }
}

/// The sizes of a request, and its markers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes<'a> {
    /// Tokens of the model for one of the counter.
    pub(crate) scale: f64,
    /// The counter's tokens of the notes.
    pub(crate) tail_tokens: u64,
    pub(crate) breakpoints: &'a [CacheBreakpoint],
}
