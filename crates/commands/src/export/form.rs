//! The form of an export, as options.

use clap::Args;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
/// Options that choose the form; without one, records.
pub struct ExportFormArgs {
    /// Write the conversation as text for people instead of records
    #[arg(long)]
    text: bool,
    /// Write one document of the Agent Trajectory Interchange Format (ATIF 1.7) instead of records
    #[arg(long, conflicts_with = "text")]
    atif: bool,
    /// Write the session with its stored results and sub-agents as a file that `throughline import` reads
    #[arg(long, conflicts_with_all = ["text", "atif"])]
    bundle: bool,
}

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    /// A record a line.
    Records,
    /// Text for people.
    Text,
    /// A document of the Agent Trajectory Interchange Format.
    Atif,
    /// A file to continue the session on another computer.
    Bundle,
}

impl ExportFormArgs {
    /// The form that they choose.
    #[must_use]
    pub fn form(self) -> ExportForm {
        match (self.text, self.atif, self.bundle) {
            (true, ..) => ExportForm::Text,
            (_, true, _) => ExportForm::Atif,
            (.., true) => ExportForm::Bundle,
            _ => ExportForm::Records,
        }
    }
}
