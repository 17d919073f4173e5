//! The state of a session, by owner.

use crate::active_model::ActiveModel;
use crate::continuity_ports::ContinuityPorts;
use crate::frame::{RequestFrame, components};
use crate::prefix::Prefix;
use crate::session::Session;
use crate::tail::Tail;
use crate::toolbox::ToolBox;
use crate::window::{RequestSize, Window};

/// The owners of everything that a request is made of.
#[derive(Debug)]
pub(crate) struct EngineState {
    pub(crate) session: Session,
    pub(crate) window: Window,
    pub(crate) prefix: Prefix,
    pub(crate) tools: ToolBox,
    pub(crate) tail: Tail,
    pub(crate) model: ActiveModel,
    pub(crate) continuity: ContinuityPorts,
}

impl EngineState {
    /// The next request without its tail notes.
    pub(crate) fn size(&self) -> RequestSize {
        self.window.measure(components(&self.session, &self.prefix, &self.tools), 0)
    }

    /// Plans the tools again, although the cache is warm. Returns true if the selection has changed.
    pub(crate) fn plan_tools_again(&mut self) -> bool {
        self.tools.plan_again(&mut self.session, &mut self.window)
    }

    pub(crate) fn frame(&self) -> RequestFrame<'_> {
        RequestFrame { prefix: &self.prefix, tools: &self.tools, model: &self.model }
    }
}
