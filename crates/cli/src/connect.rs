//! From arguments and environment to a model that answers.

mod address;
mod error;
mod following;
mod found;
mod window;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use throughline_agent::NextModel;
use throughline_budget::ScriptAwareEstimator;
use throughline_completion::LanguageModel;
use throughline_conversation::TokenCounter;
use throughline_providers::anthropic::AnthropicModel;
use throughline_providers::http::{Endpoint, Key, ReqwestTransport, Timeouts};
use throughline_providers::models::{ModelRow, ModelTable, Tokenizer};
use throughline_providers::ollama::{Ollama, OllamaModel};
use throughline_providers::openai::OpenAiOptions;
use throughline_providers::openai_chat::OpenAiChatModel;
use throughline_providers::openai_responses::OpenAiResponsesModel;
use throughline_providers::tokens::DeferredCounter;
use throughline_summarizer::{ModelSummarizer, SummarizerSettings};
use throughline_text::error_chain;

use crate::config::Choice;
use crate::run::args::{Api, ModelArgs, Provider};

pub(crate) use address::shown_address;
pub(crate) use error::ConnectError;
pub(crate) use following::following;
pub(crate) use found::{Found, KeySource, find, named, prefix};

/// Bytes that a session may have before its tokens are counted exactly: below, no threshold is near, and the tables
/// of a tokenizer cost more memory than all else.
const EXACT_FROM_BYTES: u64 = 48 * 1024;
/// Most tokens of an answer when nothing else is asked for.
const USUAL_OUTPUT: u64 = 16_384;

/// A model that can be asked.
#[derive(Clone)]
pub(crate) struct Connected {
    pub(crate) model: Arc<dyn LanguageModel>,
    pub(crate) counter: Arc<dyn TokenCounter>,
    pub(crate) row: ModelRow,
    /// What it was reached with.
    pub(crate) args: ModelArgs,
}

impl Connected {
    /// Connects to the model that the arguments and the environment name.
    pub(crate) async fn to(args: &ModelArgs) -> Result<Self, ConnectError> {
        let table = table()?;
        let found = find(args).await?;
        let endpoint = endpoint(args, &found)?;
        let name = match model_name(args, &found) {
            Some(name) => name,
            None => first_served(&found).await?,
        };
        let mut row = table.find(found.provider.name(), &name);
        if found.provider == Provider::Ollama {
            let (length, unknown) = made_for(&endpoint, &name).await?;
            window::of_ollama(&mut row, length, args.window);
            row.note = row.note.into_iter().chain(unknown).reduce(|note, more| format!("{note}; {more}"));
        } else if let Some(window) = args.window {
            row.info.window = row.info.window.min(window);
        }
        row.info.max_output = row.info.max_output.min(row.info.window / 2).max(1);
        let counter = counter(row.tokenizer);
        let model = client(args, &found, endpoint, &row, &counter);
        Ok(Self { model, counter, row, args: args.clone() })
    }

    /// What an agent needs of it to go on with it.
    pub(crate) fn next(&self, choice: &Choice, max_tokens: Option<u64>) -> NextModel {
        let own = choice.policy.estimator().map(throughline_policies::Estimator::counter);
        let output = self.output(max_tokens.or(choice.max_output_tokens()));
        NextModel {
            model: Arc::clone(&self.model),
            counter: own.unwrap_or_else(|| Arc::clone(&self.counter)),
            settings: choice.settings(self.row.info.window, output),
            summarizer: Some(Arc::new(ModelSummarizer::new(
                Arc::clone(&self.model),
                SummarizerSettings::default(),
            ))),
        }
    }

    /// Tokens kept for the answer.
    fn output(&self, wanted: Option<u64>) -> u64 {
        let usual = USUAL_OUTPUT.min(self.row.info.window / 4).max(1);
        wanted.unwrap_or(usual).min(self.row.info.max_output)
    }
}

/// The file in which the user corrects the table of models: `models.toml` in the config folder.
pub(crate) fn overrides_file() -> Option<PathBuf> {
    Some(config_folder()?.join("models.toml"))
}

/// The user's config folder.
pub(crate) fn config_folder() -> Option<PathBuf> {
    let config = std::env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty());
    let home = || std::env::var_os("HOME").filter(|folder| !folder.is_empty());
    let folder =
        config.map(PathBuf::from).or_else(|| home().map(|home| PathBuf::from(home).join(".config")))?;
    Some(folder.join("throughline"))
}

/// The table of models, with the user's corrections.
pub(crate) fn table() -> anyhow::Result<ModelTable> {
    match overrides_file().filter(|file| file.exists()) {
        Some(file) => Ok(ModelTable::with_overrides(&file)?),
        None => Ok(ModelTable::builtin()),
    }
}

/// The address of what was found, with its key and the user's headers.
pub(crate) fn endpoint(args: &ModelArgs, found: &Found) -> anyhow::Result<Endpoint> {
    let mut endpoint = Endpoint::new(&found.base_url)
        .with_context(|| format!("the address of provider {} cannot be used", found.provider.name()))?;
    if let Some(key) = &found.key {
        endpoint = endpoint.with_key(key.clone());
    }
    for header in &args.headers {
        let (name, value) = header
            .split_once(':')
            .ok_or_else(|| anyhow!("a header of --header has no colon; write it as \"name: value\""))?;
        endpoint = endpoint.with_header(name.trim(), Key::new(value.trim()));
    }
    if found.provider == Provider::Ollama {
        endpoint.timeouts = Timeouts::local();
    }
    if let Some(seconds) = args.timeout {
        let idle = Duration::from_secs(seconds.max(1));
        endpoint.timeouts = Timeouts { first_byte: idle, idle, ..endpoint.timeouts };
    }
    Ok(endpoint)
}

fn model_name(args: &ModelArgs, found: &Found) -> Option<String> {
    let named = args.model.clone().filter(|name| !name.trim().is_empty());
    let named = named.map(|name| match name.split_once('/') {
        // `provider/model`, unless the provider itself has slashes in its names.
        Some((provider, model)) if provider == found.provider.name() => model.to_owned(),
        _ => name,
    });
    named.or_else(|| found.provider.usual_model().map(str::to_owned))
}

/// The model of a server that serves no well-known one.
async fn first_served(found: &Found) -> Result<String, ConnectError> {
    if found.provider != Provider::Ollama {
        let advice = "name the model with --model, as its server calls it";
        return Err(ConnectError::Usage(format!(
            "provider {} has no usual model; {advice}",
            found.provider.name()
        )));
    }
    let mut newest = found.served.clone();
    if newest.is_empty() {
        let message =
            "the Ollama of this machine has no model; fetch one with `throughline models pull qwen3`";
        return Err(ConnectError::Usage(message.to_owned()));
    }
    Ok(newest.swap_remove(0))
}

/// The window that a model was made for, in tokens, where its Ollama tells it; else why that is not known. A server
/// that answers nothing else than chats is good enough; one that is not there, or does not have the model, is none.
async fn made_for(endpoint: &Endpoint, name: &str) -> anyhow::Result<(Option<u64>, Option<String>)> {
    let asked = async { Ollama::new(endpoint)?.show(name).await };
    match asked.await {
        Ok(info) => Ok((info.context_length, None)),
        Err(error) if error::is_absent(&error) => Err(error.into()),
        Err(error) => {
            let why = error_chain(&error);
            Ok((None, Some(format!("what window {name} was made for is not known: {why}"))))
        }
    }
}

fn counter(tokenizer: Tokenizer) -> Arc<dyn TokenCounter> {
    let estimate: Arc<dyn TokenCounter> = Arc::new(ScriptAwareEstimator);
    match tokenizer.encoding() {
        Some(encoding) => Arc::new(DeferredCounter::new(estimate, encoding.counter(), EXACT_FROM_BYTES)),
        None => estimate,
    }
}

fn client(
    args: &ModelArgs,
    found: &Found,
    endpoint: Endpoint,
    row: &ModelRow,
    counter: &Arc<dyn TokenCounter>,
) -> Arc<dyn LanguageModel> {
    let transport = Arc::new(ReqwestTransport::new(endpoint.timeouts));
    let info = row.info.clone();
    match found.provider {
        Provider::Anthropic => {
            let model =
                AnthropicModel::new(info, endpoint, transport).with_bound_thinking(row.bound_thinking);
            let model = match row.thinking_form {
                Some(form) => model.with_thinking_form(form),
                None => model,
            };
            Arc::new(match args.thinking {
                Some(budget) => model.with_thinking(budget),
                None => model,
            })
        }
        Provider::Openai | Provider::Compatible => {
            let own = found.provider == Provider::Openai;
            let usual = if own { Api::Responses } else { Api::Chat };
            let options = if own { OpenAiOptions::openai() } else { OpenAiOptions::compatible() };
            let options = OpenAiOptions {
                // A model that does not reason refuses to be asked for its reasoning.
                encrypted_reasoning: row.thinking,
                thinking_back: row.thinking_back.unwrap_or(options.thinking_back),
                ..options
            };
            match args.api.unwrap_or(usual) {
                Api::Chat => Arc::new(OpenAiChatModel::new(info, endpoint, transport, options)),
                Api::Responses => Arc::new(OpenAiResponsesModel::new(info, endpoint, transport, options)),
            }
        }
        Provider::Ollama => Arc::new(OllamaModel::new(info, endpoint, transport, Arc::clone(counter))),
    }
}

impl Provider {
    /// The model that is asked when none is named. `None`: the server has its own names.
    fn usual_model(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("claude-sonnet-4-5"),
            Self::Openai => Some("gpt-5"),
            Self::Ollama | Self::Compatible => None,
        }
    }
}
