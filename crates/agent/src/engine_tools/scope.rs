//! What a call of an engine tool may touch.

use crate::active_model::ActiveModel;
use crate::continuity_ports::ContinuityPorts;
use crate::prefix::Prefix;
use crate::session::Session;
use crate::toolbox::ToolBox;
use crate::turn_context::TurnContext;
use crate::window::Window;

/// The owners that a call of an engine tool may touch.
pub(crate) struct ToolScope<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) window: &'a mut Window,
    pub(crate) prefix: &'a Prefix,
    pub(crate) tools: &'a mut ToolBox,
    pub(crate) model: &'a ActiveModel,
    pub(crate) continuity: &'a ContinuityPorts,
    pub(crate) turn: &'a TurnContext<'a>,
}
