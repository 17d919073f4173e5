//! Work that runs while the model does something else.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_engine::EndedWork;

/// Has the work of a session in the background, such as commands and sub-agents. It is asked at each boundary of a turn, before a
/// request, and when the model ends its turn.
///
/// # Contract
/// - MUST return each end once, and none that the model has read by a tool.
/// - [`settle`](Self::settle) MUST return true only if the next [`take_ended`](Self::take_ended) returns something: another
///   request follows. Dropping its future MUST end no work.
///
/// # When it fails
/// Work that breaks down has ended, and its text says why.
#[async_trait]
pub trait BackgroundWork: Debug + Send + Sync {
    /// Takes what has ended without the model's knowledge, in the order in which it began.
    async fn take_ended(&self) -> Vec<EndedWork>;

    /// The model ends its turn. Waits for the work that must not outlive it. Returns true if the model does not know some of
    /// its ends.
    async fn settle(&self) -> bool;
}

const _: Option<&dyn BackgroundWork> = None;
