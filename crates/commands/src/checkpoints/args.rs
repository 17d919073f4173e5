//! Arguments of `throughline checkpoints`.

use clap::{Args, Subcommand};

use crate::numbers::parse_checkpoint;
use crate::session_command::SessionCommand;

/// The session, and what to show of its checkpoints.
#[derive(Debug, Args)]
pub struct CheckpointsArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Action [default: list]
    #[command(subcommand)]
    pub what: Option<CheckpointsCommand>,
}

#[derive(Debug, Subcommand)]
pub enum CheckpointsCommand {
    /// List checkpoints, oldest first
    List,
    /// Show one: progress, failure, handoff and scratchpad; as JSON also the messages in view at that time
    Show(CheckpointNumber),
}

/// The number of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct CheckpointNumber {
    /// Number of the checkpoint, from 1 [default: the newest]
    #[arg(value_name = "N", value_parser = parse_checkpoint, allow_hyphen_values = true)]
    pub number: Option<u64>,
}

impl CheckpointsArgs {
    /// The command on the session.
    pub fn command(&self) -> SessionCommand {
        match &self.what {
            None | Some(CheckpointsCommand::List) => SessionCommand::Checkpoints,
            Some(CheckpointsCommand::Show(show)) => SessionCommand::Checkpoint { number: show.number },
        }
    }
}
