//! Arguments that name a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use throughline::{Api, ModelChoice, Provider};

use crate::size::parse_tokens;

/// Which model answers, and where it is.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ModelArgs {
    /// Model provider [default: the first with an API key in the environment, else a local Ollama]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) provider: Option<ProviderArg>,
    /// Model, as its provider names it, or PROVIDER/MODEL [default: $THROUGHLINE_MODEL, if that is one of --provider, then
    /// the provider's usual one]
    #[arg(long, short, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Address of the API; alone it means a server that speaks like OpenAI
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// File with the API key of --provider or --base-url [default: the key in the environment]
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Another header for each request to --provider or --base-url, as `name: value`; may be repeated
    #[arg(long = "header", value_name = "HEADER")]
    pub(crate) headers: Vec<String>,
    /// Which of OpenAI's APIs [default: responses at OpenAI, chat everywhere else]
    #[arg(long, value_enum, value_name = "API")]
    pub(crate) api: Option<ApiArg>,
    /// Window in tokens, up to what the model has [default: all of it; of an Ollama 32,768 at most]
    #[arg(long, value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) window: Option<u64>,
    /// Tokens of thinking at most (Anthropic); Claude Opus 4.7 and later take an effort instead: low below 2,048, medium
    /// below 8,192, high from there [default: no thinking is asked for]
    #[arg(long, value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) thinking: Option<u64>,
    /// Seconds without a byte after which a request is given up
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u64>,
}

impl ModelArgs {
    /// The choice of a model that is typed.
    pub(crate) fn choice(&self) -> ModelChoice {
        ModelChoice {
            provider: self.provider.map(ProviderArg::provider),
            model: self.model.clone(),
            base_url: self.base_url.clone(),
            key_file: self.key_file.clone(),
            headers: self.headers.clone(),
            api: self.api.map(ApiArg::api),
            window: self.window,
            thinking: self.thinking,
            timeout: self.timeout,
        }
    }
}

/// A provider, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProviderArg {
    /// Anthropic, or a server that speaks its Messages API
    Anthropic,
    /// OpenAI
    Openai,
    /// A local Ollama
    Ollama,
    /// Any server that speaks like OpenAI's chat completions: vLLM, llama.cpp, LM Studio, OpenRouter, …
    Compatible,
}

impl ProviderArg {
    pub(crate) fn provider(self) -> Provider {
        match self {
            Self::Anthropic => Provider::Anthropic,
            Self::Openai => Provider::Openai,
            Self::Ollama => Provider::Ollama,
            Self::Compatible => Provider::Compatible,
        }
    }
}

/// One of OpenAI's APIs, as it is typed.
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
