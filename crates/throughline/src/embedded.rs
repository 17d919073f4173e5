//! A session as an embedder uses it.

use std::sync::Arc;

use throughline_agent::{Agent, Deletion, EventSink, TurnOutcome};
use throughline_conversation::{ExchangeId, Message, SessionId};
use throughline_tools::CancelFlag;

use crate::session::OpenedSession;
use throughline_stored::Result;
use throughline_stored::SessionReport;
use throughline_stored::Storage;
use throughline_stored::{SessionHandle, SessionWriter};

/// An open session. Every turn is stored when it ends; [`close`](Self::close) saves a snapshot, so that the next start is
/// quick.
pub struct Session {
    opened: OpenedSession,
    storage: Storage,
    events: Arc<dyn EventSink>,
}

impl Session {
    pub(crate) fn new(opened: OpenedSession, storage: Storage, events: Arc<dyn EventSink>) -> Self {
        Self { opened, storage, events }
    }

    /// Sends a message of the user and works until the model ends its turn.
    ///
    /// # Errors
    /// [`Error::Turn`](throughline_stored::Error::Turn); the message is stored, unless it alone does not fit the window.
    pub async fn send(&mut self, text: impl Into<String>) -> Result<Reply> {
        self.send_message(Message::user(text), &CancelFlag::new()).await
    }

    /// Sends a message, which may have pictures. Raising the flag stops the turn.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn send_message(&mut self, message: Message, cancel: &CancelFlag) -> Result<Reply> {
        Ok(Reply(self.opened.agent.turn(message, self.events.as_ref(), cancel).await?))
    }

    /// The id, by which the session is resumed.
    #[must_use]
    pub fn id(&self) -> &SessionId {
        &self.opened.info.id
    }

    /// What the user should know about how the session was opened.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.opened.notices
    }

    /// What fills the window, what the next compaction would remove, and what the session has cost.
    ///
    /// # Errors
    /// The log or the table of models cannot be read.
    pub async fn report(&mut self) -> Result<SessionReport> {
        let handle = self.handle();
        let writer = SessionWriter::Agent(&mut self.opened.agent, self.events.as_ref());
        handle.report(&writer).await
    }

    /// This session for everything that is not offered here: documents, checkpoints, the handoff, undo and redo.
    #[must_use]
    pub fn handle(&self) -> SessionHandle {
        SessionHandle::new(self.storage.clone(), self.id().clone())
    }

    /// The agent, for what is not offered here: compaction, another model, a limit of requests.
    pub fn agent(&mut self) -> &mut Agent {
        &mut self.opened.agent
    }

    /// Deletes a turn permanently; see [`SessionHandle::delete_turn`]. Turns are counted from 1.
    ///
    /// # Errors
    /// The session has no such turn, or the storage failed.
    pub async fn delete_turn(&mut self, turn: u64) -> Result<Deletion> {
        let handle = self.handle();
        let events = Arc::clone(&self.events);
        let mut writer = SessionWriter::Agent(&mut self.opened.agent, events.as_ref());
        handle.delete_turn(&mut writer, ExchangeId(turn)).await
    }

    /// Saves a snapshot, ends the MCP servers and gives the session's lock back.
    pub async fn close(self) {
        let OpenedSession { agent, servers, lock, .. } = self.opened;
        agent.close(self.events.as_ref()).await;
        servers.close().await;
        lock.give_back().await;
    }
}

/// The model's answer to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply(TurnOutcome);

impl Reply {
    /// The model's last text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// How the turn ended: its stop reason, and the requests of the session so far.
    #[must_use]
    pub fn outcome(&self) -> &TurnOutcome {
        &self.0
    }
}
