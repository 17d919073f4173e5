//! The arguments of `throughline export`.

use std::path::PathBuf;

use clap::Args;
use throughline_commands::export::ExportFormArgs;

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Session id, the start of one, or `last`
    pub(crate) session: String,
    /// File to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) form: ExportFormArgs,
}
