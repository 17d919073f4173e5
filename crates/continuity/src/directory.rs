//! The port to the list of sessions.

use std::error::Error;
use std::fmt::Debug;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use throughline_conversation::{Millis, SessionId};

/// Name and origin of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionInfo {
    /// Its name.
    pub id: SessionId,
    /// A short text for people; may be empty.
    pub title: String,
    /// The folder that it works in.
    pub workspace: String,
    /// The model that it began with.
    pub model: String,
    /// When it began.
    pub created: Millis,
}

/// A session and figures about its log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSummary {
    /// Name and origin.
    pub info: SessionInfo,
    /// Number of records in its log.
    pub records: u64,
    /// Number of exchanges.
    pub exchanges: u64,
    /// Number of requests that were sent.
    pub requests: u64,
    /// When its newest record was made; when it began, if it has none.
    pub last_activity: Millis,
    /// Tokens of its newest request. `None`: it has sent none, or that receipt cannot be read.
    pub last_tokens: Option<u64>,
    /// The session that it works for as a sub-agent. `None`: it is a user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<SessionId>,
}

/// The list of sessions.
///
/// # Contract
/// - [`create`](SessionDirectory::create) MUST refuse an id that is taken, and leave the session unchanged.
/// - [`list`](SessionDirectory::list) MUST return every session, the one that was written last first, whatever the clock
///   said then. A damaged record MUST NOT hide its session from the list.
/// - [`remove`](SessionDirectory::remove) MUST remove the log, the snapshot and the stored results too.
/// - [`remove`](SessionDirectory::remove) and [`rename`](SessionDirectory::rename) MUST answer `false` when
///   there is no such session.
///
/// # When it fails
/// The session works on; it may be missing from lists until the next time that it can be written.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait SessionDirectory: Debug + Send + Sync {
    /// Enters a new session.
    async fn create(&self, session: &SessionInfo) -> Result<(), DirectoryError>;

    /// A session by its id.
    async fn get(&self, session: &SessionId) -> Result<Option<SessionInfo>, DirectoryError>;

    /// A session by its id, with its figures.
    async fn summary(&self, session: &SessionId) -> Result<Option<SessionSummary>, DirectoryError>;

    /// All sessions.
    async fn list(&self) -> Result<Vec<SessionSummary>, DirectoryError>;

    /// Removes a session and everything that belongs to it. Returns false if there is no such session.
    async fn remove(&self, session: &SessionId) -> Result<bool, DirectoryError>;

    /// Gives a session another title. Returns false if there is no such session.
    async fn rename(&self, session: &SessionId, title: &str) -> Result<bool, DirectoryError>;
}

const _: Option<&dyn SessionDirectory> = None;

/// Why the directory did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// The id is taken. Choose another, or resume that session.
    #[error("there is already a session {0}")]
    Exists(SessionId),
    /// There is no room, or nothing may be written. The text says where and what helps.
    #[error("the list of sessions cannot be written: {0}")]
    Full(String),
    /// Anything else.
    #[error("the list of sessions failed")]
    Other(#[source] Box<dyn Error + Send + Sync>),
}
