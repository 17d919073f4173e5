//! What some commands of the screen change.

use clap::Subcommand;

use crate::mcp::{McpChange, McpLoginArgs};
use crate::numbers::{parse_agent, parse_job, parse_rule};

/// A change of the MCP servers.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum McpCommand {
    /// A change of the settings.
    #[command(flatten)]
    Change(McpChange),
    /// Log in to a server with an address, in your browser
    Login {
        /// Name of the server
        #[arg(value_name = "NAME")]
        name: String,
        /// Where the browser was sent to, if that is on another machine
        #[arg(value_name = "ADDRESS")]
        pasted: Option<String>,
    },
    /// Delete the login to a server
    Logout(McpLoginArgs),
    /// Read the settings again, and restart all servers or one
    Reload {
        /// Name of the server
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
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

/// A change of the sub-agents in the background.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum AgentsCommand {
    /// End a sub-agent in the background
    Stop {
        /// Its number
        #[arg(value_name = "N", value_parser = parse_agent, allow_hyphen_values = true)]
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
