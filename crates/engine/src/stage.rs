//! Where a session stands between two operations.

use crate::open_work::{OpenCalls, OpenRequest};
use crate::steps::{Measured, Unblocked};

/// Where the session stands.
#[derive(Debug, Default)]
pub(crate) enum Stage {
    /// Nothing is open.
    #[default]
    Idle,
    /// A compaction waits for its summary.
    Summarizing(Suspended),
    /// A request waits for its answer.
    Asked(Box<OpenRequest>),
    /// Calls of an answer wait for their results.
    Calling(OpenCalls),
}

/// The step that continues when the summary has come.
#[derive(Debug)]
pub(crate) enum Suspended {
    /// Step 3.
    Forcing(Measured),
    /// Step 4.
    Compacting(Unblocked),
}
