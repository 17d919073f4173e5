//! The port to where results are kept.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::{Millis, ResultRef, SessionId};

/// A stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// The session whose tool gave it.
    pub session: SessionId,
    /// Its name, unique within the session.
    pub id: ResultRef,
    /// The tool that gave it.
    pub tool: String,
    /// The exact bytes. They need not be UTF-8.
    pub content: Vec<u8>,
    /// When it was stored.
    pub at: Millis,
}

/// A kept result without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultInfo {
    /// Its name.
    pub id: ResultRef,
    /// The tool that gave it.
    pub tool: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was stored.
    pub at: Millis,
}

impl StoredResult {
    /// All but the bytes.
    #[must_use]
    pub fn info(&self) -> ResultInfo {
        let bytes = self.content.len() as u64;
        ResultInfo { id: self.id.clone(), tool: self.tool.clone(), bytes, at: self.at }
    }
}

/// Why results cannot be kept or found.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The name is taken by other bytes. Nothing was changed.
    #[error("result {0} is already stored with other content")]
    Conflict(ResultRef),
    /// Anything else.
    #[error("the result store did not answer")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Keeps tool results, byte for byte.
///
/// # Contract
/// - [`put`](ResultRepository::put) MUST keep the bytes exactly, whatever they are, also none at all.
/// - `put` of bytes that are already stored under that name MUST succeed and change nothing: the tool and the
///   time of the first `put` stay.
/// - `put` of other bytes under a name that is taken MUST fail with [`StoreError::Conflict`] and change nothing.
/// - Sessions MUST NOT see each other's results, not even under equal names.
/// - [`list`](ResultRepository::list) MUST give the oldest first, and those of one time by name.
/// - What `put` said is stored MUST be found by every later call, until it is removed.
///
/// # When it fails
/// `put`: the model sees a bounded head and tail instead, with a note that the rest is lost. `get`: the tool returns
/// the error to the model. This crate never retries.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait ResultRepository: Debug + Send + Sync {
    /// Keeps a result.
    async fn put(&self, result: &StoredResult) -> Result<(), StoreError>;

    /// A result with its bytes, if the session has one of this name.
    async fn get(&self, session: &SessionId, id: &ResultRef) -> Result<Option<StoredResult>, StoreError>;

    /// What the session has.
    async fn list(&self, session: &SessionId) -> Result<Vec<ResultInfo>, StoreError>;

    /// Removes a result. Says whether there was one.
    async fn remove(&self, session: &SessionId, id: &ResultRef) -> Result<bool, StoreError>;
}

const _: Option<&dyn ResultRepository> = None;
