//! What some commands of the screen change.

use clap::Subcommand;

use crate::mcp::McpChange;
use crate::numbers::{parse_job, parse_rule};

/// A change of the MCP servers.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum McpCommand {
    /// A change of the settings.
    #[command(flatten)]
    Change(McpChange),
    /// Read the settings again, and restart all servers
    Reload,
}

/// A change of the background commands.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum JobsCommand {
    /// End a background command with all its processes
    Stop {
        /// Number of the job
        #[arg(value_name = "N", value_parser = parse_job, allow_hyphen_values = true)]
        number: u64,
    },
}

/// A change of the permissions.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum PermissionsCommand {
    /// Change the mode
    Mode {
        /// The new mode
        #[arg(value_name = "MODE")]
        mode: String,
    },
    /// Forget a remembered rule
    Remove {
        /// Number of the rule
        #[arg(value_name = "N", value_parser = parse_rule, allow_hyphen_values = true)]
        number: u64,
    },
}
