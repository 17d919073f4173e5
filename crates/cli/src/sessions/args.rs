//! The arguments of `throughline sessions`.

use clap::{Args, Subcommand};

use super::prune::PruneArgs;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct SessionsArgs {
    #[command(subcommand)]
    pub(crate) what: Option<SessionsCommand>,
    /// Print one JSON array
    #[arg(long)]
    pub(crate) json: bool,
    /// List the sessions of sub-agents, too; as JSON they always are
    #[arg(long)]
    pub(crate) agents: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// Delete sessions permanently: records and stored results
    Delete {
        /// Session ids, starts of ids, or `last`
        #[arg(required = true, value_name = "SESSION")]
        sessions: Vec<String>,
        /// Delete the memos that they wrote, too: those outlive their sessions
        #[arg(long)]
        memos: bool,
        /// Do not ask for confirmation
        #[arg(long, short)]
        yes: bool,
        /// Let `last` mean the newest session of all folders, not of this one
        #[arg(long)]
        any_folder: bool,
    },
    /// Delete all sessions that are older than a span permanently, while other processes write
    Prune(PruneArgs),
}
