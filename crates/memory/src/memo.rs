//! Memos: short notes that outlive the session that wrote them.

use serde::{Deserialize, Serialize};
use throughline_conversation::{ExchangeId, Millis, SessionId};
use throughline_text::sanitized;

use crate::error::MemoryError;
use crate::memo_id::MemoId;
use crate::tags::normalised_tags;

/// Maximum bytes of a memo's content.
pub(crate) const MAX_CONTENT: usize = 4_000;

/// A stored memo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memo {
    /// Its name.
    pub id: MemoId,
    /// Its content. Not empty, up to 4,000 bytes.
    pub content: String,
    /// Its tags, each in its one form ([`crate::normalised_tags`]).
    pub tags: Vec<String>,
    /// The folder that it is about; `None`: it is about none in particular, and every session finds it.
    pub workspace: Option<String>,
    /// The session that wrote it. It may be gone.
    pub session: Option<SessionId>,
    /// The exchange of that session.
    pub exchange: Option<ExchangeId>,
    /// When it was written first.
    pub created: Millis,
    /// When it was changed last.
    pub updated: Millis,
}

/// Where a memo comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoOrigin {
    /// The folder that it is about.
    pub workspace: Option<String>,
    /// The session that writes it.
    pub session: Option<SessionId>,
    /// The exchange of that session.
    pub exchange: Option<ExchangeId>,
}

/// A valid memo that is not stored yet: [`MemoDraft::new`] has checked it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoDraft {
    /// Its content.
    pub content: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Where it comes from.
    pub origin: MemoOrigin,
    /// When it is written.
    pub at: Millis,
}

impl MemoDraft {
    /// Checks a text as a memo, after removing invisible characters and surrounding white space.
    ///
    /// # Errors
    /// [`MemoryError`] if it is empty or too long, or has too many tags or a bad one.
    pub fn new<S: AsRef<str>>(
        content: &str,
        tags: &[S],
        origin: MemoOrigin,
        at: Millis,
    ) -> Result<Self, MemoryError> {
        let content = sanitized(content).trim().to_owned();
        if content.is_empty() {
            return Err(MemoryError::Empty);
        }
        if content.len() > MAX_CONTENT {
            return Err(MemoryError::TooLong { bytes: content.len() });
        }
        let tags = normalised_tags(tags)?;
        let workspace = origin.workspace.filter(|workspace| !workspace.is_empty());
        Ok(Self { content, tags, origin: MemoOrigin { workspace, ..origin }, at })
    }

    /// The memo under a name.
    #[must_use]
    pub fn named(&self, id: MemoId) -> Memo {
        Memo {
            id,
            content: self.content.clone(),
            tags: self.tags.clone(),
            workspace: self.origin.workspace.clone(),
            session: self.origin.session.clone(),
            exchange: self.origin.exchange,
            created: self.at,
            updated: self.at,
        }
    }

    /// The names that it may take, in order ([`MemoId::candidates`]).
    pub fn names(&self) -> impl Iterator<Item = MemoId> + use<> {
        MemoId::candidates(self.origin.workspace.as_deref(), &self.content)
    }
}

#[cfg(test)]
mod tests;
