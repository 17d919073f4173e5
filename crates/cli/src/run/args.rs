//! Arguments of `throughline run`, and those that name a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::session::args::SessionArgs;
use crate::size::parse_tokens;

/// Which model answers, and where it is.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ModelArgs {
    /// Who serves the model [default: whoever has a key in the environment, then a local Ollama]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) provider: Option<Provider>,
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
    pub(crate) api: Option<Api>,
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

/// Who serves a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Provider {
    /// Anthropic, or a server that speaks its Messages API
    Anthropic,
    /// OpenAI
    Openai,
    /// A local Ollama
    Ollama,
    /// Any server that speaks like OpenAI's chat completions: vLLM, llama.cpp, LM Studio, OpenRouter, …
    Compatible,
}

impl Provider {
    /// Its name, as it is typed and stored.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Openai => "openai",
            Self::Ollama => "ollama",
            Self::Compatible => "compatible",
        }
    }
}

/// One of OpenAI's APIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Api {
    /// Chat completions
    Chat,
    /// Responses
    Responses,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// The answer on standard output, progress on standard error
    Text,
    /// One JSON object at the end
    Json,
    /// One JSON object a line for everything that happens
    StreamJson,
}

/// Arguments of `throughline run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// What is to be done; `-` reads it from standard input [default: standard input when that is no terminal; with
    /// --continue or --resume it must begin within 3 seconds]
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// Work on the task of this file, turn after turn, until its quality gates say that it is done
    #[arg(long, value_name = "FILE", conflicts_with = "prompt")]
    pub(crate) task: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) headless: HeadlessArgs,
}

/// What belongs to a run without a screen.
#[derive(Debug, Clone, Args)]
pub(crate) struct HeadlessArgs {
    /// What is printed
    #[arg(long, short, value_enum, default_value_t = Output::Text, value_name = "FORMAT")]
    pub(crate) output: Output,
    /// Requests to the model at most
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    pub(crate) max_turns: Option<u64>,
}
