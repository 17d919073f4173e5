//! What a step needs of the running turn.

use throughline_tools::CancelFlag;

use crate::event::EventSink;

/// Where a turn reports its events, and how its caller stops it.
#[derive(Clone, Copy)]
pub struct TurnContext<'a> {
    /// Receives the events.
    pub sink: &'a dyn EventSink,
    /// Raised to stop the turn.
    pub cancel: &'a CancelFlag,
}
