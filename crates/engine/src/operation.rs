//! One operation on an engine: where it reports its events, and what stops it.

use throughline_conversation::ModelUse;
use throughline_tools::{CancelFlag, ChangedFiles};

use crate::engine::ContextEngine;
use crate::event::EventSink;
use crate::step_context::StepContext;
use crate::turn_context::TurnContext;

/// A borrow of an engine with the sink of its events and the flag that stops it. Everything that changes the session is one
/// of its methods; [`ContextEngine`] has the same for callers that need neither.
pub struct Operation<'e> {
    pub(crate) engine: &'e mut ContextEngine,
    pub(crate) turn: TurnContext<'e>,
}

impl std::fmt::Debug for Operation<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Operation").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl ContextEngine {
    /// Operations that report to this sink. Raising the flag stops the one that runs.
    #[must_use]
    pub fn operation<'e>(&'e mut self, sink: &'e dyn EventSink, cancel: &'e CancelFlag) -> Operation<'e> {
        Operation { engine: self, turn: TurnContext { sink, cancel } }
    }
}

impl Operation<'_> {
    pub(crate) fn step(&mut self) -> StepContext<'_> {
        StepContext { state: &mut self.engine.state, turn: self.turn }
    }

    /// Records changes of files that are not a part of a call's output, with what the files were before.
    pub async fn record_changes(&mut self, changed: ChangedFiles) {
        self.step().record_changes(changed).await;
    }

    /// Records what a model has used for requests that are not the session's own, if there were any.
    pub fn record_use(&mut self, used: ModelUse) {
        self.engine.state.session.record_usage(&self.turn, used);
    }

    /// Writes pending records. After a failure they stay in memory, and the next write tries again.
    pub async fn flush(&mut self) {
        self.engine.state.session.flush(&self.turn).await;
    }
}
