//! The port to a session's log.

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};

use async_trait::async_trait;
use throughline_conversation::{Record, RecordBody, Seq, SessionId, Span};

use crate::projected::Pages;

/// The records to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of them.
    All,
    /// Those that shape the view: messages, edits, marks, documents and the model.
    View,
    /// Those from which usage, cost and compactions follow: models, receipts, side requests, edits, policies and marks.
    Accounts,
    /// Those that compact the view, and those that undo and restore what they did: edits and marks.
    Edits,
}

impl Part {
    /// Returns true if the part has records of this kind.
    #[must_use]
    pub fn has(self, body: &RecordBody) -> bool {
        match self {
            Self::All => true,
            Self::View => body.shapes_view(),
            Self::Accounts => body.is_accounted(),
            Self::Edits => matches!(body, RecordBody::Edit(_) | RecordBody::Mark(_)),
        }
    }
}

/// A page of a log.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LogPage {
    /// The records that could be read, oldest first.
    pub records: Vec<Record>,
    /// The places whose records are lost, in order.
    pub unreadable: Vec<Unreadable>,
    /// The place after which the next page begins; `None`: this is the last page.
    pub next: Option<Seq>,
}

impl LogPage {
    /// The newest place that the page knows of, readable or not; 0 if it knows none.
    #[must_use]
    pub fn last(&self) -> Seq {
        let read = self.records.last().map_or(Seq(0), |record| record.seq);
        self.unreadable.iter().map(|lost| lost.span.last).fold(read, Seq::max)
    }

    /// A last page without damage.
    #[must_use]
    pub fn whole(records: Vec<Record>) -> Self {
        Self { records, ..Self::default() }
    }
}

/// Records that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Their places.
    pub span: Span,
    /// What is wrong with them.
    pub why: String,
}

impl Unreadable {
    /// One record.
    #[must_use]
    pub fn one(seq: Seq, why: impl Into<String>) -> Self {
        Self { span: Span::one(seq), why: why.into() }
    }

    /// All records from `first` to `last`.
    #[must_use]
    pub fn all(first: Seq, last: Seq, why: impl Into<String>) -> Self {
        Self { span: Span { first, last }, why: why.into() }
    }
}

impl Display for Unreadable {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Span { first, last } = self.span;
        match first == last {
            true => write!(formatter, "record {first} is lost: {}", self.why),
            false => write!(formatter, "records {first} to {last} are lost: {}", self.why),
        }
    }
}

/// Reads all pages of a log after a place.
///
/// # Errors
/// [`LogError`] if the log cannot be read. Damaged records are no error: they are listed in the result.
pub async fn read_all(
    log: &dyn MessageLog,
    session: &SessionId,
    after: Seq,
    part: Part,
) -> Result<LogPage, LogError> {
    let mut all = LogPage::default();
    let mut pages = Pages::new(log, session, part).behind(after);
    while let Some(page) = pages.next().await? {
        all.records.extend(page.records);
        all.unreadable.extend(page.unreadable);
    }
    all.unreadable = merged(all.unreadable);
    Ok(all)
}

/// Joins places that meet or overlap and are lost for the same reason, in order.
#[must_use]
pub fn merged(mut unreadable: Vec<Unreadable>) -> Vec<Unreadable> {
    unreadable.sort_by_key(|lost| lost.span.first);
    let mut merged: Vec<Unreadable> = Vec::new();
    for lost in unreadable {
        match merged.last_mut() {
            Some(before) if before.why == lost.why && lost.span.first <= before.span.last.next() => {
                before.span.last = before.span.last.max(lost.span.last);
            }
            _ => merged.push(lost),
        }
    }
    merged
}

/// Stores the records of sessions, permanently and in order.
///
/// # Contract
/// - [`append`](MessageLog::append) MUST keep all of the records or none. Once it has answered, they MUST be
///   there after the process is killed.
/// - Records MUST continue the log: the first one's place is the one after [`last`](MessageLog::last), the
///   others follow without a gap. Anything else is [`LogError::Conflict`], and nothing is kept.
/// - Appending records again that are already there with the same content MUST succeed and change nothing: the
///   caller whose first try was cut off cannot know whether it was kept.
/// - An append of no records MUST succeed.
/// - [`read_page`](MessageLog::read_page) MUST return the records in order of place. A record MUST come back equal to
///   what was appended, whatever characters it holds. A page may end before the log does; then it says where the next
///   one begins, which MUST be a later place than the one that was given.
/// - A record that cannot be read MUST NOT prevent others from being read. Its place MUST be listed as unreadable, if it
///   was asked for or if it is unknown what the record was. Records that are missing at the end of the log MUST be listed
///   on the last page, wherever the page begins.
/// - [`redact`](MessageLog::redact) MUST replace the records that have these numbers, all or none, and MUST leave no
///   byte of the old ones in any file of the log. If bytes may be left, it MUST fail. A number that the log does not have is
///   [`LogError::Conflict`].
/// - Sessions MUST NOT see each other's records.
///
/// # When it fails
/// The records stay in the caller's memory. The caller retries at the next turn and reports that nothing is stored.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait MessageLog: Debug + Send + Sync {
    /// Appends records in one transaction.
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError>;

    /// Reads a page of the records after a place (which is not included itself), oldest first. See [`read_all`].
    async fn read_page(&self, session: &SessionId, after: Seq, part: Part) -> Result<LogPage, LogError>;

    /// Place of the newest record that was appended, even if it is lost; 0 without one.
    async fn last(&self, session: &SessionId) -> Result<Seq, LogError>;

    /// The newest record of a kind, by the name that
    /// [`RecordBody::kind`](throughline_conversation::RecordBody::kind) gives.
    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError>;

    /// Replaces records permanently, because their content is deleted.
    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError>;
}

const _: Option<&dyn MessageLog> = None;

/// Why the log did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// There is no such session. Create it first.
    #[error("there is no session {0}")]
    NoSession(SessionId),
    /// The records do not continue the log. Another process has written, or a record was left out.
    #[error("the log continues with record {expected}, not with record {found}")]
    Conflict {
        /// The place that must come next.
        expected: Seq,
        /// The place that was given.
        found: Seq,
    },
    /// A record cannot be read. The others can.
    #[error("record {seq} of the log is damaged: {why}; `throughline recover` saves what can be read")]
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

#[cfg(test)]
mod tests;
