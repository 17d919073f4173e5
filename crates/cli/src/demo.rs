//! `throughline demo`: the engine at work with a scripted model, in two processes.

use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use tempfile::TempDir;
use throughline_demo::{DemoOptions, DemoPlace, FirstPart};
use throughline_terminal::{leave, line};

use crate::args::DemoArgs;
use crate::data_args::DataArgs;

/// The exit code of an interrupted demo.
const INTERRUPTED: i32 = 130;

/// Runs the demo, or as the child that is killed, its first part. Unless the user names a place, the session is in a temporary
/// folder, which is removed at the end.
pub(crate) async fn run(args: &DemoArgs, data: &DataArgs) -> anyhow::Result<()> {
    let pace = Duration::from_millis(args.pace);
    if let (Some(session), Some(workspace)) = (&args.worker_session, &args.workspace) {
        let data_dir = data.data_dir.as_deref();
        let part =
            FirstPart { session, workspace, data_dir, place: place(args.keep), colour: args.colour, pace };
        return part.run().await;
    }
    let named = data.data_dir.is_some() || data.database.is_some();
    if named && args.workspace.is_some() {
        let (workspace, data_dir) = (args.workspace.clone(), data.data_dir.clone());
        let options = DemoOptions { pace, workspace, data_dir, place: DemoPlace::Named };
        return throughline_demo::run(&options, child).await;
    }
    let folder = tempfile::Builder::new().prefix("throughline-demo-").tempdir();
    let folder = folder.context("could not create a temporary folder")?;
    let (root, workspace) = (folder.path().to_owned(), args.workspace.clone());
    let workspace = workspace.or_else(|| Some(root.join("project")));
    let options = match (named, args.keep) {
        (true, _) => {
            DemoOptions { pace, workspace, data_dir: data.data_dir.clone(), place: DemoPlace::Named }
        }
        (false, keep) => DemoOptions {
            pace,
            workspace,
            data_dir: Some(root.join("data")),
            place: if keep { DemoPlace::Own } else { DemoPlace::Removed },
        },
    };
    let folder = if args.keep { Err(folder.keep()) } else { Ok(folder) };
    let removal = folder.as_ref().ok().map(removed_at_interrupt);
    throughline_demo::run(&options, child).await?;
    if let Some(removal) = removal {
        removal.abort();
    }
    match folder {
        Ok(folder) => folder.close().context("could not remove the temporary folder of the demo")?,
        Err(root) => line(&format!("To remove all of it:  rm -r {}", root.display())),
    }
    Ok(())
}

/// Removes the folder and ends the program when the user interrupts the demo.
fn removed_at_interrupt(folder: &TempDir) -> tokio::task::AbortHandle {
    let folder = folder.path().to_owned();
    let waits = async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            // The system removes what is left of it.
            let _ = std::fs::remove_dir_all(folder);
            leave(INTERRUPTED);
        }
    };
    tokio::spawn(waits).abort_handle()
}

/// The place of the child's data folder.
fn place(own: bool) -> DemoPlace {
    if own { DemoPlace::Own } else { DemoPlace::Named }
}

/// The command line of the child.
fn child(part: &FirstPart<'_>) -> anyhow::Result<Command> {
    let program = std::env::current_exe().context("could not find this program's own file")?;
    let mut command = Command::new(program);
    if let Some(folder) = part.data_dir {
        command.arg("--data-dir").arg(folder);
    }
    command.args(["demo", "--worker-session", part.session]);
    command.envs(throughline_config::command_line_variables());
    command.arg("--workspace").arg(part.workspace).arg("--pace").arg(part.pace.as_millis().to_string());
    if part.place != DemoPlace::Named {
        command.arg("--keep");
    }
    if part.colour {
        command.arg("--colour");
    }
    Ok(command)
}
