//! The models of a run, and where its settings come from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use throughline_agent::{Listeners, NextModel};
use throughline_completion::LanguageModel;
use throughline_config::{Config, ConfigSources, SessionSettings};
use throughline_connect::{ConnectError, ConnectedModel, ModelChoice, Provider, with_settings};
use throughline_conversation::{ModelRecord, Origin, TokenCounter};
use throughline_policies::Estimator;
use throughline_settings::Flag;
use throughline_stored::Result;
use throughline_tools::Launcher;

use crate::tools::ToolSet;

/// What runs of a program have in common: which model is asked, and what it may use.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// The model; the settings complete it.
    pub model: ModelChoice,
    /// Models that take over, as `provider/model`.
    pub fallbacks: Vec<String>,
    /// Maximum tokens of one answer.
    pub max_output_tokens: Option<u64>,
    /// The built-in tools of the model.
    pub tools: ToolSet,
    /// Maximum number of requests of a turn.
    pub max_requests: Option<u64>,
    /// Who receives all events of the sessions, besides the sink of each call.
    pub listeners: Option<Arc<dyn Listeners>>,
}

/// Where the settings of runs come from, whatever their workspace.
#[derive(Debug, Clone, Default)]
pub struct RunSources {
    /// A file that is read instead of the user's own.
    pub file: Option<PathBuf>,
    /// The data folder; `None`: the user's own.
    pub data_dir: Option<PathBuf>,
    /// Settings of the caller, which win over all others.
    pub flags: Vec<Flag>,
    /// Starts commands in the sandbox.
    pub launcher: Option<Launcher>,
}

impl RunSources {
    /// The effective settings in a workspace; `None`: the current folder.
    ///
    /// # Errors
    /// As for [`Config::load`].
    pub fn load(&self, workspace: Option<&Path>) -> Result<Config> {
        Ok(Config::load(ConfigSources {
            file: self.file.as_deref(),
            no_user_files: false,
            assume_trust: false,
            workspace,
            data_dir: self.data_dir.clone(),
            flags: self.flags.clone(),
            launcher: self.launcher.clone(),
        })?)
    }
}

/// The model that a session asks first.
#[derive(Debug, Clone)]
enum FirstModel {
    Connected(Box<ConnectedModel>),
    /// Of the caller.
    Port(Arc<dyn LanguageModel>, Arc<dyn TokenCounter>),
}

/// The models of a session: the one that is asked, and those that take over.
#[derive(Debug, Clone)]
pub struct SessionModels {
    first: FirstModel,
    /// The names of its fallbacks.
    fallbacks: Vec<String>,
    pub(crate) options: RunOptions,
    instead: Vec<String>,
}

impl SessionModels {
    /// Connects to the model that a session asks first, or to the first of its fallbacks that is available. `recorded`: the
    /// model that answered last in the session.
    ///
    /// # Errors
    /// [`ConnectError`].
    pub async fn connect(
        options: &RunOptions,
        config: &Config,
        recorded: Option<&ModelRecord>,
    ) -> Result<Self, ConnectError> {
        let named = &options.model;
        let (own, fallbacks) = (named.completed(config), config.fallbacks(&options.fallbacks));
        ConnectedModel::check_fallbacks(&own, &fallbacks)?;
        let (connected, instead) = ConnectedModel::of_session(&own, named, recorded, &fallbacks).await?;
        let lowered = connected.check_limits(named.window, options.max_output_tokens, config)?;
        let instead = instead.into_iter().chain(lowered).collect();
        Ok(Self { instead, ..Self::connected(connected, options, config) })
    }

    /// A model that is connected already.
    #[must_use]
    pub fn connected(model: ConnectedModel, options: &RunOptions, config: &Config) -> Self {
        let fallbacks = config.fallbacks(&options.fallbacks);
        let first = FirstModel::Connected(Box::new(model));
        Self { first, fallbacks, options: options.clone(), instead: Vec::new() }
    }

    /// A model of the caller's own. Its tokens are estimated until it reports usage. Nothing takes over from it.
    #[must_use]
    pub fn own(model: Arc<dyn LanguageModel>, options: &RunOptions) -> Self {
        let first = FirstModel::Port(model, Estimator::default().counter());
        Self { first, fallbacks: Vec::new(), options: options.clone(), instead: Vec::new() }
    }

    /// The same without models that take over.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { fallbacks: Vec::new(), ..self }
    }

    /// The model with its settings, as an agent takes it.
    pub(crate) fn first(&self, settings: &SessionSettings) -> NextModel {
        let most = self.options.max_output_tokens;
        match &self.first {
            FirstModel::Connected(connected) => connected.next(settings, most),
            FirstModel::Port(model, counter) => {
                with_settings(Arc::clone(model), Arc::clone(counter), &model.info(), settings, most)
            }
        }
    }

    /// Connects to the models that take over. Those that cannot be reached are left out; the texts say so.
    pub(crate) async fn fallbacks(
        &self,
        config: &Config,
        settings: &SessionSettings,
    ) -> (Vec<NextModel>, Vec<String>) {
        let FirstModel::Connected(connected) = &self.first else { return (Vec::new(), Vec::new()) };
        let own = self.options.model.completed(config);
        connected.fallbacks(&own, &self.fallbacks, settings, self.options.max_output_tokens).await
    }

    /// The same with this limit of requests of a turn.
    pub(crate) fn with_max_requests(mut self, most: u64) -> Self {
        self.options.max_requests = Some(self.options.max_requests.map_or(most, |own| own.min(most)));
        self
    }

    /// The same with another model first, reached as the options and the settings say. A short name of a provider that is not in
    /// use, as `sonnet` without a key of Anthropic, leaves the model unchanged, which [`instead`](Self::instead) says: kinds of
    /// sub-agents that are shared have such names.
    ///
    /// # Errors
    /// [`ConnectError`].
    pub(crate) async fn with_model(self, name: &str, config: &Config) -> Result<Self, ConnectError> {
        let choice = self.options.model.completed(config).with_model(name);
        let owner = Provider::of_short_name(name);
        let stays = |owner: Provider| {
            let why = format!(
                "the model {name} is of provider {}, which is not in use: the model of the session answers instead",
                owner.name()
            );
            Self { instead: vec![why], ..self.clone() }
        };
        if let (Some(owner), Some(asked)) = (owner, choice.named_provider())
            && asked.model_of(name).is_none()
        {
            return Ok(stays(owner));
        }
        match (ConnectedModel::connect(&choice).await, owner) {
            (Err(ConnectError::MissingKey { .. }), Some(owner)) => Ok(stays(owner)),
            (connected, _) => {
                let first = FirstModel::Connected(Box::new(connected?));
                Ok(Self { first, instead: Vec::new(), ..self })
            }
        }
    }

    /// The model that was named.
    #[must_use]
    pub fn choice(&self) -> &ModelChoice {
        &self.options.model
    }

    /// The model that is asked first.
    #[must_use]
    pub fn origin(&self) -> Origin {
        match &self.first {
            FirstModel::Connected(connected) => connected.row.info.origin(),
            FirstModel::Port(model, _) => model.info().origin(),
        }
    }

    /// Which model answers instead of the one that was named.
    #[must_use]
    pub fn instead(&self) -> &[String] {
        &self.instead
    }

    /// What the user should know of the models, and of settings that have no effect.
    #[must_use]
    pub fn notices(&self, config: &Config) -> Vec<String> {
        let mut notices = self.instead.clone();
        let ignored = config.ignored();
        if !ignored.is_empty() {
            notices.push(
                "this project is not trusted, so some of its settings are ignored (throughline trust):"
                    .to_owned(),
            );
        }
        notices.extend(ignored.iter().map(|text| format!("  {text}")));
        notices.extend(config.notices());
        if let FirstModel::Connected(connected) = &self.first {
            notices.extend(connected.row.note.clone());
        }
        notices
    }
}
