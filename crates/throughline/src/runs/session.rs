//! A session that a run works in, from its opening to its result.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use throughline_agent::{Agent, EventSink};
use throughline_completion::ModelInfo;
use throughline_conversation::{CacheTtl, CheckpointRecord, Message, Origin, SessionId};
use throughline_permission::Approver;
use throughline_store::SessionLock;
use throughline_tools::CancelFlag;

use super::ending::RunEnding;
use super::models::RunModels;
use super::result::RunResult;
use super::tally::RunTally;
use crate::config::{Config, SessionSettings};
use crate::cost::CostMeter;
use crate::error::Result;
use crate::handle::SessionHandle;
use crate::model::{ConnectError, model_table};
use crate::permissions::{Attendance, permissions};
use crate::servers::Servers;
use crate::session::{OpenedSession, Opening, SessionStart, open};
use crate::storage::Storage;
use crate::tools::ToolSet;

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
    /// Answers what the permissions ask.
    pub approver: Arc<dyn Approver>,
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
    lock: SessionLock,
    servers: Arc<Servers>,
    storage: Storage,
    workspace: PathBuf,
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
}

/// Opens the session of a run. It is unattended: the mode is by the settings, else `auto-edit`, and what would be asked goes
/// to the approver.
///
/// # Errors
/// As for [`open`].
pub async fn open_run(opening: RunOpening<'_>) -> Result<OpenRun> {
    let RunOpening { config, storage, workspace, models, start, .. } = opening;
    let options = &models.options;
    let data = storage.folder.root();
    let permissions = permissions(config, data, workspace, Attendance::Unattended).await?;
    let servers = Arc::new(Servers::of(config, data, workspace, Attendance::Unattended));
    let mut notices = match options.tools {
        ToolSet::All => servers.start().await,
        _ => Vec::new(),
    };
    let settings = SessionSettings::of(&config.resolved).for_session(storage, &start).await?;
    let own = config.model(&options.model);
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
        permissions: Arc::new(permissions),
        approver: opening.approver,
        servers,
        tools: options.tools,
        observer: &|tools| Ok(tools.clone()),
        start,
        id_prefix: opening.id_prefix,
        title: opening.title,
        is_task: opening.is_task,
        max_requests: options.max_requests,
        attendance: Attendance::Unattended,
        listeners: options.listeners.clone(),
    })
    .await?;
    let OpenedSession { agent, lock, checkpoint, servers, notices: own, .. } = opened;
    notices.extend(own);
    let (asked, ttl) = (agent.requests(), config.cache_ttl());
    let (storage, workspace) = (storage.clone(), workspace.to_owned());
    Ok(OpenRun { agent, checkpoint, notices, lock, servers, storage, workspace, ttl, is_new, asked })
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
        let outcome = match prompt {
            Some(text) => {
                let message = Message::user(self.with_kept_files(text).await?);
                self.agent.turn(message, sink, cancel).await.map(Some)
            }
            None => self.agent.continue_turn(sink, cancel).await,
        };
        Ok(RunEnding::of_turn(outcome))
    }

    /// The prompt, with a notice if files still have the changes of turns that were undone.
    async fn with_kept_files(&self, text: String) -> Result<String> {
        let handle = SessionHandle::new(self.storage.clone(), self.agent.session().clone());
        Ok(match handle.kept_files_notice(&self.agent, &self.workspace).await? {
            Some(notice) => format!("{text}\n\n{notice}"),
            None => text,
        })
    }

    /// Saves a snapshot and ends the MCP servers.
    pub async fn close(self, sink: &dyn EventSink) -> ClosedRun {
        let Self { agent, servers, lock, storage, is_new, asked, .. } = self;
        let (session, model) = (agent.session().clone(), agent.model().clone());
        let is_kept = !is_new || agent.requests() > asked;
        agent.close(sink).await;
        servers.close().await;
        ClosedRun { session, model, lock, storage, is_kept }
    }
}

impl ClosedRun {
    /// The result. A new session in which no model was asked is removed if the run failed. Gives the session's lock back.
    ///
    /// # Errors
    /// The session cannot be removed.
    pub async fn result(self, ending: RunEnding, tally: RunTally) -> Result<RunResult> {
        let Self { session, model, lock, storage, is_kept } = self;
        let gone = storage.store.check_place().err().map(|gone| gone.to_string());
        let ending = match tally.unsaved.as_ref().or(gone.as_ref()) {
            Some(cause) => ending.unsaved(&session, cause),
            None => ending,
        };
        let is_kept = is_kept || ending.kind != "failed";
        if !is_kept {
            storage.discard(&session, lock).await?;
        }
        Ok(RunResult { ending, session: is_kept.then_some(session), model, tally, task: None })
    }
}
