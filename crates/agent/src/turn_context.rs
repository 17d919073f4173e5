//! What a turn needs of its caller.

use throughline_engine::EventSink;
use throughline_tools::CancelFlag;

/// Where a turn reports its events, and how its caller stops it.
#[derive(Clone, Copy)]
pub(crate) struct TurnContext<'a> {
    pub(crate) sink: &'a dyn EventSink,
    pub(crate) cancel: &'a CancelFlag,
}
