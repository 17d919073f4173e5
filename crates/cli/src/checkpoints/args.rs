//! Arguments of `throughline checkpoints`.

use clap::{Args, Subcommand};

use crate::ask::Ask;
use crate::numbers::parse_checkpoint;

#[derive(Debug, Args)]
pub(crate) struct CheckpointsArgs {
    /// Session: its id, the start of one, or `last`
    pub(crate) session: String,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// What to do [default: list]
    #[command(subcommand)]
    pub(crate) what: Option<CheckpointsCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CheckpointsCommand {
    /// List them, oldest first
    List,
    /// Show one: progress, failure, handoff and scratchpad; as JSON also the messages that the model was shown
    Show {
        /// Number of the checkpoint, from 1 [default: the newest]
        #[arg(value_name = "N", value_parser = parse_checkpoint, allow_hyphen_values = true)]
        number: Option<u64>,
    },
}

impl CheckpointsArgs {
    pub(crate) fn ask(&self) -> Ask {
        match &self.what {
            None | Some(CheckpointsCommand::List) => Ask::Checkpoints,
            Some(CheckpointsCommand::Show { number }) => Ask::Checkpoint { number: *number },
        }
    }
}
