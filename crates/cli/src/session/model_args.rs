//! Arguments that name a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use throughline_config::StoredKeys;
use throughline_connect::{Api, ModelChoice, Provider};
use throughline_settings::check_fallback;

use crate::size::{parse_budget, parse_tokens};

/// Heading of these options in each help text.
const MODEL: &str = "Model";

/// The model and how to reach it.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ModelArgs {
    /// Model provider [default: the one whose key you stored last, else the first with a key in the
    /// environment, else a local Ollama]
    #[arg(help_heading = MODEL, long, value_enum, value_name = "NAME")]
    pub(crate) provider: Option<ProviderArg>,
    /// Model, as its provider names it, or PROVIDER/MODEL [default: $THROUGHLINE_MODEL if it belongs to --provider, else the
    /// provider's default]
    #[arg(help_heading = MODEL, long, short, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Base URL of the API; without --provider, that of an OpenAI-compatible server
    #[arg(help_heading = MODEL, long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// File with the API key for --provider or --base-url [default: the key in the environment]
    #[arg(hide_short_help = true, help_heading = MODEL, long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Extra header for requests to --provider or --base-url, as `name: value`; repeatable
    #[arg(hide_short_help = true, help_heading = MODEL, long = "header", value_name = "HEADER")]
    pub(crate) headers: Vec<String>,
    /// OpenAI API to use [default: responses for OpenAI, chat for all others]
    #[arg(hide_short_help = true, help_heading = MODEL, long, value_enum, value_name = "API")]
    pub(crate) api: Option<ApiArg>,
    /// Context window in tokens, at most the model's own; for a model of unknown size it is taken as given [default: the
    /// model's; for Ollama at most 32,768]
    #[arg(hide_short_help = true, help_heading = MODEL, long, value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) window: Option<u64>,
    /// Token budget for thinking (Anthropic, Gemini). OpenAI's API, Claude Opus 4.7, Gemini 3 and later take an effort instead: low
    /// below 2,048, medium below 8,192, else high. Models of Ollama think, or do not for 0 [default: as the
    /// provider does by itself]
    #[arg(hide_short_help = true, help_heading = MODEL, long, value_parser = parse_budget, value_name = "TOKENS")]
    pub(crate) thinking: Option<u64>,
    /// Seconds without data after which a request is given up
    #[arg(hide_short_help = true, help_heading = MODEL, long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
}

impl ModelArgs {
    /// The choice that the arguments make.
    pub(crate) fn choice(&self) -> ModelChoice {
        ModelChoice {
            provider: self.provider.map(ProviderArg::provider),
            model: self.model.clone(),
            base_url: self.base_url.clone(),
            key_file: self.key_file.clone(),
            headers: self.headers.clone(),
            api: self.api.map(ApiArg::api),
            transport: None,
            window: self.window,
            thinking: self.thinking,
            cache_ttl: None,
            timeout: self.timeout,
            data: None,
            keys: StoredKeys::of_user(),
            completed: Default::default(),
        }
    }
}

/// A fallback: a model with its provider.
pub(super) fn parse_fallback(text: &str) -> Result<String, String> {
    let names = || Provider::ALL.map(Provider::name).join(", ");
    check_fallback(text).map_err(|why| format!("{why} (providers: {})", names()))?;
    Ok(text.to_owned())
}

/// The value of `--provider`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProviderArg {
    /// Anthropic, or a server with its Messages API
    Anthropic,
    /// OpenAI
    Openai,
    /// Google's Gemini API
    Gemini,
    /// Gemini Code Assist, with an access token in GOOGLE_CLOUD_ACCESS_TOKEN
    #[value(name = "gemini_gca")]
    GeminiGca,
    /// A local Ollama
    Ollama,
    /// Any server with OpenAI's chat completions API: vLLM, llama.cpp, LM Studio, OpenRouter, …
    Compatible,
}

impl ProviderArg {
    pub(crate) fn provider(self) -> Provider {
        match self {
            Self::Anthropic => Provider::Anthropic,
            Self::Openai => Provider::Openai,
            Self::Gemini => Provider::Gemini,
            Self::GeminiGca => Provider::GeminiGca,
            Self::Ollama => Provider::Ollama,
            Self::Compatible => Provider::Compatible,
        }
    }
}

/// The value of `--api`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ApiArg {
    /// Chat completions
    Chat,
    /// Responses
    Responses,
}

impl ApiArg {
    fn api(self) -> Api {
        match self {
            Self::Chat => Api::Chat,
            Self::Responses => Api::Responses,
        }
    }
}

#[cfg(test)]
mod tests;
