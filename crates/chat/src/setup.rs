//! Everything that outlives a session within a run of the program.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use throughline_commands::PromptCommands;
use throughline_config::{Config, SessionSettings, with_tilde, workspace};
use throughline_connect::{CacheLifetime, ModelChoice, model_table};
use throughline_permission::{Mode, Permissions};
use throughline_providers::models::ModelTable;
use throughline_session::{Attendance, FileAttacher, Servers, User, permissions};
use throughline_settings::keys;
use throughline_stored::{InputHistory, Storage};

use super::approver::ScreenUser;
use super::pending_login::PendingLogin;
use super::screen::Screen;
use super::trust_question::ask_for_trust;
use crate::options::ChatOptions;

/// Options, settings and stores, shared by all sessions of a program run.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) options: ChatOptions,
    /// The model that is asked, completed by the settings.
    pub(super) model: ModelChoice,
    pub(super) config: Arc<Config>,
    pub(super) choice: SessionSettings,
    pub(super) data: Storage,
    pub(super) workspace: PathBuf,
    /// Shared by sessions: a mode that the user chose applies to the next one, too.
    pub(super) permissions: Arc<Permissions>,
    /// True if the settings select the mode that never asks.
    pub(super) yolo: bool,
    /// Shared by sessions, because starting a server takes time.
    pub(super) servers: Arc<Servers>,
    /// Shared by sessions: a login may outlast the one that began it.
    pub(super) login: PendingLogin,
    pub(super) inputs: InputHistory,
    /// The slash commands that are prompts.
    pub(super) custom: PromptCommands,
    pub(super) screen: Screen,
    /// Of the open session. Clones share it.
    pub(super) attaching: Attaching,
}

/// What attaches files to messages, also to those that a running turn takes.
pub(super) type Attaching = Arc<Mutex<Option<FileAttacher>>>;

impl Setup {
    pub(super) async fn load(options: ChatOptions, screen: Screen) -> anyhow::Result<Self> {
        let data_dir = options.sources.data_dir.clone();
        let load = || Ok(options.sources.load(options.workspace.as_deref())?);
        let config = ask_for_trust(load()?, load, data_dir.clone())?;
        let model = options.run.model.completed(&config);
        let choice = SessionSettings::of(&config.resolved);
        let workspace = workspace(options.workspace.as_deref())?;
        let table: ModelTable = model_table()?;
        screen.status().price_by(&table, CacheLifetime::paid(&config.resolved));
        let data = Storage::open_with(data_dir, config.storage()).await?;
        let permissions = permissions(&config, data.folder.root(), &workspace, Attendance::Attended).await?;
        {
            let mut status = screen.status();
            status.mode = permissions.mode().to_string();
            status.folder = with_tilde(&workspace.display().to_string());
        }
        screen.set_vim(config.resolved.get(keys::KEYS).as_deref() == Some("vim"));
        let yolo = permissions.mode() == Mode::Yolo;
        let custom = PromptCommands::of(&config);
        custom.problems().iter().for_each(|text| screen.notice(text.clone()));
        let (config, permissions) = (Arc::new(config), Arc::new(permissions));
        let servers = Arc::new(Servers::of(&config, data.folder.root(), &workspace, Attendance::Attended));
        let inputs = InputHistory::new(data.folder.root(), &workspace);
        Ok(Self {
            options,
            model,
            config,
            choice,
            data,
            workspace,
            permissions,
            yolo,
            servers,
            login: PendingLogin::default(),
            inputs,
            custom,
            screen,
            attaching: Attaching::default(),
        })
    }

    /// Waits until the servers have listed their tools, or their start times out.
    pub(super) async fn start_servers(&self) {
        self.servers.start().await.into_iter().for_each(|text| self.screen.notice(text));
    }

    pub(super) fn user(&self) -> Arc<dyn User> {
        Arc::new(ScreenUser {
            screen: self.screen.clone(),
            workspace: self.workspace.clone(),
            permissions: Arc::clone(&self.permissions),
            attaching: Arc::clone(&self.attaching),
            elicitor: Arc::new(self.screen.clone()),
        })
    }

    /// What attaches files to messages of the open session.
    pub(super) fn attacher(&self) -> Option<FileAttacher> {
        attacher(&self.attaching)
    }
}

/// The attacher that is set now.
pub(super) fn attacher(attaching: &Attaching) -> Option<FileAttacher> {
    attaching.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
