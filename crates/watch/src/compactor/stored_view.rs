//! What the next compaction of a conversation continues: the view that this one has answered with.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use throughline_continuity::Snapshot;
use throughline_conversation::{Message, ResultRef, SessionId};
use throughline_replay::ClaudePlace;
use throughline_resultstore::StoredResult;
use throughline_stored::{Attempt as _, COMPACTED_VIEW, Storage, now};

use super::view::CompactedView;
use crate::failure::Result;
use crate::import::{ConversationEnd, StoredEnd};

/// A view that was made.
#[derive(Debug)]
pub(crate) struct MadeView {
    pub(crate) shown: CompactedView,
    /// What the next compaction continues. `None`: it reads everything.
    pub(crate) to: Option<CompactedTo>,
    /// The whole transcript was read.
    pub(crate) is_whole: bool,
}

/// How far a conversation was compacted. It has names and fingerprints; the view is a stored result of the session, which
/// is encrypted where the settings say so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CompactedTo {
    pub(crate) place: ClaudePlace,
    pub(crate) end: ConversationEnd,
    /// Where the session that stores the transcript ends. `None`: it has no transcript of its own, as that of a subagent.
    pub(crate) stored: Option<StoredEnd>,
    pub(crate) view: ResultRef,
}

impl CompactedTo {
    /// The session that has the view and what has left it. `None`: it has no transcript of its own.
    pub(crate) fn session(&self) -> Option<&SessionId> {
        self.stored.as_ref().map(StoredEnd::session)
    }
}

/// The view of a conversation behind a compaction.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredView<'v> {
    /// The first message of the conversation.
    pub(crate) first: Cow<'v, Message>,
    pub(crate) snapshot: Snapshot,
}

impl StoredView<'_> {
    /// The same without a borrow.
    pub(crate) fn into_owned(self) -> StoredView<'static> {
        StoredView { first: Cow::Owned(self.first.into_owned()), snapshot: self.snapshot }
    }

    /// Stores it in place of that of the compaction before.
    ///
    /// # Errors
    /// The storage failed.
    pub(crate) async fn store(
        &self,
        storage: &Storage,
        session: &SessionId,
        before: Option<(&SessionId, &ResultRef)>,
    ) -> Result<ResultRef> {
        let content = serde_json::to_vec(self).attempt(|| "the view has no form as JSON".to_owned())?;
        let id = ResultRef::of(session, &content);
        let (own, tool) = (session.clone(), COMPACTED_VIEW.to_owned());
        let results = storage.results();
        let stored = StoredResult { session: own, id: id.clone(), tool, content, at: now() };
        results.put(&stored).await.map_err(throughline_stored::Error::from)?;
        if let Some((session, before)) = before.filter(|before| *before != (session, &id)) {
            results.remove(session, before).await.map_err(throughline_stored::Error::from)?;
        }
        Ok(id)
    }

    /// The stored one. `None`: it is gone, or of another version.
    ///
    /// # Errors
    /// The storage failed.
    pub(crate) async fn load(storage: &Storage, session: &SessionId, id: &ResultRef) -> Result<Option<Self>> {
        let found = storage.results().get(session, id).await.map_err(throughline_stored::Error::from)?;
        Ok(found.and_then(|found| serde_json::from_slice(&found.content).ok()))
    }
}
