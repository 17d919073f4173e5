//! `throughline serve`: the inspector and its API over HTTP.

use clap::Args;
use throughline::{AccessToken, Storage};
use throughline_server::{Server, TOKEN_FILE};

use crate::data_args::DataArgs;
use crate::terminal::line;

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Port of the loopback interface; 0 is any free port
    #[arg(long, value_name = "PORT", default_value_t = 8378)]
    port: u16,
}

/// Serves until SIGINT or SIGTERM.
pub(crate) async fn run(args: &ServeArgs, data: &DataArgs) -> anyhow::Result<()> {
    // Before the address is printed: a program that reads it may stop the server at once.
    let stop = stop()?;
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let (token, _) = AccessToken::of_folder(storage.folder.root(), TOKEN_FILE)?;
    let server = Server::listen(args.port, token).await?;
    line(&format!("Listening on {}", server.url()));
    Ok(server.run(storage, stop).await?)
}

/// Ends at the first signal that asks the program to stop.
#[cfg(unix)]
fn stop() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Ends at Ctrl+C.
#[cfg(not(unix))]
fn stop() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async { drop(tokio::signal::ctrl_c().await) })
}
