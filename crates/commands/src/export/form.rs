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
    /// Write the lines of a session of Claude Code, which `claude --resume` continues, instead of records
    #[arg(long, conflicts_with_all = ["text", "atif"])]
    claude: bool,
    /// Write a Conversation of pydantic-ai as JSON instead of records
    #[arg(long, conflicts_with_all = ["text", "atif", "claude"])]
    pydantic_ai: bool,
    /// Write the session with its stored results and sub-agents as a file that `throughline import` reads
    #[arg(long, conflicts_with_all = ["text", "atif", "claude", "pydantic_ai"])]
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
    /// Lines of Claude Code.
    Claude,
    /// A conversation of pydantic-ai.
    PydanticAi,
    /// A file to continue the session on another computer.
    Bundle,
}

impl ExportForm {
    /// The end of the name of a file.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Records | Self::Claude => "jsonl",
            Self::Text => "txt",
            Self::Atif | Self::PydanticAi => "json",
            Self::Bundle => "throughline",
        }
    }
}

impl ExportFormArgs {
    /// The form that they choose.
    #[must_use]
    pub fn form(self) -> ExportForm {
        let chosen = [
            (self.text, ExportForm::Text),
            (self.atif, ExportForm::Atif),
            (self.claude, ExportForm::Claude),
            (self.pydantic_ai, ExportForm::PydanticAi),
            (self.bundle, ExportForm::Bundle),
        ];
        chosen.into_iter().find(|(is_chosen, _)| *is_chosen).map_or(ExportForm::Records, |(_, form)| form)
    }
}
