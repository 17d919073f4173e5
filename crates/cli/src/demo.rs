//! `throughline demo`: the real engine at work, with a scripted model and real tools.
//!
//! A child process runs the session and is killed in the middle of a tool call; this process continues from the log.

mod model;
mod project;
mod screen;
mod script;
mod summary;
mod vat_tools;
mod worker;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use screen::Screen;
use throughline::{Storage, new_session_id, now};
use throughline_commands::window_bar;
use throughline_conversation::SessionId;
use throughline_terminal::{Style, line};
use throughline_text::group_thousands;

use crate::args::DemoArgs;

/// Window of the demo in tokens: so small that compactions happen within a minute.
const WINDOW: u64 = 20_000;
/// Tokens of it reserved for output.
const MAX_OUTPUT: u64 = 2_000;

/// Runs the demo, or as the child that is killed, its first part.
pub(crate) async fn run(args: &DemoArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let pace = Duration::from_millis(args.pace);
    if let (Some(session), Some(workspace)) = (&args.worker_session, &args.workspace) {
        let data = Storage::open(data_dir).await?;
        let screen = Screen::new(Style::with_colour(args.colour), true, pace);
        return worker::run(&data, &SessionId::new(session.clone())?, workspace, &screen).await;
    }
    let style = Style::of_stdout();
    let session = new_session_id("demo", now())?;
    let workspace = workspace(args, &session)?;
    project::create(&workspace)?;
    let data = Storage::open(data_dir).await?;

    line(&style.bold("Throughline demo: the real engine, real tools, a scripted model. No network, no key."));
    line(&format!("project   {}", workspace.display()));
    line(&format!(
        "window    {} tokens, {} of them reserved for output",
        group_thousands(WINDOW),
        group_thousands(MAX_OUTPUT)
    ));
    line(&format!("          {}", window_bar::legend(style)));
    first_part(args, &data, &session, &workspace, style)?;

    line("");
    line(&style.paint(
        "31",
        "The process was killed (SIGKILL) in the middle of a tool call. This one continues from its log.",
    ));
    let screen = Screen::new(style, false, pace);
    worker::run(&data, &session, &workspace, &screen).await?;
    summary::print(&data, &session, style).await?;
    data.store.close().await?;
    Ok(())
}

/// An empty folder for the project.
fn workspace(args: &DemoArgs, session: &SessionId) -> anyhow::Result<PathBuf> {
    let folder =
        args.workspace.clone().unwrap_or_else(|| std::env::temp_dir().join(format!("throughline-{session}")));
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("could not create the folder {}", folder.display()))?;
    let empty = std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_none());
    ensure!(empty, "the folder {} is not empty; name an empty one", folder.display());
    folder.canonicalize().with_context(|| format!("could not find {}", folder.display()))
}

/// Runs a child until the tool call in which it is killed.
fn first_part(
    args: &DemoArgs,
    data: &Storage,
    session: &SessionId,
    workspace: &Path,
    style: Style,
) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("could not find this program's own file")?;
    let mut command = Command::new(program);
    command.arg("--data-dir").arg(data.folder.root()).args(["demo", "--worker-session", session.as_str()]);
    command.envs(throughline::command_line_variables());
    command.arg("--workspace").arg(workspace).arg("--pace").arg(args.pace.to_string());
    if style.colours() {
        command.arg("--colour");
    }
    let mut child = command.stdout(Stdio::piped()).spawn().context("could not start the first process")?;
    let killed = watch(&mut child);
    // No child is left behind, whatever happened.
    let _ = child.kill();
    let status = child.wait().context("could not wait for the first process")?;
    ensure!(killed?, "the first process ended by itself ({status}) before it could be killed");
    Ok(())
}

/// Shows the child's lines until the call in which it is killed. Returns false if it ended before.
fn watch(child: &mut Child) -> anyhow::Result<bool> {
    let output = child.stdout.take().context("the first process has no output")?;
    let fatal = format!("@tool {}", script::KILLED_CALL);
    let mut last = false;
    for text in BufReader::new(output).lines() {
        let text = text.context("could not read what the first process prints")?;
        match text.strip_prefix('@') {
            Some(_) => last |= text == fatal,
            None => line(&text),
        }
        // The line after the control line names the call for the reader.
        if last && !text.starts_with('@') {
            // Into the middle of the tool's work.
            std::thread::sleep(Duration::from_millis(300));
            return Ok(true);
        }
    }
    Ok(false)
}
