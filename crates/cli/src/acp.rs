//! `throughline acp`: the agent for an editor, by the Agent Client Protocol over standard input and output.

mod commands;

use std::io::{BufReader, IsTerminal as _, stdin};
use std::sync::Arc;

use anyhow::ensure;
use clap::Args;
use commands::SlashCommands;
use throughline::ports::CancelFlag;
use throughline_acp::{AcpOptions, serve};
use throughline_config::workspace;
use throughline_stored::Storage;
use throughline_terminal::note;

use crate::data_args::DataArgs;
use crate::interrupt;
use crate::login::choose;
use crate::serve::check_settings;
use crate::session::args::AgentArgs;

#[derive(Debug, Args)]
pub(crate) struct AcpArgs {
    /// Ask for a key of a provider, store it, and end: an editor starts this in a terminal
    #[arg(long)]
    login: bool,
    #[command(flatten)]
    agent: AgentArgs,
}

/// Serves one client until it closes standard input, or until SIGINT or SIGTERM. Turns that run then are cancelled and
/// recorded; a second signal ends the program at once.
pub(crate) async fn run(args: &AcpArgs, data: &DataArgs) -> anyhow::Result<()> {
    if args.login {
        ensure!(choose().await?, "no key was stored");
        return Ok(());
    }
    let stop = CancelFlag::new();
    let watcher = interrupt::watch(stop.clone(), || {});
    if stdin().is_terminal() {
        note(
            "Waiting for JSON-RPC on standard input: an editor starts this command, see docs/acp.md. Ctrl+C ends it.",
        );
    }
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let sources = args.agent.sources(data.data_dir.clone());
    check_settings(&sources, &storage, &workspace(None)?).await?;
    let options = AcpOptions {
        run: args.agent.options(None),
        sources,
        storage,
        commands: Arc::new(SlashCommands),
        log: note,
    };
    let input = || Box::new(BufReader::new(stdin())) as Box<_>;
    let served = serve(options, input, tokio::io::stdout(), async move { stop.cancelled().await }).await;
    watcher.abort();
    Ok(served?)
}
