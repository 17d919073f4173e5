//! Arguments of `throughline checkpoints`.

use clap::{Args, Subcommand};

use crate::numbers::parse_checkpoint;
use crate::session_command::SessionCommand;

#[derive(Debug, Args)]
pub(crate) struct CheckpointsArgs {
    /// Session id, the start of one, or `last`
    pub(crate) session: String,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Action [default: list]
    #[command(subcommand)]
    pub(crate) what: Option<CheckpointsCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CheckpointsCommand {
    /// List checkpoints, oldest first
    List,
    /// Show one: progress, failure, handoff and scratchpad; as JSON also the messages in view at that time
    Show(CheckpointNumber),
}

/// The number of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(crate) struct CheckpointNumber {
    /// Number of the checkpoint, from 1 [default: the newest]
    #[arg(value_name = "N", value_parser = parse_checkpoint, allow_hyphen_values = true)]
    pub(crate) number: Option<u64>,
}

impl CheckpointsArgs {
    pub(crate) fn command(&self) -> SessionCommand {
        match &self.what {
            None | Some(CheckpointsCommand::List) => SessionCommand::Checkpoints,
            Some(CheckpointsCommand::Show(show)) => SessionCommand::Checkpoint { number: show.number },
        }
    }
}
