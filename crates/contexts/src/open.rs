//! Opening a context.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_budget::{Threshold, ThresholdError, output_share};
use throughline_completion::{CacheRules, Prices};
use throughline_conversation::{Millis, ToolDefinition};
use throughline_documents::DocumentCaps;
use throughline_engine::{ContextEngine, ModelInfo, SessionId, Settings};
use throughline_policies::{Economy, Estimator, NamedThresholds, Policy, PolicyOverrides};

use crate::context::OpenContext;
use crate::error::{CallError, ErrorCode};
use crate::models::{KnownModel, ModelFacts};
use crate::notice::{NoticeSink, Notices};
use crate::storage::{ContextStorage, StorageError};
use crate::wire_form::{BodyOptions, BodyWriter, WireForm};
use crate::words::{Call, Tool, object};

/// Opens a context: resumes its session where the log ends, or begins it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// The model, as requests name it.
    pub model: String,
    /// Its provider. Default: the one whose API `wire` is.
    #[serde(default)]
    pub provider: Option<String>,
    /// Its window in tokens. Default: that of the table of models.
    #[serde(default)]
    pub window: Option<u64>,
    /// Tokens reserved for an answer. Default: the model's maximum, at most a quarter of the window.
    #[serde(default)]
    pub max_output: Option<u64>,
    /// The API that bodies, answers and lists are written in.
    #[serde(default)]
    pub wire: WireForm,
    /// What bodies depend on besides.
    #[serde(default)]
    pub body: BodyOptions,
    /// The policy: throughline, dex, vibe, rubichan, slop or off. Default: throughline.
    #[serde(default)]
    pub policy: Option<String>,
    /// The dial of the policy throughline: lean, balanced or faithful. Default: faithful.
    #[serde(default)]
    pub economy: Option<String>,
    /// Settings in place of the policy's own.
    #[serde(default)]
    pub settings: SettingsChanges,
    /// The system prompt.
    #[serde(default)]
    pub system: Option<String>,
    /// The tools that the caller runs.
    #[serde(default)]
    pub tools: Vec<Tool>,
    /// The caller writes the summaries of compactions, by requests that `next_request` returns. Otherwise they are extracted.
    #[serde(default)]
    pub summaries_by_caller: bool,
    /// The model keeps STATE and a scratchpad.
    #[serde(default)]
    pub documents: bool,
}

/// Settings in place of a policy's own.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsChanges {
    /// Where the pressure is `warning`: `95%effective` of the window without the answer, `90%window`, tokens in use such as
    /// `80000`, tokens left such as `-20000`, or `off`.
    pub warn_at: Option<String>,
    /// Where the window is compacted, in the same form.
    pub compact_at: Option<String>,
    /// Bytes above which a result is stored and shown in part.
    pub offload_bytes: Option<u64>,
    /// Share of the window that descriptions of tools may take, from 0 to 1.
    pub tools_share: Option<f64>,
}

/// A context that was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Opened {
    /// The session had messages before.
    pub resumed: bool,
    /// Messages in view.
    pub messages: u64,
    /// Window in tokens.
    pub window: u64,
    /// Tokens reserved for an answer.
    pub max_output: u64,
    /// Calls of an earlier run that still wait for their results. A message of the user gives them up.
    pub calls: Vec<Call>,
    /// The engine's own tools, for callers that run every call themselves, by `call`.
    pub tools: Vec<Tool>,
    /// Why the view was rebuilt from the log, if it was.
    pub rebuilt: Option<String>,
    /// Records that were lost.
    pub unreadable: u64,
}

/// What contexts of one process share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) storage: Arc<dyn ContextStorage>,
    pub(crate) models: Arc<dyn ModelFacts>,
    pub(crate) sink: Option<Arc<dyn NoticeSink>>,
}

impl Open {
    /// Opens the context. `closed`: this process has closed it, and its session was created then.
    pub(crate) async fn run(
        self,
        id: SessionId,
        shared: &Shared,
        closed: Option<Millis>,
    ) -> Result<(OpenContext, Opened), CallError> {
        let opening = self.clone();
        let KnownModel { info, counter } = self.known(shared.models.as_ref())?;
        let (settings, policy) = self.settings_for(&info)?;
        let stored = match closed {
            None => shared.storage.open(&id, &info).await,
            Some(created) => shared.storage.reopen(&id, &info, created).await,
        };
        let stored = stored.map_err(|error| match &error {
            StorageError::Gone => CallError::unknown_context(&id),
            StorageError::Held(_) => CallError::of(ErrorCode::Held, &error),
            StorageError::Other(_) => CallError::of(ErrorCode::Storage, &error),
        })?;
        let writer = BodyWriter::new(self.wire, self.body, &info);
        let notices = Arc::new(Notices::new(id.clone(), shared.sink.clone()));
        let counter = counter.unwrap_or_else(|| Estimator::default().counter());
        let tools: Vec<ToolDefinition> = self.tools.into_iter().map(ToolDefinition::from).collect();
        let mut builder = ContextEngine::builder(info, counter, settings)
            .log(Arc::clone(&stored.log))
            .snapshots(stored.snapshots)
            .results(stored.results)
            .tools(&tools)
            .policy(policy)
            .events(Arc::clone(&notices) as _);
        if let Some(system) = self.system {
            builder = builder.system_prompt(system);
        }
        if self.summaries_by_caller {
            builder = builder.summaries_by_caller();
        }
        if self.documents {
            builder = builder.documents(DocumentCaps::default());
        }
        if let Some(history) = stored.history {
            builder = builder.history(history);
        }
        let engine = match builder.open(id.clone()).await {
            Ok(engine) => engine,
            Err(error) => {
                shared.storage.withdraw(&id, stored.guard).await;
                return Err(error.into());
            }
        };
        let opened = opened(&engine, &tools);
        let mut context =
            OpenContext::new(opening, stored.created, engine, writer, stored.log, notices, stored.guard);
        context.unnamed = (!opened.resumed).then(|| Arc::clone(&shared.storage));
        Ok((context, opened))
    }

    fn known(&self, models: &dyn ModelFacts) -> Result<KnownModel, CallError> {
        if self.model.trim().is_empty() {
            return Err(CallError::new(
                ErrorCode::InvalidInput,
                "`model` is empty; name the model of the requests",
            ));
        }
        let provider = self.provider.as_deref().unwrap_or_else(|| self.wire.provider());
        let mut known = match (models.find(provider, &self.model), self.window) {
            (Some(known), _) => known,
            (None, Some(window)) => KnownModel { info: self.unlisted(provider, window), counter: None },
            (None, None) => {
                let message = format!(
                    "the model {:?} of {provider} is in no table; give its `window` in tokens, and `max_output`",
                    self.model
                );
                return Err(
                    CallError::new(ErrorCode::UnknownModel, message).with("model", self.model.as_str())
                );
            }
        };
        known.info.window = self.window.unwrap_or(known.info.window);
        known.info.max_output = self.max_output.unwrap_or(known.info.max_output);
        Ok(known)
    }

    fn unlisted(&self, provider: &str, window: u64) -> ModelInfo {
        // A framework's list may be written in another API than its model speaks.
        let (cache, prices) = match provider {
            "anthropic" => (CacheRules::anthropic(), Prices::anthropic()),
            _ => (CacheRules::automatic(), Prices::openai()),
        };
        let max_output = output_share(window);
        ModelInfo {
            name: self.model.clone(),
            provider: provider.to_owned(),
            window,
            max_output,
            cache,
            prices,
            web_search: false,
            thinking: None,
        }
    }

    fn settings_for(&self, info: &ModelInfo) -> Result<(Settings, String), CallError> {
        let wrong = |error: &(dyn std::error::Error + 'static)| CallError::of(ErrorCode::InvalidInput, error);
        let policy: Policy = match &self.policy {
            Some(name) => name.parse().map_err(|error| wrong(&error))?,
            None => Policy::default(),
        };
        let economy: Economy = match &self.economy {
            Some(name) => name.parse().map_err(|error| wrong(&error))?,
            None => Economy::default(),
        };
        let output = self.max_output.unwrap_or_else(|| info.max_output.min(output_share(info.window)));
        let SettingsChanges { warn_at, compact_at, offload_bytes, tools_share } = &self.settings;
        if let Some(share) = tools_share.filter(|share| !(0.0..=1.0).contains(share)) {
            let message = format!("`settings.tools_share` is {share}; it must be from 0 to 1");
            return Err(CallError::new(ErrorCode::InvalidSettings, message));
        }
        let overrides = PolicyOverrides {
            thresholds: NamedThresholds {
                warn: threshold("warn_at", warn_at.as_deref())?,
                compact: threshold("compact_at", compact_at.as_deref())?,
                block: None,
            },
            offload_bytes: *offload_bytes,
            tools_share: *tools_share,
        };
        let settings = overrides.settings(policy, economy, info.window, output);
        Ok((settings, policy.name_with(economy)))
    }
}

fn opened(engine: &ContextEngine, own: &[ToolDefinition]) -> Opened {
    let offered = engine.shown_request().tools;
    let of_engine = offered.iter().filter(|tool| own.iter().all(|own| own.name != tool.name));
    let tool = |tool: &ToolDefinition| Tool {
        name: tool.name.clone(),
        description: tool.description.clone(),
        input_schema: object(tool.input_schema.clone()),
        deferrable: false,
    };
    let messages = engine.view().entries().len() as u64;
    Opened {
        resumed: messages > 0,
        messages,
        window: engine.budget().window_figures().total,
        max_output: engine.settings().max_output_tokens,
        calls: engine.open_calls().cloned().map(Call::from).collect(),
        tools: of_engine.map(tool).collect(),
        rebuilt: engine.rebuilt().map(str::to_owned),
        unreadable: engine.unreadable().len() as u64,
    }
}

fn threshold(name: &str, written: Option<&str>) -> Result<Option<Threshold>, CallError> {
    let parsed = written.map(str::parse).transpose();
    parsed.map_err(|error: ThresholdError| {
        CallError::new(ErrorCode::InvalidSettings, format!("`settings.{name}`: {error}"))
    })
}
