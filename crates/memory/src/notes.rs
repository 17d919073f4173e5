//! The port to the storage of memos.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::{ExchangeId, SessionId};

use crate::memo::{Memo, MemoDraft};
use crate::memo_id::MemoId;
use crate::scope::Scope;

/// Which memos are listed. All conditions hold at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoFilter {
    /// Whose.
    pub scope: Scope,
    /// Only the one of this name.
    pub id: Option<MemoId>,
    /// Only those that have at least one of these tags, in their one form. Empty: tags do not matter.
    pub tags: Vec<String>,
    /// The most memos to return.
    pub limit: usize,
}

impl MemoFilter {
    /// All memos of a scope.
    #[must_use]
    pub fn of(scope: Scope) -> Self {
        Self { scope, id: None, tags: Vec::new(), limit: usize::MAX }
    }

    /// The memo of one name, whosever it is.
    #[must_use]
    pub fn named(id: MemoId) -> Self {
        Self { id: Some(id), ..Self::of(Scope::All) }
    }
}

/// The outcome of saving a memo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The memo as stored now.
    pub memo: Memo,
    /// Whether it is new. If not, a memo of equal content was there.
    pub new: bool,
}

/// Which memos are removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// The one of this name.
    Memo(MemoId),
    /// Those that an exchange wrote.
    Exchange(SessionId, ExchangeId),
    /// Those that a session wrote.
    Session(SessionId),
}

impl Removal {
    /// Returns true if the filter selects this memo.
    #[must_use]
    pub fn takes(&self, memo: &Memo) -> bool {
        match self {
            Self::Memo(id) => memo.id == *id,
            Self::Exchange(session, exchange) => {
                memo.session.as_ref() == Some(session) && memo.exchange == Some(*exchange)
            }
            Self::Session(session) => memo.session.as_ref() == Some(session),
        }
    }
}

/// Why memos or the index of files cannot be stored or found.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    /// There is no memo of this name.
    #[error("there is no memo {0}")]
    Unknown(MemoId),
    /// Another memo has the same content.
    #[error("memo {0} says the same already")]
    Taken(MemoId),
    /// Nothing can be written now, while reading may still work.
    #[error("nothing can be remembered now: {0}")]
    Full(String),
    /// Anything else.
    #[error("the memory did not answer")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Keeps memos beyond sessions.
///
/// # Contract
/// - [`save`](NoteRepository::save) MUST NOT keep equal content twice for one workspace: it gives back the memo that
///   is there, with the new tags added ([`crate::merged_tags`]) and, if that added one, a new time of change. Its
///   origin and its name stay.
/// - `save` MUST give a new memo the first free name of [`MemoDraft::names`].
/// - [`update`](NoteRepository::update) MUST replace content, tags and time of change of the named memo and nothing
///   else. It fails with [`NoteError::Unknown`], or with [`NoteError::Taken`] when another memo of the same workspace
///   says the same; then nothing is changed.
/// - [`list`](NoteRepository::list) MUST give the one changed last first, and those of one time by name.
/// - [`remove`](NoteRepository::remove) MUST remove what it says from every place, the index of searches too, and
///   gives the names. A memo belongs to the exchange that wrote it first.
/// - Several processes MAY do all of this at once; each call is all or nothing.
///
/// # When it fails
/// A tool returns the error to the model; recall returns nothing, and the turn's outcome says so.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait NoteRepository: Debug + Send + Sync {
    /// Keeps a memo.
    async fn save(&self, draft: &MemoDraft) -> Result<Saved, NoteError>;

    /// Replaces content and tags of a memo. The draft's origin is ignored.
    async fn update(&self, id: &MemoId, draft: &MemoDraft) -> Result<Memo, NoteError>;

    /// The memos that the filter lets through.
    async fn list(&self, filter: &MemoFilter) -> Result<Vec<Memo>, NoteError>;

    /// Removes memos and returns their names.
    async fn remove(&self, removal: &Removal) -> Result<Vec<MemoId>, NoteError>;
}

const _: Option<&dyn NoteRepository> = None;
