//! `throughline serve`: the inspector, its API over HTTP, turns that run through it, and its users.

pub(crate) mod args;
mod audit;
mod token;
mod transcripts;

use std::path::Path;
use std::time::Duration;

use throughline::ports::CancelFlag;
use throughline_config::{AccessToken, Retention, TokenUse, workspace};
use throughline_connect::model_table;
use throughline_host::stored_contexts;
use throughline_server::{Server, ServerReach, ServerTls, TurnOptions, UserLimits};
use throughline_session::{Attendance, RunSources, permissions};
use throughline_stored::Storage;
use throughline_terminal::{line, note};
use throughline_text::error_chain;

use self::args::{ServeArgs, ServeCommand};
use crate::data_args::DataArgs;
use crate::interrupt;

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

/// Serves until SIGINT or SIGTERM, or does what is asked with the users of servers.
pub(crate) async fn run(args: &ServeArgs, data: &DataArgs) -> anyhow::Result<()> {
    let Some(command) = &args.what else { return serve(args, data).await };
    match command {
        ServeCommand::Token(command) => {
            token::run(command, &Storage::open_to_delete(data.data_dir.clone()).await?).await
        }
        ServeCommand::Audit(args) => {
            audit::run(args, &Storage::open_to_read(data.data_dir.clone()).await?).await
        }
    }
}

/// Serves. Turns that run at the first signal are cancelled and recorded; a second signal ends the program at once.
async fn serve(args: &ServeArgs, data: &DataArgs) -> anyhow::Result<()> {
    // Before the address is printed: a program that reads it may stop the server at once.
    let stop = CancelFlag::new();
    let watcher = interrupt::watch(stop.clone(), || {});
    let retention = Retention::of_user()?;
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let turns = args.turns(data, &storage).await?;
    let server = listen(args, &storage, retention).await?;
    // At once: a program that reads the first line may close the pipe.
    let listening: Vec<String> = server.urls().iter().map(|url| format!("Listening on {url}")).collect();
    line(&listening.join("\n"));
    let folder = turns.workspaces.first().cloned().unwrap_or_default();
    let contexts = stored_contexts(storage.clone(), folder, model_table()?, None);
    server.run(storage, contexts, turns, async move { stop.cancelled().await }).await;
    watcher.abort();
    Ok(())
}

/// The server that the arguments describe.
async fn listen(args: &ServeArgs, storage: &Storage, retention: Option<Retention>) -> anyhow::Result<Server> {
    let token = match &args.token_file {
        Some(file) => AccessToken::of_file(file)?,
        None => AccessToken::of_folder(storage.folder.root(), TokenUse::Sessions)?.0,
    };
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificates), Some(key)) => Some(ServerTls::of_files(certificates, key)?),
        _ => None,
    };
    let public = args.public_url.clone();
    if public.as_ref().is_some_and(|public| !public.is_encrypted()) {
        anyhow::ensure!(
            tls.is_none(),
            "--tls-cert and a --public-url of http:// contradict each other: name it https://"
        );
        note(
            "tokens and all sessions cross the network unencrypted: put a proxy with TLS in front, or give --tls-cert, and \
             name it https://",
        );
    }
    let mut server = Server::listen(ServerReach { bind: args.bind, port: args.port, public }, token).await?;
    server = server.limit_users(UserLimits {
        rate: args.rate,
        burst: args.burst,
        open: usize::try_from(args.user_open)?,
    });
    if let Some(retention) = retention {
        server = server.delete_older(retention);
    }
    server = server.show_transcripts(args.transcripts.places()?);
    if let Some(tls) = tls {
        server = server.encrypt(tls);
    }
    if args.context_idle > 0 {
        server = server.close_idle_contexts(Duration::from_secs(args.context_idle * 60));
    }
    Ok(server)
}
