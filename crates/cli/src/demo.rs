//! `throughline demo`: the engine at work with a scripted model, in two processes.

use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use throughline_demo::{DemoData, DemoOptions, DemoPlace, FirstPart};

use crate::args::DemoArgs;
use crate::data_args::DataArgs;

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
    let data = if named { DemoData::Named(data.data_dir.clone()) } else { DemoData::Temporary };
    let options = DemoOptions { pace, workspace: args.workspace.clone(), data, keep: args.keep };
    throughline_demo::run(options, child).await
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
