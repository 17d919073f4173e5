//! The port to a session's log.

use std::error::Error;
use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::{Record, Seq, SessionId};

/// Which records to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of them.
    All,
    /// Those that shape the view: messages, edits, marks, documents and the model.
    View,
}

/// Keeps the records of sessions, for good and in order.
///
/// # Contract
/// - [`append`](MessageLog::append) MUST keep all of the records or none. Once it has answered, they MUST be
///   there after the process is killed.
/// - Records MUST continue the log: the first one's place is the one after [`last`](MessageLog::last), the
///   others follow without a gap. Anything else is [`LogError::Conflict`], and nothing is kept.
/// - Appending records again that are already there with the same content MUST succeed and change nothing: the
///   caller whose first try was cut off cannot know whether it was kept.
/// - An append of no records MUST succeed.
/// - [`read`](MessageLog::read) MUST give the records in order of place. A record MUST come back equal to what
///   was appended, whatever characters it holds.
/// - [`redact`](MessageLog::redact) MUST put each record in the place of the one with its number, all or none, and
///   MUST leave no byte of what was there in any file of the log. A number that the log does not have is
///   [`LogError::Conflict`].
/// - Sessions MUST NOT see each other's records.
/// - One record that cannot be read MUST NOT keep the others from being read, by reads that do not ask for it.
///
/// # When it fails
/// The records stay with the caller, who tries again at the next turn and says that nothing is being kept.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait MessageLog: Debug + Send + Sync {
    /// Appends records in one transaction.
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError>;

    /// The records after a place (which is not included itself), oldest first.
    async fn read(&self, session: &SessionId, after: Seq, part: Part) -> Result<Vec<Record>, LogError>;

    /// Place of the newest record; 0 when there is none.
    async fn last(&self, session: &SessionId) -> Result<Seq, LogError>;

    /// The newest record of a kind, by the name that
    /// [`RecordBody::kind`](throughline_conversation::RecordBody::kind) gives.
    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError>;

    /// Puts records in the place of others, for good: their content was asked to be deleted.
    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError>;
}

const _: Option<&dyn MessageLog> = None;

/// Why the log did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// There is no such session. Create it first.
    #[error("there is no session {0}")]
    NoSession(SessionId),
    /// The records do not continue the log. Somebody else has written, or a record was left out.
    #[error("the log goes on with record {expected}, not with record {found}")]
    Conflict {
        /// The place that must come next.
        expected: Seq,
        /// The place that was given.
        found: Seq,
    },
    /// A record cannot be read. The others can.
    #[error("record {seq} of the log is damaged: {why}")]
    Damaged {
        /// Its place.
        seq: Seq,
        /// What is wrong with it.
        why: String,
    },
    /// There is no room, or nothing may be written. The text says where and what helps.
    #[error("the log cannot be written: {0}")]
    Full(String),
    /// Anything else.
    #[error("the log failed")]
    Other(#[source] Box<dyn Error + Send + Sync>),
}
