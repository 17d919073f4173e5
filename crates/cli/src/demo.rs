//! `throughline demo`: the engine at work with a scripted model, in two processes.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use throughline_demo::{DemoOptions, FirstPart};

use crate::args::DemoArgs;

/// Runs the demo, or as the child that is killed, its first part.
pub(crate) async fn run(args: &DemoArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let pace = Duration::from_millis(args.pace);
    if let (Some(session), Some(workspace)) = (&args.worker_session, &args.workspace) {
        let part = FirstPart { session, workspace, data_dir: data_dir.as_deref(), colour: args.colour, pace };
        return part.run().await;
    }
    let options = DemoOptions { pace, workspace: args.workspace.clone(), data_dir };
    throughline_demo::run(&options, child).await
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
    if part.colour {
        command.arg("--colour");
    }
    Ok(command)
}
