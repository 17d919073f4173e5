//! What one step may touch.

use crate::compacting::Compaction;
use crate::frame::RequestFrame;
use crate::state::EngineState;
use crate::turn_context::TurnContext;

/// The state of the session, where its events go and what stops the step: the one borrow that a step takes.
pub(crate) struct StepContext<'a> {
    pub(crate) state: &'a mut EngineState,
    pub(crate) turn: TurnContext<'a>,
}

impl StepContext<'_> {
    pub(crate) fn compaction(&mut self) -> Compaction<'_> {
        let EngineState { session, window, prefix, tools, model, .. } = &mut *self.state;
        Compaction { session, window, frame: RequestFrame { prefix, tools, model }, turn: &self.turn }
    }
}
