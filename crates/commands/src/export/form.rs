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
}

impl ExportFormArgs {
    /// The form that they choose.
    #[must_use]
    pub fn form(self) -> ExportForm {
        match (self.text, self.atif) {
            (true, _) => ExportForm::Text,
            (_, true) => ExportForm::Atif,
            _ => ExportForm::Records,
        }
    }
}
