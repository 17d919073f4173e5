//! Arguments of the program when no command is named.

use clap::Args;

use crate::run::args::HeadlessArgs;
use crate::session::args::SessionArgs;

/// Arguments of an interactive session.
#[derive(Debug, Clone, Args)]
pub(crate) struct ChatArgs {
    /// First prompt
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// Run the prompt without a screen and print the answer, as `throughline run` does
    #[arg(long, short)]
    pub(crate) print: bool,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) headless: HeadlessArgs,
}
