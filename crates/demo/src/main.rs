//! `cargo demo`: the demo as a program of its own, for a clone in which nothing is built yet. `throughline demo` is the same
//! demo with options.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};
use throughline_demo::{DemoOptions, DemoPlace, FirstPart, READABLE_PACE};
use throughline_terminal::complain;
use throughline_text::error_chain;

/// The first argument of a child: what a user types is no part of a demo.
const FIRST_PART: &str = "--first-part";
/// The last argument of a child that prints colours.
const COLOUR: &str = "colour";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error_chain(&*error));
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new().context("could not start the runtime")?;
    runtime.block_on(async {
        match arguments.as_slice() {
            [] => {
                let options = DemoOptions { pace: READABLE_PACE, ..DemoOptions::default() };
                throughline_demo::run(options, child).await
            }
            [part, session, workspace, data_dir, colour @ ..] if part == FIRST_PART => {
                first_part(session, Path::new(workspace), Path::new(data_dir), colour).run().await
            }
            _ => bail!("this program takes no arguments; `throughline demo` has options"),
        }
    })
}

/// The part that is killed, of the arguments of [`child`].
fn first_part<'a>(
    session: &'a OsStr,
    workspace: &'a Path,
    data_dir: &'a Path,
    colour: &[OsString],
) -> FirstPart<'a> {
    FirstPart {
        // The ids that a demo makes are ASCII.
        session: session.to_str().unwrap_or_default(),
        workspace,
        data_dir: Some(data_dir),
        place: DemoPlace::Own,
        colour: colour.iter().any(|word| word == COLOUR),
        pace: READABLE_PACE,
    }
}

/// This program with the arguments of the first part.
fn child(part: &FirstPart<'_>) -> anyhow::Result<Command> {
    let program = std::env::current_exe().context("could not find this program's own file")?;
    let data_dir = part.data_dir.context("the demo has no data folder")?;
    let mut command = Command::new(program);
    command.arg(FIRST_PART).arg(part.session).arg(part.workspace).arg(data_dir);
    if part.colour {
        command.arg(COLOUR);
    }
    Ok(command)
}
