//! The commands that need the screen.

use clap::Subcommand;

use super::changes::{AgentsCommand, JobsCommand, McpCommand, PermissionsCommand};
use crate::export::ExportFormArgs;
use crate::numbers::parse_job;
use crate::plugins::PluginSwitch;

/// A command that needs the screen.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum ScreenCommand {
    /// Show the session and its model
    Status,
    /// Show what the session has used
    Cost,
    /// Show the changes of the workspace
    Diff,
    /// Copy the last answer to the clipboard
    Copy,
    /// Write the session to a file
    Export {
        /// The form
        #[command(flatten)]
        form: ExportFormArgs,
        /// The file
        #[arg(value_name = "FILE")]
        file: Option<String>,
    },
    /// Switch to another model
    Model {
        /// The model
        #[arg(value_name = "MODEL", trailing_var_arg = true)]
        name: Vec<String>,
    },
    /// Show how much the model thinks, or change it: off, low, medium, high, default or tokens
    Effort {
        /// The level
        #[arg(value_name = "LEVEL")]
        level: Option<String>,
    },
    /// Let file tools read a folder outside of the workspace, in this session
    AddDir {
        /// The folder
        #[arg(value_name = "FOLDER", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        folder: Vec<String>,
    },
    /// Continue in a copy of this session; this one stays unchanged
    Fork,
    /// Show or change what runs without a question
    #[command(args_conflicts_with_subcommands = true)]
    Permissions {
        /// The new mode
        #[arg(value_name = "MODE")]
        mode: Option<String>,
        /// The change
        #[command(subcommand)]
        what: Option<PermissionsCommand>,
    },
    /// Plan first, as /permissions plan does: the model only reads
    Plan,
    /// Switch vim's keys in the input on or off
    Vim,
    /// Show or change the settings
    Config {
        /// The setting
        #[arg(value_name = "KEY")]
        key: Option<String>,
        /// Its new value
        #[arg(value_name = "VALUE", trailing_var_arg = true, allow_hyphen_values = true)]
        value: Vec<String>,
    },
    /// List the output styles, or set that of the next session
    OutputStyle {
        /// Its name
        #[arg(value_name = "NAME", trailing_var_arg = true)]
        name: Vec<String>,
    },
    /// List the notes that outlive sessions
    Memos {
        /// Words to search for
        #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// List the kinds of sub-agents and those of this session, or end one
    Agents {
        /// The change
        #[command(subcommand)]
        what: Option<AgentsCommand>,
    },
    /// List the hooks: commands that run at events of the session
    Hooks,
    /// List the background commands, or show the end of what one has written
    #[command(args_conflicts_with_subcommands = true)]
    Jobs {
        /// Number of the job
        #[arg(value_name = "N", value_parser = parse_job, allow_hyphen_values = true)]
        number: Option<u64>,
        /// The change
        #[command(subcommand)]
        what: Option<JobsCommand>,
    },
    /// List the skills
    Skills,
    /// List the MCP servers and their tools, or change them
    Mcp {
        /// The change
        #[command(subcommand)]
        what: Option<McpCommand>,
    },
    /// List the plugins and what each brings, or enable or disable one
    #[command(visible_alias = "plugins")]
    Plugin {
        /// The change
        #[command(subcommand)]
        what: Option<PluginSwitch>,
    },
    /// Continue the interrupted turn
    Continue,
    /// Open another session
    Resume {
        /// Words to search for
        #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// List the sessions
    Sessions,
    /// Rename this session
    Rename {
        /// The new title
        #[arg(value_name = "TITLE", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        title: Vec<String>,
    },
    /// Start a new session
    #[command(visible_alias = "new")]
    Clear,
    /// Leave
    #[command(visible_alias = "exit")]
    Quit,
}

impl ScreenCommand {
    /// As [`Slash::works_anytime`](super::Slash::works_anytime).
    pub(super) fn works_anytime(&self) -> bool {
        match self {
            Self::Config { value, .. } => value.is_empty(),
            Self::OutputStyle { name } => name.is_empty(),
            Self::Status
            | Self::Cost
            | Self::Diff
            | Self::Memos { .. }
            | Self::Agents { .. }
            | Self::Hooks
            | Self::Jobs { .. }
            | Self::Skills
            | Self::Mcp { what: None }
            | Self::Plugin { what: None }
            | Self::Sessions
            | Self::Vim => true,
            _ => false,
        }
    }

    /// Returns true if a line begins with such a command.
    pub(in crate::slash) fn has(line: &str) -> bool {
        let name = line.split_whitespace().next().and_then(|word| word.strip_prefix('/'));
        name.is_some_and(Self::has_subcommand)
    }
}
