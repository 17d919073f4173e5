//! The port to stored session contexts.

use std::error::Error;
use std::fmt::Debug;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use throughline_conversation::{Millis, Seq, SessionId};

/// What a context was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextSource {
    /// An agent has compacted its session.
    Compaction,
    /// An agent resumes its session.
    Resume,
    /// A user asked for it.
    Refresh,
}

impl ContextSource {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Compaction, Self::Resume, Self::Refresh];

    /// The name that is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compaction => "compaction",
            Self::Resume => "resume",
            Self::Refresh => "refresh",
        }
    }
}

/// A context of a session that was made for an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredContext {
    /// The session.
    pub session: SessionId,
    /// The last record that it covers.
    pub covers: Seq,
    /// What it was made for.
    pub source: ContextSource,
    /// The agent that it was made for; empty if none is known.
    pub worker: String,
    /// When it was made.
    pub at: Millis,
    /// The context as JSON. The reader validates it.
    pub context: String,
}

/// Stores the contexts of each session, one for each place in its log.
///
/// # Contract
/// - [`save`](ContextStore::save) MUST replace the context of the session that covers the same record, as a whole.
/// - [`list`](ContextStore::list) MUST give equal contexts, by the record that they cover, the earliest first.
/// - [`remove`](ContextStore::remove) MUST succeed without a context.
/// - Sessions MUST NOT see each other's contexts.
///
/// # When it fails
/// Nothing is lost: a context is made of the log again.
#[async_trait]
pub trait ContextStore: Debug + Send + Sync {
    /// Saves a context.
    async fn save(&self, context: &StoredContext) -> Result<(), ContextError>;

    /// The contexts of a session, the newest last.
    async fn list(&self, session: &SessionId) -> Result<Vec<StoredContext>, ContextError>;

    /// Removes all contexts of a session.
    async fn remove(&self, session: &SessionId) -> Result<(), ContextError>;
}

const _: Option<&dyn ContextStore> = None;

/// Why contexts are not stored or not read.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    /// There is no such session. Create it first.
    #[error("there is no session {0}")]
    NoSession(SessionId),
    /// Anything else.
    #[error("the stored contexts cannot be used")]
    Other(#[source] Box<dyn Error + Send + Sync>),
}

#[cfg(test)]
mod tests;
