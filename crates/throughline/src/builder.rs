//! The builder of a session.

mod models;
mod storage;

use std::path::PathBuf;
use std::sync::Arc;

use throughline_agent::{EventSink, Listeners, NullSink};
use throughline_completion::LanguageModel;
use throughline_conversation::SessionId;
use throughline_permission::{Approver, Mode, Unattended, guarded};
use throughline_policies::{Estimator, Policy};
use throughline_settings::{Flag, keys};
use throughline_tools::{Launcher, Tool, ToolRegistry};

use crate::embedded::Session;
use crate::permissions::{Attendance, permissions};
use crate::servers::Servers;
use crate::session::{Opening, open};
use crate::tools::{ToolSet, check_unattended};
use models::{ModelSource, Models};
use storage::StorageChoice;
use throughline_config::workspace;
use throughline_config::{Config, ConfigSources, SessionSettings};
use throughline_connect::ModelChoice;
use throughline_stored::Result;
use throughline_stored::{SessionStart, settings_for};

/// The agent. [`Throughline::builder`] is where an embedder starts.
#[derive(Debug, Clone, Copy)]
pub struct Throughline;

impl Throughline {
    /// Starts to build a session. Everything has a default; only a model must be named, or be found in the environment.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }
}

/// Collects what a session is opened with. What is not set comes from the user's settings and from the environment, as for
/// the command line.
#[derive(Default)]
pub struct Builder {
    model: ModelSource,
    fallbacks: Vec<String>,
    max_output_tokens: Option<u64>,
    max_requests: Option<u64>,
    workspace: Option<PathBuf>,
    settings_file: Option<PathBuf>,
    flags: Vec<Flag>,
    storage: StorageChoice,
    start: SessionStart,
    title: String,
    built_in: ToolSet,
    tools: Vec<Arc<dyn Tool>>,
    approver: Option<Arc<dyn Approver>>,
    launcher: Option<Launcher>,
    events: Option<Arc<dyn EventSink>>,
    listeners: Option<Arc<dyn Listeners>>,
}

impl Builder {
    /// The model, as `provider/model`. Its key comes from the environment, for example `ANTHROPIC_API_KEY`.
    #[must_use]
    pub fn model(self, name: impl Into<String>) -> Self {
        self.model_choice(ModelChoice::named(name))
    }

    /// The model with its address, its key file and its headers.
    #[must_use]
    pub fn model_choice(self, choice: ModelChoice) -> Self {
        Self { model: ModelSource::Named(choice), ..self }
    }

    /// A model of the caller's own. Its tokens are estimated until it reports usage.
    #[must_use]
    pub fn model_port(self, model: Arc<dyn LanguageModel>) -> Self {
        Self { model: ModelSource::Port(model, Estimator::default().counter()), ..self }
    }

    /// Adds a model that takes over if the one before cannot answer, as `provider/model`.
    #[must_use]
    pub fn fallback(mut self, name: impl Into<String>) -> Self {
        self.fallbacks.push(name.into());
        self
    }

    /// Maximum tokens of one answer.
    #[must_use]
    pub fn max_output_tokens(self, tokens: u64) -> Self {
        Self { max_output_tokens: Some(tokens), ..self }
    }

    /// Maximum number of requests of one turn.
    #[must_use]
    pub fn max_requests(self, requests: u64) -> Self {
        Self { max_requests: Some(requests), ..self }
    }

    /// The policy: what fills the window and when it shrinks. Defaults to that of the settings.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        self.flag("Builder::policy", keys::POLICY.name(), policy.name())
    }

    /// The folder that the tools work in. Defaults to the current one.
    #[must_use]
    pub fn workspace(self, folder: impl Into<PathBuf>) -> Self {
        Self { workspace: Some(folder.into()), ..self }
    }

    /// A file of settings that is read instead of the user's own.
    #[must_use]
    pub fn settings_file(self, file: impl Into<PathBuf>) -> Self {
        Self { settings_file: Some(file.into()), ..self }
    }

    /// Continues an existing session.
    #[must_use]
    pub fn resume(self, session: SessionId) -> Self {
        Self { start: SessionStart::Existing(session), ..self }
    }

    /// Works on a copy of an existing session.
    #[must_use]
    pub fn fork(self, session: SessionId) -> Self {
        Self { start: SessionStart::Fork(session), ..self }
    }

    /// Title of a new session.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Which built-in tools the model is given. Defaults to all.
    #[must_use]
    pub fn built_in_tools(self, set: ToolSet) -> Self {
        Self { built_in: set, ..self }
    }

    /// Adds a tool. Its calls run without asking, unless a rule denies them.
    #[must_use]
    pub fn tool(mut self, tool: Arc<dyn Tool>) -> Self {
        let name = tool.definition().name;
        self.tools.push(tool);
        self.allow(name)
    }

    /// The permission mode: what runs without asking.
    #[must_use]
    pub fn mode(self, mode: Mode) -> Self {
        self.flag("Builder::mode", keys::MODE.name(), mode.name())
    }

    /// Lets calls run that this rule matches, for example `shell(cargo test *)`.
    #[must_use]
    pub fn allow(self, rule: impl Into<String>) -> Self {
        self.flag("Builder::allow", keys::ALLOW.name(), rule)
    }

    /// Denies calls that this rule matches. A deny rule wins over every other one.
    #[must_use]
    pub fn deny(self, rule: impl Into<String>) -> Self {
        self.flag("Builder::deny", keys::DENY.name(), rule)
    }

    /// Answers what the permissions ask. Without an approver such calls are denied.
    #[must_use]
    pub fn approver(self, approver: Arc<dyn Approver>) -> Self {
        Self { approver: Some(approver), ..self }
    }

    /// Runs commands in a sandbox, by a program that calls [`sandbox_exec`](throughline_tools::sandbox_exec). Without one
    /// each command needs a permission.
    #[must_use]
    pub fn sandbox(self, launcher: Launcher) -> Self {
        Self { launcher: Some(launcher), ..self }
    }

    /// Receives the events of every turn while it runs: text, tool calls, compactions, receipts.
    #[must_use]
    pub fn events(self, sink: impl EventSink + 'static) -> Self {
        Self { events: Some(Arc::new(sink)), ..self }
    }

    /// Who receives all events of the session, of every call of its agent: for traces and metrics.
    #[must_use]
    pub fn listeners(self, listeners: Arc<dyn Listeners>) -> Self {
        Self { listeners: Some(listeners), ..self }
    }

    /// Opens the session.
    ///
    /// # Errors
    /// [`Error::Model`](throughline_stored::Error::Model) if no model can be asked; [`Error::Busy`](throughline_stored::Error::Busy) if another
    /// process has the session open; [`Error::Settings`](throughline_stored::Error::Settings) if a setting cannot be used.
    pub async fn open(self) -> Result<Session> {
        let workspace = workspace(self.workspace.as_deref())?;
        let config = Config::load(ConfigSources {
            file: self.settings_file.as_deref(),
            workspace: Some(&workspace),
            data_dir: self.storage.folder(),
            flags: self.flags,
            launcher: self.launcher,
        })?;
        let storage = self.storage.open(config.storage()).await?;
        let settings = settings_for(&storage, &SessionSettings::of(&config.resolved), &self.start).await?;
        let fallbacks = config.fallbacks(&self.fallbacks);
        let models =
            Models::connect(self.model, &config, &fallbacks, &settings, self.max_output_tokens).await?;
        let attendance = if self.approver.is_some() { Attendance::Attended } else { Attendance::Unattended };
        if attendance == Attendance::Unattended {
            check_unattended(&config, &workspace, self.built_in)?;
        }
        let permissions = permissions(&config, storage.folder.root(), &workspace, attendance).await?;
        let servers = Arc::new(Servers::of(&config, storage.folder.root(), &workspace, attendance));
        let mut notices = models.notices;
        if self.built_in == ToolSet::All {
            notices.extend(servers.start().await);
        }
        let permissions = Arc::new(permissions);
        let approver = self.approver.unwrap_or_else(|| Arc::new(Unattended));
        // The observer is outside of the permissions of the other tools.
        let mut own = ToolRegistry::new();
        self.tools.into_iter().try_for_each(|tool| own.register(tool))?;
        let own = guarded(&own, &permissions, &approver)?;
        let with_own = |tools: &ToolRegistry| {
            let mut tools = tools.clone();
            own.names().filter_map(|name| own.get(name)).try_for_each(|tool| tools.register(tool))?;
            Ok(tools)
        };
        let mut opened = open(Opening {
            config: &config,
            settings: &settings,
            storage: &storage,
            workspace: &workspace,
            model: models.first,
            fallbacks: models.fallbacks,
            permissions,
            approver,
            servers,
            tools: self.built_in,
            observer: &with_own,
            start: self.start,
            id_prefix: "session",
            title: &self.title,
            is_task: false,
            max_requests: self.max_requests,
            attendance,
            listeners: self.listeners,
        })
        .await?;
        notices.append(&mut opened.notices);
        opened.notices = notices;
        Ok(Session::new(opened, storage, self.events.unwrap_or_else(|| Arc::new(NullSink))))
    }

    fn flag(mut self, name: &'static str, key: &'static str, text: impl Into<String>) -> Self {
        self.flags.push(Flag { name, key, text: text.into() });
        self
    }
}
