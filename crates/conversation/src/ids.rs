//! Identifiers: of sessions, records, exchanges and stored results.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use throughline_text::hexadecimal;

/// Milliseconds since the Unix epoch, UTC. Callers pass it in: nothing in this crate reads a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub i64);

/// Name of a session: 1 to 64 ASCII letters, digits, `-` or `_`.
///
/// The form is this narrow because the name becomes part of file names and of paths that users type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SessionId(String);

/// A text that is not a session id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("session id {0:?} is not 1 to 64 ASCII letters, digits, '-' or '_'")]
pub struct SessionIdError(String);

impl SessionId {
    /// Parses a session id.
    ///
    /// # Errors
    /// [`SessionIdError`] if the text has another form.
    pub fn new(text: impl Into<String>) -> Result<Self, SessionIdError> {
        let text = text.into();
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        if text.is_empty() || text.len() > 64 || !text.bytes().all(plain) {
            return Err(SessionIdError(text));
        }
        Ok(Self(text))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SessionId {
    type Error = SessionIdError;

    fn try_from(text: String) -> Result<Self, SessionIdError> {
        Self::new(text)
    }
}

impl From<SessionId> for String {
    fn from(id: SessionId) -> Self {
        id.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Place of a record in its session's log. The first record has 1; numbers have no gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The place after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Number of an exchange within its session: a user message and everything until the next one. Starts at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExchangeId(pub u64);

impl ExchangeId {
    /// The exchange after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for ExchangeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A range of the log, both ends included. Invariant: `first <= last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First record.
    pub first: Seq,
    /// Last record.
    pub last: Seq,
}

impl Span {
    /// The range of one record.
    #[must_use]
    pub fn one(seq: Seq) -> Self {
        Self { first: seq, last: seq }
    }

    /// The number of its places.
    #[must_use]
    pub fn records(self) -> u64 {
        self.last.0.saturating_sub(self.first.0) + 1
    }

    /// Returns true if all of `other` is inside this range.
    #[must_use]
    pub fn holds(self, other: Self) -> bool {
        self.first <= other.first && other.last <= self.last
    }

    /// Returns true if the two ranges overlap.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// Name under which a tool result's exact bytes are kept: `r-` and 16 hexadecimal digits.
///
/// It is made from the session and the content, so equal content within a session is kept once, and a name
/// from another session finds nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ResultRef(String);

impl ResultRef {
    /// The name of `content` in `session`.
    #[must_use]
    pub fn of(session: &SessionId, content: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update(session.as_str().as_bytes());
        hash.update([0]);
        hash.update(content);
        Self(format!("r-{}", hexadecimal(hash.finalize().iter().take(8))))
    }

    /// Takes a text that a model or a person wrote as a name. Any text is allowed: a wrong one finds nothing.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ResultRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
