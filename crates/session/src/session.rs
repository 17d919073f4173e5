//! An open session.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use throughline_agent::{Agent, Deletion, Event, EventSink, TurnOutcome};
use throughline_config::SessionSettings;
use throughline_connect::{ConnectError, CostMeter, model_table};
use throughline_continuity::SessionInfo;
use throughline_conversation::{
    CacheTtl, CheckpointRecord, ContentBlock, ExchangeId, Message, Origin, SessionId,
};
use throughline_permission::Permissions;
use throughline_store::SessionLock;
use throughline_stored::{Result, SessionHandle, SessionReport, SessionWriter, Storage};
use throughline_tools::{CancelFlag, Jobs, ToolRegistry};

use crate::agents::background::BackgroundAgents;
use crate::answer_sink::AnswerSink;
use crate::call_layers::CallLayers;
use crate::ending::RunEnding;
use crate::instructions::Instructions;
use crate::result::RunResult;
use crate::servers::Servers;
use crate::tally::RunTally;
use crate::user::{User, UserSink};

/// An open session. While it lives, no other process writes to it. Every turn is stored when it ends; closing saves a
/// snapshot, so that the next start is quick.
#[derive(Debug)]
pub struct Session {
    /// The agent that works in it.
    pub agent: Agent,
    /// Its entry in the list of sessions.
    pub info: SessionInfo,
    /// The newest checkpoint, if a task is resumed from it.
    pub checkpoint: Option<CheckpointRecord>,
    /// What the user should know about how it was opened.
    pub notices: Vec<String>,
    /// Decide about its tool calls; their mode may be changed at any time.
    pub permissions: Arc<Permissions>,
    /// Its rules and skills.
    pub instructions: Instructions,
    /// Its policy and the overrides.
    pub settings: SessionSettings,
    /// Its background commands. They end when the session and all clones of this are dropped.
    pub jobs: Jobs,
    /// Its sub-agents in the background. They end when the session is closed.
    pub agents: BackgroundAgents,
    /// `None`: it takes no tools of servers.
    pub(crate) base_tools: Option<ToolRegistry>,
    /// What stands around every call.
    pub(crate) around: CallLayers,
    pub(crate) servers: Arc<Servers>,
    pub(crate) owns_servers: bool,
    pub(crate) user: Arc<dyn User>,
    pub(crate) storage: Storage,
    pub(crate) workspace: PathBuf,
    pub(crate) ttl: CacheTtl,
    pub(crate) is_new: bool,
    /// Requests of the session before it was opened.
    pub(crate) asked: u64,
    /// `None` only while it is opened.
    pub(crate) lock: Option<SessionLock>,
}

impl Session {
    pub(crate) fn locked(self, lock: SessionLock) -> Self {
        Self { lock: Some(lock), ..self }
    }

    /// The id, by which the session is resumed.
    #[must_use]
    pub fn id(&self) -> &SessionId {
        &self.info.id
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
        let sink = UserSink(Arc::clone(&self.user));
        self.begin_turn(&sink, cancel).await;
        let message = self.noted(message).await?;
        Ok(Reply(self.agent.turn(message, &sink, cancel).await?))
    }

    /// What fills the window, what the next compaction would remove, and what the session has cost.
    ///
    /// # Errors
    /// The log or the table of models cannot be read.
    pub async fn report(&mut self) -> Result<SessionReport> {
        let (handle, sink) = (self.handle(), UserSink(Arc::clone(&self.user)));
        handle.report(&SessionWriter::Agent(&mut self.agent, &sink)).await
    }

    /// This session for everything that is not offered here: documents, checkpoints, the handoff, undo and redo.
    #[must_use]
    pub fn handle(&self) -> SessionHandle {
        SessionHandle::new(self.storage.clone(), self.id().clone())
    }

    /// Deletes a turn permanently; see [`SessionHandle::delete_turn`]. Turns are counted from 1.
    ///
    /// # Errors
    /// The session has no such turn, or the storage failed.
    pub async fn delete_turn(&mut self, turn: u64) -> Result<Deletion> {
        let (handle, sink) = (self.handle(), UserSink(Arc::clone(&self.user)));
        let mut writer = SessionWriter::Agent(&mut self.agent, &sink);
        handle.delete_turn(&mut writer, ExchangeId(turn)).await
    }

    /// The first object of the stream.
    #[must_use]
    pub fn object(&self) -> Value {
        let model = self.agent.model();
        json!({
            "type": "session",
            "session": self.agent.session(),
            "provider": model.provider,
            "model": model.name,
            "window": model.window,
        })
    }

    /// An empty tally, with the prices of the model.
    ///
    /// # Errors
    /// The user's corrections of the table of models cannot be used.
    pub fn tally(&self) -> Result<RunTally> {
        let model = self.agent.model();
        let table = model_table().map_err(ConnectError::from)?;
        let mut meter = CostMeter::new(table, Origin::new(&model.provider, &model.name));
        meter.set_cache_ttl(self.ttl);
        Ok(RunTally::new(meter))
    }

    /// Runs one turn. `None`: continues the one that was interrupted. Raising the flag stops it.
    ///
    /// # Errors
    /// The log cannot be read. What goes wrong in the turn is in its ending.
    pub async fn turn(
        &mut self,
        prompt: Option<String>,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<RunEnding> {
        match prompt {
            Some(text) => self.message_turn(Message::user(text), sink, cancel).await,
            None => {
                self.begin_turn(sink, cancel).await;
                let outcome = self.agent.continue_turn(&AnswerSink::new(sink), cancel).await;
                Ok(RunEnding::of_turn(outcome))
            }
        }
    }

    /// Runs one turn on this message of the user. Raising the flag stops it.
    ///
    /// # Errors
    /// The log cannot be read. What goes wrong in the turn is in its ending.
    pub async fn message_turn(
        &mut self,
        message: Message,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<RunEnding> {
        self.begin_turn(sink, cancel).await;
        let message = self.noted(message).await?;
        let outcome = self.agent.turn(message, &AnswerSink::new(sink), cancel).await;
        Ok(RunEnding::of_turn(outcome.map(Some)))
    }

    /// The message, with a notice if files still have the changes of turns that were undone.
    async fn noted(&self, mut message: Message) -> Result<Message> {
        let Some(notice) = self.handle().kept_files_notice(&self.agent, &self.workspace).await? else {
            return Ok(message);
        };
        match message.content.first_mut() {
            Some(ContentBlock::Text { text }) => text.push_str(&format!("\n\n{notice}")),
            _ => message.content.insert(0, ContentBlock::Text { text: notice }),
        }
        Ok(message)
    }

    /// Saves a snapshot, ends the MCP servers that it has started, and gives the lock back. A new session without a message is
    /// removed. Returns the session if it stays.
    ///
    /// # Errors
    /// The session cannot be removed.
    pub async fn close(self) -> Result<Option<SessionId>> {
        let sink = UserSink(Arc::clone(&self.user));
        self.close_with(&sink).await
    }

    /// The same, with the events of closing in a sink of the caller.
    ///
    /// # Errors
    /// The session cannot be removed.
    pub async fn close_with(self, sink: &dyn EventSink) -> Result<Option<SessionId>> {
        let is_unused = self.is_new && self.agent.exchange() == 0;
        let ended = self.end(sink).await;
        let session = ended.session.clone();
        ended.give_back(!is_unused).await?;
        Ok((!is_unused).then_some(session))
    }

    /// Closes the session at the end of a run, and gives the run's result. A new session in which no model was asked is removed
    /// if the run failed. `tally` is called when the events of closing are in the sink.
    ///
    /// # Errors
    /// The session cannot be removed.
    pub async fn finish(
        self,
        ending: RunEnding,
        sink: &dyn EventSink,
        tally: impl FnOnce() -> RunTally,
    ) -> Result<RunResult> {
        let (model, storage) = (self.agent.model().clone(), self.storage.clone());
        let is_asked = !self.is_new || self.agent.requests() > self.asked;
        let ended = self.end(sink).await;
        let (session, tally) = (ended.session.clone(), tally());
        let ending = ending.checked(&session, &tally, &storage);
        let stays = is_asked || ending.kind != "failed";
        ended.give_back(stays).await?;
        Ok(RunResult { ending, session: stays.then_some(session), model, tally, task: None })
    }

    async fn end(self, sink: &dyn EventSink) -> EndedSession {
        let Self { agent, agents, servers, owns_servers, lock, storage, info, around, .. } = self;
        agents.close().await;
        if let Some(hooks) = &around.hooks {
            hooks.end().await;
            hooks.take_notices().into_iter().for_each(|text| sink.emit(Event::Notice(text)));
        }
        agent.close(sink).await;
        if owns_servers {
            servers.close().await;
        }
        EndedSession { session: info.id, lock, storage }
    }
}

/// A session without an agent, whose lock is still held.
struct EndedSession {
    session: SessionId,
    lock: Option<SessionLock>,
    storage: Storage,
}

impl EndedSession {
    /// Gives the lock back, or removes the session with it.
    async fn give_back(self, stays: bool) -> Result<()> {
        match self.lock {
            Some(lock) if stays => lock.give_back().await,
            Some(lock) => self.storage.discard(&self.session, lock).await?,
            None => {}
        }
        Ok(())
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
