//! Why an operation of the engine failed.

use throughline_completion::ModelError;
use throughline_continuity::LogError;

use crate::error::TurnError;
use crate::request_id::RequestId;

/// An operation was called at the wrong time. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// No request is open.
    #[error("no request is open: call next_request first")]
    NoRequest,
    /// Another request is open.
    #[error("request {} is open, not request {}", .open.0, .given.0)]
    OtherRequest {
        /// The open one.
        open: RequestId,
        /// The one that was named.
        given: RequestId,
    },
    /// A request waits for its answer.
    #[error("request {} waits for its answer: call answer, refused or cancelled first", .0.0)]
    RequestOpen(RequestId),
    /// Calls wait for their results.
    #[error("calls wait for their results: {}", .0.join(", "))]
    CallsOpen(Vec<String>),
    /// No call of this id waits for a result.
    #[error("no call {0:?} waits for a result")]
    UnknownCall(String),
    /// No summary of this number was asked for.
    #[error("no summary {0} was asked for")]
    UnknownSummary(u64),
    /// A summary was asked for and is neither given nor declined.
    #[error("summary {0} is asked for: call summary or no_summary first")]
    SummaryOpen(u64),
    /// The session has nothing that the model could answer.
    #[error("the model has nothing to answer: add a message of the user first")]
    NothingToAnswer,
}

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It was called at the wrong time.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The turn cannot continue. The log has everything before it.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The log cannot be read.
    #[error("the log of the session could not be read")]
    Log(#[from] LogError),
    /// A list of messages that is not a conversation.
    #[error("message {place} cannot be taken: {why}")]
    Message {
        /// Its place in the list, from 0.
        place: usize,
        /// Why.
        why: String,
    },
    /// The end of a list that cannot be taken without what stands before it.
    #[error("message {place} cannot be taken: {why}; hand over the whole list")]
    WholeList {
        /// Its place in the list, from 0.
        place: usize,
        /// Why.
        why: &'static str,
    },
    /// A key was used before for another operation.
    #[error("the key {key:?} was used for {before}, not for {now}")]
    Key {
        /// The key.
        key: String,
        /// The operation that has it.
        before: String,
        /// The operation that was called.
        now: String,
    },
    /// A key was used before for the same operation, which was given something else.
    #[error("the key {key:?} was used for {operation} with another input")]
    KeyInput {
        /// The key.
        key: String,
        /// The operation.
        operation: String,
    },
    /// The operation is done, and the log does not have it yet: a repeat with the same key writes it.
    #[error(
        "{records} records of the operation with the key {key:?} cannot be stored; repeat it with the same key"
    )]
    Unwritten {
        /// The key.
        key: String,
        /// Records that are in memory alone.
        records: usize,
    },
}

/// A loop that calls its engine in order sees errors of turns alone.
impl From<OrderError> for TurnError {
    fn from(error: OrderError) -> Self {
        Self::Model(ModelError::Other(Box::new(error)))
    }
}

impl From<EngineError> for TurnError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Turn(error) => error,
            other => Self::Model(ModelError::Other(Box::new(other))),
        }
    }
}
