//! What a step needs of the running turn.

use throughline_tools::CancelFlag;

use crate::event::EventSink;

/// Where a turn reports its events, and how its caller stops it.
#[derive(Clone, Copy)]
pub(crate) struct TurnContext<'a> {
    pub(crate) sink: &'a dyn EventSink,
    pub(crate) cancel: &'a CancelFlag,
}
