//! A session that a run works in, from its opening to its result.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use throughline_agent::{Agent, EventSink, SwitchError};
use throughline_completion::ModelInfo;
use throughline_conversation::{CacheTtl, CheckpointRecord, ContentBlock, Message, Origin, SessionId};
use throughline_permission::Permissions;
use throughline_store::SessionLock;
use throughline_tools::CancelFlag;

use super::ending::RunEnding;
use super::models::RunModels;
use super::result::RunResult;
use super::tally::RunTally;
use super::user::RunUser;
use crate::permissions::{Attendance, permissions};
use crate::servers::Servers;
use crate::session::{OpenedSession, Opening, open};
use crate::tools::ToolSet;
use throughline_config::{Config, SessionSettings};
use throughline_connect::{CacheLifetime, ConnectError, ConnectedModel, CostMeter, model_table};
use throughline_stored::SessionHandle;
use throughline_stored::Storage;
use throughline_stored::{Attempt as _, Result};
use throughline_stored::{SessionStart, settings_for};

/// What the session of a run is opened with.
#[derive(Debug)]
pub struct RunOpening<'a> {
    /// The settings of the workspace.
    pub config: &'a Config,
    /// Where the session is stored.
    pub storage: &'a Storage,
    /// The folder that the tools work in.
    pub workspace: &'a Path,
    /// The models.
    pub models: &'a RunModels,
    /// Who it works for.
    pub user: RunUser<'a>,
    /// The session.
    pub start: SessionStart,
    /// The word that a new session's id begins with.
    pub id_prefix: &'a str,
    /// Title of a new session.
    pub title: &'a str,
    /// The session works on a task.
    pub is_task: bool,
}

/// The open session of a run.
#[derive(Debug)]
pub struct OpenRun {
    /// The agent that works in it.
    pub agent: Agent,
    /// The newest checkpoint, if a task is resumed from it.
    pub checkpoint: Option<CheckpointRecord>,
    /// What the user should know about how it was opened.
    pub notices: Vec<String>,
    /// Decide about its tool calls; their mode may be changed at any time.
    pub permissions: Arc<Permissions>,
    lock: SessionLock,
    servers: Arc<Servers>,
    storage: Storage,
    workspace: PathBuf,
    settings: SessionSettings,
    ttl: CacheTtl,
    is_new: bool,
    /// Requests of the session before the run.
    asked: u64,
}

/// A run that is closed; its result is still to be made.
#[derive(Debug)]
pub struct ClosedRun {
    session: SessionId,
    model: ModelInfo,
    lock: SessionLock,
    storage: Storage,
    /// No session is left without a request.
    is_kept: bool,
    /// A new session without a message.
    is_unused: bool,
}

/// Opens the session of a run. What the permissions ask goes to the approver of its user.
///
/// # Errors
/// As for [`open`].
pub async fn open_run(opening: RunOpening<'_>) -> Result<OpenRun> {
    let RunOpening { config, storage, workspace, models, start, .. } = opening;
    let options = &models.options;
    let data = storage.folder.root();
    let RunUser { approver, attendance, observer, servers } = opening.user;
    let permissions = Arc::new(permissions(config, data, workspace, attendance).await?);
    // Also with a user, a session begins with all its tools: a later change makes the prompt cache cold.
    let servers = Arc::new(Servers::with(config, data, workspace, Attendance::Unattended, servers));
    let mut notices = match options.tools {
        ToolSet::All => servers.start().await,
        _ => Vec::new(),
    };
    let settings = settings_for(storage, &SessionSettings::of(&config.resolved), &start).await?;
    let own = options.model.completed(&config.resolved);
    let (fallbacks, left_out) =
        models.connected.fallbacks(&own, &models.fallbacks, &settings, options.max_output_tokens).await;
    notices.extend(left_out);
    let is_new = start.is_new();
    let opened = open(Opening {
        config,
        settings: &settings,
        storage,
        workspace,
        model: models.connected.next(&settings, options.max_output_tokens),
        fallbacks,
        permissions: Arc::clone(&permissions),
        approver,
        servers,
        tools: options.tools,
        observer: observer.unwrap_or(&|tools| Ok(tools.clone())),
        start,
        id_prefix: opening.id_prefix,
        title: opening.title,
        is_task: opening.is_task,
        max_requests: options.max_requests,
        attendance,
        listeners: options.listeners.clone(),
    })
    .await?;
    let OpenedSession { agent, lock, checkpoint, servers, notices: own, .. } = opened;
    notices.extend(own);
    let (asked, ttl) = (agent.requests(), CacheLifetime::paid(&config.resolved));
    let (storage, workspace) = (storage.clone(), workspace.to_owned());
    Ok(OpenRun {
        agent,
        checkpoint,
        notices,
        permissions,
        lock,
        servers,
        storage,
        workspace,
        settings,
        ttl,
        is_new,
        asked,
    })
}

impl OpenRun {
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
            None => Ok(RunEnding::of_turn(self.agent.continue_turn(sink, cancel).await)),
        }
    }

    /// Runs one turn on this message of the user. Raising the flag stops it.
    ///
    /// # Errors
    /// The log cannot be read. What goes wrong in the turn is in its ending.
    pub async fn message_turn(
        &mut self,
        mut message: Message,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<RunEnding> {
        if let Some(notice) = self.kept_files().await? {
            match message.content.first_mut() {
                Some(ContentBlock::Text { text }) => text.push_str(&format!("\n\n{notice}")),
                _ => message.content.insert(0, ContentBlock::Text { text: notice }),
            }
        }
        Ok(RunEnding::of_turn(self.agent.turn(message, sink, cancel).await.map(Some)))
    }

    /// A notice for the next message if files still have the changes of turns that were undone.
    async fn kept_files(&self) -> Result<Option<String>> {
        let handle = SessionHandle::new(self.storage.clone(), self.agent.session().clone());
        handle.kept_files_notice(&self.agent, &self.workspace).await
    }

    /// Switches to another model, as `provider/model`, that is reached as the options and the settings say. Raising the flag
    /// stops it.
    ///
    /// # Errors
    /// The model cannot be asked, or the session cannot be made to fit its window. Then the model stays.
    pub async fn switch_model(
        &mut self,
        name: &str,
        models: &RunModels,
        config: &Config,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<()> {
        let choice = models.options.model.completed(&config.resolved).with_model(name);
        let connected = tokio::select! {
            connected = ConnectedModel::connect(&choice) => connected?,
            () = cancel.cancelled() => return Err(SwitchError::Stopped).attempt(|| not_switched(name)),
        };
        let next = connected.next(&self.settings, models.options.max_output_tokens);
        self.agent.switch_model(next, sink, cancel).await.attempt(|| not_switched(name))
    }

    /// Saves a snapshot and ends the MCP servers.
    pub async fn close(self, sink: &dyn EventSink) -> ClosedRun {
        let Self { agent, servers, lock, storage, is_new, asked, .. } = self;
        let (session, model) = (agent.session().clone(), agent.model().clone());
        let is_kept = !is_new || agent.requests() > asked;
        let is_unused = is_new && agent.exchange() == 0;
        agent.close(sink).await;
        servers.close().await;
        ClosedRun { session, model, lock, storage, is_kept, is_unused }
    }
}

impl ClosedRun {
    /// The result. A new session in which no model was asked is removed if the run failed. Gives the session's lock back.
    ///
    /// # Errors
    /// The session cannot be removed.
    pub async fn result(self, ending: RunEnding, tally: RunTally) -> Result<RunResult> {
        let Self { session, model, lock, storage, is_kept, .. } = self;
        let ending = ending.checked(&session, &tally, &storage);
        let is_kept = is_kept || ending.kind != "failed";
        if is_kept {
            lock.give_back().await;
        } else {
            storage.discard(&session, lock).await?;
        }
        Ok(RunResult { ending, session: is_kept.then_some(session), model, tally, task: None })
    }

    /// Gives the session's lock back. A new session without a message is removed. Returns the session if it stays.
    ///
    /// # Errors
    /// The session cannot be removed.
    pub async fn end(self) -> Result<Option<SessionId>> {
        if self.is_unused {
            self.storage.discard(&self.session, self.lock).await?;
            return Ok(None);
        }
        self.lock.give_back().await;
        Ok(Some(self.session))
    }
}

fn not_switched(name: &str) -> String {
    format!("the model is not switched to {name}")
}
