//! Arguments of the program when no command is named.

use clap::Args;

use crate::run::args::HeadlessArgs;
use crate::session::args::SessionArgs;

/// Arguments of an interactive session.
#[derive(Debug, Clone, Args)]
pub(crate) struct ChatArgs {
    /// What is to be done first
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// Do it without a screen and print the answer: the same as `throughline run`
    #[arg(long, short)]
    pub(crate) print: bool,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) headless: HeadlessArgs,
}
