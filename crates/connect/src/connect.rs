//! Connecting to a model.

use std::sync::Arc;

use throughline_agent::NextModel;
use throughline_budget::output_share;
use throughline_completion::{LanguageModel, ModelInfo};
use throughline_conversation::TokenCounter;
use throughline_policies::Estimator;
use throughline_providers::models::{ModelRow, ModelTable, TableError};

#[cfg(any(feature = "anthropic", feature = "openai"))]
use crate::asking::ask_once;
use crate::cache_lifetime::set_cache_lifetime;
use crate::choice::{ModelChoice, Provider};
use crate::client::{client, counter, endpoint};
use crate::discovery::{DiscoveredProvider, KeySource, discover};
use crate::error::ConnectError;
use crate::limits::{add_advice, check_budget, check_thinking, counted_budget, limit_by_choice, set_window};
use crate::local_server::native_context_length;
use crate::ollama_window::limit_window;
use crate::served_limits::{WindowSource, add_note, apply, known_limits};
use throughline_config::SessionSettings;
use throughline_config::model_overrides_file;

/// Maximum tokens of an answer by default.
const DEFAULT_OUTPUT: u64 = 16_384;

/// A model that can be asked.
#[derive(Debug, Clone)]
pub struct ConnectedModel {
    /// The model.
    pub model: Arc<dyn LanguageModel>,
    /// How its tokens are counted.
    pub counter: Arc<dyn TokenCounter>,
    /// Its row of the table of models, with the window that holds here.
    pub row: ModelRow,
    /// Where that window comes from.
    pub window: WindowSource,
    /// The most tokens of an answer are those that the server said in an error.
    pub(crate) learned_output: bool,
    /// The choice that it was connected by.
    pub choice: ModelChoice,
}

impl ConnectedModel {
    /// Connects to the model that the choice and the environment name. Requests are sent to an Ollama, and to a server of the user's
    /// own that was not asked for the model's window before.
    ///
    /// # Errors
    /// [`ConnectError`].
    pub async fn connect(choice: &ModelChoice) -> Result<Self, ConnectError> {
        let table = model_table()?;
        let found = discover(choice).await.map_err(|error| explained(error, choice, &table))?;
        Self::at(choice, &found, &table, true).await
    }

    /// Describes the model of a choice whose provider has no key here: no request is sent, and one that is sent by it later is
    /// refused. `None`: no provider is known for the model.
    ///
    /// # Errors
    /// As for [`ConnectedModel::connect`].
    pub async fn without_key(choice: &ModelChoice) -> Result<Option<Self>, ConnectError> {
        let table = model_table()?;
        let by_table = || Provider::named(table.provider_of(choice.model.as_deref()?)?);
        let provider = choice.named_provider().or_else(by_table);
        let Some((provider, base_url)) = provider.and_then(|named| Some((named, named.address()?))) else {
            return Ok(None);
        };
        let found =
            DiscoveredProvider { provider, base_url, key: None, source: KeySource::None, served: Vec::new() };
        Self::at(choice, &found, &table, false).await.map(Some)
    }

    /// Connects to the model at a provider. `asks`: requests may be sent.
    async fn at(
        choice: &ModelChoice,
        found: &DiscoveredProvider,
        table: &ModelTable,
        asks: bool,
    ) -> Result<Self, ConnectError> {
        let endpoint = endpoint(choice, found)?;
        let name = match model_name(choice, found) {
            Some(name) => name,
            None => default_model(found)?,
        };
        let mut row = table.find(found.provider.name(), &name);
        check_thinking(&row, choice, found.provider)?;
        let mut source = WindowSource::of_row(&row);
        let (known, unread) = known_limits(choice, endpoint.server().as_ref(), &name);
        #[cfg(any(feature = "anthropic", feature = "openai"))]
        let known = {
            let mut known = known;
            if asks && unread.is_none() {
                ask_once(choice, found.provider, &endpoint, &row, &mut known).await;
            }
            known
        };
        if asks && found.provider == Provider::Ollama {
            let (length, unknown) = native_context_length(&endpoint, &name).await?;
            limit_window(&mut row, length, choice);
            unknown.into_iter().for_each(|why| add_note(&mut row, why));
            if let Some(native) = length.filter(|_| !row.window_said) {
                let is_whole = native == row.info.window;
                source = if is_whole { WindowSource::Asked } else { WindowSource::Part { native } };
            }
            if choice.window.is_some_and(|asked| asked <= row.info.window) {
                source = WindowSource::Chosen;
            }
        } else {
            set_window(&mut row, choice, &mut source);
        }
        apply(&mut row, &known, choice, &mut source);
        unread.into_iter().for_each(|why| add_note(&mut row, why));
        if found.provider != Provider::Ollama && source.is_unsure() {
            add_advice(&mut row, choice);
        }
        if let (Some(_), None) = (&found.key, &endpoint.key) {
            add_note(&mut row, format!("the header {} replaces the API key", found.provider.key_header()));
        }
        limit_by_choice(&mut row, choice);
        set_cache_lifetime(&mut row, choice.cache_ttl)?;
        row.info.max_output = row.info.max_output.min(row.info.window / 2).max(1);
        check_budget(&row, choice, found.provider)?;
        let counter = counter(row.tokenizer);
        let model = client(choice, found, endpoint, &row, &counter)?;
        Ok(Self {
            model,
            counter,
            row,
            window: source,
            learned_output: known.max_output.is_some(),
            choice: choice.clone(),
        })
    }

    /// The name of the model in requests.
    #[must_use]
    pub fn sent_name(&self) -> &str {
        let info = &self.row.info;
        #[cfg(feature = "anthropic")]
        if info.provider == Provider::Anthropic.name() {
            return throughline_providers::anthropic::wire_name(&info.name);
        }
        &info.name
    }

    /// The model with its settings, as an agent takes it.
    #[must_use]
    pub fn next(&self, settings: &SessionSettings, max_output_tokens: Option<u64>) -> NextModel {
        let (model, counter) = (Arc::clone(&self.model), Arc::clone(&self.counter));
        let info = ModelInfo { max_output: self.largest_output(max_output_tokens), ..self.row.info.clone() };
        let mut next = with_settings(model, counter, &info, settings, max_output_tokens);
        if matches!(self.window, WindowSource::Learned { .. }) {
            // A learned window is no mistake of the user.
            let own = &mut next.settings;
            own.thresholds = own.thresholds.within(info.window, own.max_output_tokens);
        }
        let room = counted_budget(&self.row, &self.choice).map(|budget| budget.saturating_add(ANSWER_ROOM));
        match room.filter(|room| max_output_tokens.is_none() && next.settings.max_output_tokens < *room) {
            // The thinking is a part of the answer: the limit of the answer grows with it.
            Some(room) => {
                let settings = settings.for_window(info.window, room.min(info.max_output));
                NextModel { settings, ..next }
            }
            None => next,
        }
    }
}

/// Tokens of an answer next to its thinking, where the thinking makes the limit larger.
const ANSWER_ROOM: u64 = 8_192;

/// A model with its settings, as an agent takes it. The policy may prescribe another counter.
#[must_use]
pub fn with_settings(
    model: Arc<dyn LanguageModel>,
    counter: Arc<dyn TokenCounter>,
    info: &ModelInfo,
    settings: &SessionSettings,
    max_output_tokens: Option<u64>,
) -> NextModel {
    let default = DEFAULT_OUTPUT.min(output_share(info.window));
    let output = max_output_tokens.or(settings.max_output_tokens()).unwrap_or(default).min(info.max_output);
    NextModel {
        counter: settings.policy().estimator().map_or(counter, Estimator::counter),
        settings: settings.for_window(info.window, output),
        summarizer: Some(settings.summarizer(Arc::clone(&model))),
        model,
    }
}

/// The table of models, with the user's corrections.
///
/// # Errors
/// The user's file cannot be used.
pub fn model_table() -> Result<ModelTable, TableError> {
    match model_overrides_file().filter(|file| file.exists()) {
        Some(file) => ModelTable::with_overrides(&file),
        None => Ok(ModelTable::builtin()),
    }
}

/// Says of a model without a provider what its name says about one.
fn explained(error: ConnectError, choice: &ModelChoice, table: &ModelTable) -> ConnectError {
    match (error, choice.model.as_deref()) {
        (ConnectError::NoProvider { named: None, empty }, Some(model)) => {
            ConnectError::NoProvider { named: unserved(model, table), empty }
        }
        (error, _) => error,
    }
}

fn unserved(model: &str, table: &ModelTable) -> Option<String> {
    let provider = table.provider_of(model).and_then(Provider::named);
    if let Some((provider, variable)) =
        provider.and_then(|provider| Some((provider, provider.key_variable()?)))
    {
        return Some(format!("{model} is a model of {}; set {variable}", provider.name()));
    }
    unknown_prefix(model)
}

/// The error of a model whose prefix is no provider; `None`: it has no prefix.
pub(crate) fn unknown_prefix(model: &str) -> Option<String> {
    let (prefix, _) = model.split_once('/')?;
    let known = Provider::ALL.map(Provider::name).join(", ");
    Some(format!(
        "there is no provider {prefix:?} in {model:?}; the providers are {known}, and --base-url names a server of any other"
    ))
}

fn model_name(choice: &ModelChoice, found: &DiscoveredProvider) -> Option<String> {
    let named = choice.model.clone().filter(|name| !name.trim().is_empty());
    let named = named.map(|name| match name.split_once('/') {
        // `provider/model`, unless the provider itself has slashes in its names.
        Some((provider, model)) if provider == found.provider.name() => model.to_owned(),
        _ => name,
    });
    let named = named.map(|name| found.provider.model_of(&name).map_or(name, str::to_owned));
    named.or_else(|| found.provider.default_model().map(str::to_owned))
}

/// The model of a server that has none by default: of an Ollama the newest one.
fn default_model(found: &DiscoveredProvider) -> Result<String, ConnectError> {
    if found.provider != Provider::Ollama {
        let provider = found.provider.name();
        return Err(ConnectError::Usage(format!(
            "no default model at provider {provider}; name one with --model, as its server calls it"
        )));
    }
    found.served.first().cloned().ok_or_else(|| {
        let message =
            "the Ollama of this machine has no model; fetch one with `throughline models pull qwen3`";
        ConnectError::Usage(message.to_owned())
    })
}
