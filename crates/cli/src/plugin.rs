//! `throughline plugin`: marketplaces, and the plugins that are installed from them.

use clap::Args;
use throughline_commands::plugins::{PluginCommand, run as run_command};
use throughline_terminal::{json, pager};

#[derive(Debug, Args)]
pub(crate) struct PluginArgs {
    #[command(subcommand)]
    what: PluginCommand,
}

/// Runs a command and prints its answer.
pub(crate) async fn run(args: &PluginArgs) -> anyhow::Result<()> {
    let answer = run_command(&args.what).await?;
    if args.what.wants_json() {
        return Ok(json(&answer.json)?);
    }
    pager::show(&answer.text);
    Ok(())
}
