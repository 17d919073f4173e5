//! The store of one session: what goes in, what the model sees, what comes back.

use std::collections::BTreeSet;
use std::sync::Arc;

use throughline_conversation::{Image, Millis, OffloadReceipt, ResultRef, SessionId};

use crate::byte_note::byte_note;
use crate::page::ResultPage;
use crate::policy::{OffloadPolicy, ResultKind};
use crate::preview::{bounded, message_preview, preview};
use crate::repository::{ResultInfo, ResultRepository, StoreError, StoredResult};
use crate::request::{ReadError, ReadRequest};

/// The name under which messages of the user are stored, where results have their tool.
const MESSAGE: &str = "user message";

/// Stores large results of one session and reads them back.
#[derive(Debug, Clone)]
pub struct ResultStore {
    repository: Arc<dyn ResultRepository>,
    session: SessionId,
    policy: OffloadPolicy,
    exempt: BTreeSet<String>,
}

/// A tool result as the conversation takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ingested {
    /// What the model sees: the whole result, or the preview of a stored one.
    pub text: String,
    /// What was stored, when something was.
    pub offloaded: Option<OffloadReceipt>,
}

/// A stored result as a model is shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownResult {
    /// The whole picture.
    Picture(Image),
    /// The part that was asked for.
    Page(ResultPage),
}

impl ResultStore {
    /// A store for a session.
    ///
    /// `exempt` names the tools whose results always stay inline: those that read stored things back. They have
    /// limits of their own, and storing their output again would put it out of reach.
    #[must_use]
    pub fn new(
        repository: Arc<dyn ResultRepository>,
        session: SessionId,
        policy: OffloadPolicy,
        exempt: impl IntoIterator<Item = String>,
    ) -> Self {
        Self { repository, session, policy, exempt: exempt.into_iter().collect() }
    }

    /// The same store with another policy.
    #[must_use]
    pub fn with_policy(&self, policy: OffloadPolicy) -> Self {
        let Self { repository, session, exempt, .. } = self;
        let repository = Arc::clone(repository);
        Self { repository, session: session.clone(), policy, exempt: exempt.clone() }
    }

    /// The policy in use.
    #[must_use]
    pub fn policy(&self) -> &OffloadPolicy {
        &self.policy
    }

    /// Takes a result after its tool ran and before the conversation has it. One over the threshold is stored,
    /// unless its preview would be no shorter than itself.
    ///
    /// The call's id goes to the trace only: the reference depends on the content alone, so equal results of
    /// several calls are stored once, and the log has the call next to the text that names the reference.
    ///
    /// # Errors
    /// [`StoreError`] when the result could not be stored; [`inline_bounded`](Self::inline_bounded) is what the
    /// model may see then.
    pub async fn ingest(
        &self,
        tool: &str,
        call_id: &str,
        bytes: &[u8],
        at: Millis,
    ) -> Result<Ingested, StoreError> {
        self.ingest_as(ResultKind::Other, tool, call_id, bytes, at).await
    }

    /// The same for a result of this kind.
    ///
    /// # Errors
    /// [`StoreError`] when the result could not be stored.
    pub async fn ingest_as(
        &self,
        kind: ResultKind,
        tool: &str,
        call_id: &str,
        bytes: &[u8],
        at: Millis,
    ) -> Result<Ingested, StoreError> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        if text.len() <= self.policy.threshold(kind) || self.exempt.contains(tool) {
            return self.inline(tool, bytes, text, at).await;
        }
        let stored = ResultRef::of(&self.session, bytes);
        let shown = preview(&self.policy, tool, &stored, bytes, &text);
        if shown.len() >= text.len() {
            return self.inline(tool, bytes, text, at).await;
        }
        self.put(tool, stored.clone(), bytes, at).await?;
        tracing::debug!(tool, call_id, %stored, bytes = bytes.len(), shown = shown.len(), "stored a tool result");
        let (size, seen) = (bytes.len() as u64, shown.len() as u64);
        let receipt = OffloadReceipt { stored, tool: tool.to_owned(), bytes: size, shown: seen };
        Ok(Ingested { text: shown, offloaded: Some(receipt) })
    }

    /// Takes a text of the user that is larger than the window. One of more than `room` bytes is stored, and its head and tail
    /// are shown within about that many bytes.
    ///
    /// # Errors
    /// [`StoreError`] when the text could not be stored.
    pub async fn ingest_message(&self, text: &str, room: usize, at: Millis) -> Result<Ingested, StoreError> {
        let bytes = text.as_bytes();
        let stored = ResultRef::of(&self.session, bytes);
        let shown = message_preview(&stored, text, room);
        if text.len() <= room || shown.len() >= text.len() {
            return Ok(Ingested { text: text.to_owned(), offloaded: None });
        }
        self.put(MESSAGE, stored.clone(), bytes, at).await?;
        let (size, seen) = (bytes.len() as u64, shown.len() as u64);
        let receipt = OffloadReceipt { stored, tool: MESSAGE.to_owned(), bytes: size, shown: seen };
        Ok(Ingested { text: shown, offloaded: Some(receipt) })
    }

    /// A result that stays inline. Bytes that are no text would be lost in showing them, so they are kept.
    async fn inline(
        &self,
        tool: &str,
        bytes: &[u8],
        mut text: String,
        at: Millis,
    ) -> Result<Ingested, StoreError> {
        if std::str::from_utf8(bytes).is_err() {
            let stored = self.keep(tool, bytes, at).await?;
            text.push('\n');
            text.push_str(&byte_note(&stored));
        }
        Ok(Ingested { text, offloaded: None })
    }

    /// What the model may see of a result that could not be stored: all of it within the threshold or `room`, whichever is
    /// larger, both in bytes. Of a longer one head and tail, and a line between them that says that the rest is lost.
    #[must_use]
    pub fn inline_bounded(&self, bytes: &[u8], room: usize) -> String {
        let limit = self.policy.threshold_bytes.max(room);
        bounded(bytes, String::from_utf8_lossy(bytes).into_owned(), limit)
    }

    /// Stores bytes of any size and says under which name.
    ///
    /// # Errors
    /// [`StoreError`] when they could not be stored.
    pub async fn keep(&self, tool: &str, bytes: &[u8], at: Millis) -> Result<ResultRef, StoreError> {
        let id = ResultRef::of(&self.session, bytes);
        self.put(tool, id.clone(), bytes, at).await?;
        Ok(id)
    }

    /// A stored result whole; `None` if the session has none of this name.
    ///
    /// # Errors
    /// [`StoreError`] when the repository does not answer.
    pub async fn find(&self, id: &ResultRef) -> Result<Option<StoredResult>, StoreError> {
        self.repository.get(&self.session, id).await
    }

    /// Reads a stored result as a model is shown it: a picture whole, and a part of any other content. `picture` decides
    /// whether a content is a picture that can be shown.
    ///
    /// # Errors
    /// [`ReadError`]: its text tells the model what to do.
    pub async fn read_shown(
        &self,
        request: &ReadRequest,
        picture: impl Fn(&[u8]) -> Option<Image>,
    ) -> Result<ShownResult, ReadError> {
        let result = self.named(request).await?;
        match picture(&result.content) {
            Some(picture) => Ok(ShownResult::Picture(picture)),
            None => Ok(ShownResult::Page(ResultPage::of(&result, request)?)),
        }
    }

    /// Reads a part of a stored result.
    ///
    /// # Errors
    /// [`ReadError`]: its text tells the model what to do.
    pub async fn read(&self, request: &ReadRequest) -> Result<ResultPage, ReadError> {
        ResultPage::of(&self.named(request).await?, request)
    }

    async fn named(&self, request: &ReadRequest) -> Result<StoredResult, ReadError> {
        let found = self.find(&request.ref_id).await?;
        found.ok_or_else(|| ReadError::NotFound(request.ref_id.clone()))
    }

    /// What the session has stored, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] when the repository does not answer.
    pub async fn list(&self) -> Result<Vec<ResultInfo>, StoreError> {
        self.repository.list(&self.session).await
    }

    async fn put(&self, tool: &str, id: ResultRef, bytes: &[u8], at: Millis) -> Result<(), StoreError> {
        let session = self.session.clone();
        let content = bytes.to_vec();
        self.repository.put(&StoredResult { session, id, tool: tool.to_owned(), content, at }).await
    }
}

#[cfg(test)]
mod tests;
