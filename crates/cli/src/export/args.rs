//! The arguments of `throughline export`.

use std::path::PathBuf;

use clap::Args;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub(crate) struct ExportFormArgs {
    /// Write the conversation as text for people instead of records
    #[arg(long)]
    text: bool,
    /// Write one document of the Agent Trajectory Interchange Format (ATIF 1.7) instead of records
    #[arg(long, conflicts_with = "text")]
    atif: bool,
}

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExportForm {
    /// A record a line.
    Records,
    /// Text for people.
    Text,
    /// A document of the Agent Trajectory Interchange Format.
    Atif,
}

impl ExportFormArgs {
    pub(crate) fn form(self) -> ExportForm {
        match (self.text, self.atif) {
            (true, _) => ExportForm::Text,
            (_, true) => ExportForm::Atif,
            _ => ExportForm::Records,
        }
    }
}
