//! Arguments of `throughline run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::session::args::SessionArgs;

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
