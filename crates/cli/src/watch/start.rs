//! Starts an agent with our hooks and tools, for this run alone.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use throughline_commands::UsageError;
use throughline_watch::{Launch, LaunchChoice, Observed, OwnProgram, launch, not_started};

use super::child;
use super::hook::place;
use super::pty;
use crate::data_args::DataArgs;

/// Starts the program, in place of this one where nothing is left to do after it. `screen`: its screen is watched even where
/// hooks work. Returns its exit code, or why it cannot be started.
pub(super) async fn start(
    command: &[OsString],
    screen: bool,
    choice: LaunchChoice,
    data: &DataArgs,
) -> anyhow::Result<ExitCode> {
    let Some((program, arguments)) = command.split_first() else {
        bail!(UsageError("name a program".to_owned()))
    };
    // Hooks and tool servers are other processes, and a list of processes shows their arguments.
    if data.database.is_some() {
        let why = "--database is not for watching: set storage.database, which the hooks read too";
        bail!(UsageError(why.to_owned()))
    }
    if data.blobs.is_some() {
        let why = "--blobs is not for watching: set storage.blobs, which the hooks read too";
        bail!(UsageError(why.to_owned()))
    }
    let settings = place(data).settings()?;
    let own = OwnProgram::current(data.data_dir.as_deref())?;
    let Launch { mut command, agent, is_hooked, restores, folder } =
        launch(program, arguments, choice, &settings, own)?;
    let ended = if screen || !is_hooked {
        let data_dir = data.data_dir.clone();
        pty::run(&command, Observed { agent, hooked: restores, settings, data_dir }).await
    } else if folder.is_some() {
        child::run(command).await
    } else {
        Err(command.exec().into())
    };
    if let Some(folder) = folder {
        folder.close()?;
    }
    ended.with_context(|| not_started(program))
}
