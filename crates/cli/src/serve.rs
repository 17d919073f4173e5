//! `throughline serve`: the inspector, its API over HTTP, and turns that run through it.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use throughline::ports::CancelFlag;
use throughline_config::{AccessToken, TokenUse, workspace};
use throughline_connect::model_table;
use throughline_host::stored_contexts;
use throughline_server::{PublicUrl, Server, ServerReach, TurnOptions};
use throughline_session::{Attendance, RunSources, permissions};
use throughline_stored::Storage;
use throughline_terminal::{line, note};
use throughline_text::error_chain;

use crate::data_args::DataArgs;
use crate::interrupt;
use crate::session::args::AgentArgs;

/// Maximum number of turns that a limit may allow.
const MOST_TURNS: u64 = 10_000;

/// Maximum minutes without use: a year.
const MOST_MINUTES: u64 = 525_600;

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Port; 0 is any free port
    #[arg(long, value_name = "PORT", default_value_t = 8378)]
    port: u16,
    /// Address of the interface to listen on; one that other machines reach needs --public-url
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Address that clients use, for example of a proxy with TLS: https://agents.example.com
    #[arg(long, value_name = "URL", value_parser = PublicUrl::parse)]
    public_url: Option<PublicUrl>,
    /// File with the token, for several servers that clients see as one [default: server-token in the data folder]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Folder in which turns may work; repeatable. New sessions work in the first one [default: the current one]
    // Its own id, distinct from the global option `--workspace` of `memos`.
    #[arg(id = "serve_workspace", long = "workspace", value_name = "FOLDER")]
    workspaces: Vec<PathBuf>,
    /// Let turns work in every folder that a request or a stored session names
    #[arg(long)]
    any_workspace: bool,
    /// Maximum number of turns that run at the same time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=MOST_TURNS))]
    max_turns: u64,
    /// How long a call that needs approval waits for an answer; then it is denied. 0 denies it at once, as `run` does
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    answer_timeout: u64,
    /// Close a context that no request has used for this long; the next request opens it again. 0 never closes one
    #[arg(long, value_name = "MINUTES", default_value_t = 60, value_parser = clap::value_parser!(u64).range(..=MOST_MINUTES))]
    context_idle: u64,
    #[command(flatten)]
    agent: AgentArgs,
}

impl ServeArgs {
    /// What the turns of the server have in common.
    async fn turns(&self, data: &DataArgs, storage: &Storage) -> anyhow::Result<TurnOptions> {
        let mut workspaces = Vec::new();
        for folder in &self.workspaces {
            workspaces.push(workspace(Some(folder))?);
        }
        if workspaces.is_empty() {
            workspaces.push(workspace(None)?);
        }
        let sources = self.agent.sources(data.data_dir.clone());
        if let Some(folder) = workspaces.first() {
            check_settings(&sources, storage, folder).await?;
        }
        Ok(TurnOptions {
            run: self.agent.options(None),
            sources,
            workspaces,
            any_workspace: self.any_workspace,
            max_turns: usize::try_from(self.max_turns)?,
            answer_timeout: Duration::from_secs(self.answer_timeout),
        })
    }
}

/// Fails if an option of this command cannot be used, which is wrong in every folder. A setting of the folder that cannot be
/// used is printed: stored sessions can be read whatever the settings.
pub(crate) async fn check_settings(
    sources: &RunSources,
    storage: &Storage,
    folder: &Path,
) -> anyhow::Result<()> {
    let used = async {
        let config = sources.load(Some(folder))?;
        permissions(&config, storage.folder.root(), folder, Attendance::Unattended).await.map(|_| ())
    };
    match used.await {
        Err(error) if !sources.flags.is_empty() || sources.file.is_some() => Err(error.into()),
        Err(error) => {
            note(&format!("no turn can run until the settings are corrected: {}", error_chain(&error)));
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// Serves until SIGINT or SIGTERM. Turns that run then are cancelled and recorded; a second signal ends the program at once.
pub(crate) async fn run(args: &ServeArgs, data: &DataArgs) -> anyhow::Result<()> {
    // Before the address is printed: a program that reads it may stop the server at once.
    let stop = CancelFlag::new();
    let watcher = interrupt::watch(stop.clone(), || {});
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let turns = args.turns(data, &storage).await?;
    let token = match &args.token_file {
        Some(file) => AccessToken::of_file(file)?,
        None => AccessToken::of_folder(storage.folder.root(), TokenUse::Sessions)?.0,
    };
    let public = args.public_url.clone();
    if public.as_ref().is_some_and(|public| !public.is_encrypted()) {
        note(
            "the token and all sessions cross the network unencrypted: put a proxy with TLS in front, and name it https://",
        );
    }
    let mut server = Server::listen(ServerReach { bind: args.bind, port: args.port, public }, token).await?;
    if args.context_idle > 0 {
        server = server.close_idle_contexts(Duration::from_secs(args.context_idle * 60));
    }
    // At once: a program that reads the first line may close the pipe.
    let listening: Vec<String> = server.urls().iter().map(|url| format!("Listening on {url}")).collect();
    line(&listening.join("\n"));
    let folder = turns.workspaces.first().cloned().unwrap_or_default();
    let contexts = stored_contexts(storage.clone(), folder, model_table()?, None);
    server.run(storage, contexts, turns, async move { stop.cancelled().await }).await;
    watcher.abort();
    Ok(())
}
