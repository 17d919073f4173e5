//! `throughline engine`: the context engine for a program that owns its loop, over stdin and stdout.

use std::path::PathBuf;

use clap::Args;
use throughline::ports::CancelFlag;
use throughline_config::workspace;
use throughline_connect::model_table;
use throughline_host::{LineNotices, memory_contexts, serve_lines, stored_contexts};
use throughline_stored::Storage;
use tokio::io::BufReader;

use crate::data_args::DataArgs;
use crate::interrupt;

#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The folder that new sessions belong to [default: the current one]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Store nothing: sessions are gone when the program ends
    #[arg(long)]
    memory: bool,
}

/// Serves one client until it closes stdin, or a signal comes. Open contexts are closed then.
pub(crate) async fn run(args: &EngineArgs, data: &DataArgs) -> anyhow::Result<()> {
    let stop = CancelFlag::new();
    let watcher = interrupt::watch(stop.clone(), || {});
    let (notices, models) = (LineNotices::default(), model_table()?);
    let contexts = if args.memory {
        memory_contexts(models, Some(notices.sink()))
    } else {
        let folder = workspace(args.folder.as_deref())?;
        let storage = Storage::open(data.data_dir.clone()).await?;
        stored_contexts(storage, folder, models, Some(notices.sink()))
    };
    widen_pipes();
    let input = BufReader::with_capacity(1 << 16, tokio::io::stdin());
    serve_lines(contexts, notices, input, std::io::stdout(), async move { stop.cancelled().await }).await?;
    watcher.abort();
    Ok(())
}

/// A body passes through a pipe of this size at once. Linux gives a pipe 64 KiB, and client and engine would take turns.
#[cfg(target_os = "linux")]
fn widen_pipes() {
    const BYTES: usize = 1 << 20;
    // A stream that is no pipe, and a user whose pipes have used up what the system allows, are served all the same.
    let _ = rustix::pipe::fcntl_setpipe_size(std::io::stdin(), BYTES);
    let _ = rustix::pipe::fcntl_setpipe_size(std::io::stdout(), BYTES);
}

#[cfg(not(target_os = "linux"))]
fn widen_pipes() {}
