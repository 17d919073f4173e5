//! The folders of a demo. Those that the user does not name are in a temporary one, which is removed at the end or when the
//! user interrupts the demo.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use throughline_terminal::{leave, line};
use tokio::task::AbortHandle;

use crate::run::{DemoPlace, DemoRun, FirstPart};

/// The pause after each answer with which a person can follow the demo.
pub const READABLE_PACE: Duration = Duration::from_millis(60);

/// The exit code of an interrupted demo.
const INTERRUPTED: i32 = 130;

/// How the demo runs.
#[derive(Debug, Clone, Default)]
pub struct DemoOptions {
    /// The pause after each answer.
    pub pace: Duration,
    /// The folder of the project, which must be empty. `None`: one in a temporary folder.
    pub workspace: Option<PathBuf>,
    /// Where the session is stored.
    pub data: DemoData,
    /// Leaves the temporary folder, and prints how to remove it.
    pub keep: bool,
}

/// Where a demo stores its session.
#[derive(Debug, Clone, Default)]
pub enum DemoData {
    /// In a temporary folder.
    #[default]
    Temporary,
    /// In this data folder, or in the user's own, with the database that the settings name.
    Named(Option<PathBuf>),
}

/// Runs the demo. `child` makes the command of a process that calls [`FirstPart::run`] and prints to standard output.
///
/// # Errors
/// The project's folder is not empty, `git` is missing, the session fails, or a temporary folder cannot be created or removed.
pub async fn run(
    options: DemoOptions,
    child: impl FnOnce(&FirstPart<'_>) -> anyhow::Result<Command>,
) -> anyhow::Result<()> {
    let DemoOptions { pace, workspace, data, keep } = options;
    if let (Some(workspace), DemoData::Named(data_dir)) = (&workspace, &data) {
        let (workspace, data_dir) = (workspace.clone(), data_dir.clone());
        return DemoRun { pace, workspace, data_dir, place: DemoPlace::Named }.run(child).await;
    }
    let folder = tempfile::Builder::new().prefix("throughline-demo-").tempdir();
    let folder = folder.context("could not create a temporary folder")?;
    let (data_dir, place) = match data {
        DemoData::Named(data_dir) => (data_dir, DemoPlace::Named),
        DemoData::Temporary if keep => (Some(folder.path().join("data")), DemoPlace::Own),
        DemoData::Temporary => (Some(folder.path().join("data")), DemoPlace::Removed),
    };
    let workspace = workspace.unwrap_or_else(|| folder.path().join("project"));
    let demo = DemoRun { pace, workspace, data_dir, place };
    if keep {
        let folder = folder.keep();
        demo.run(child).await?;
        line(&format!("To remove all of it:  rm -r {}", folder.display()));
        return Ok(());
    }
    let removal = removed_at_interrupt(folder.path());
    demo.run(child).await?;
    removal.abort();
    folder.close().context("could not remove the temporary folder of the demo")
}

/// Removes the folder and ends the program when the user interrupts the demo.
fn removed_at_interrupt(folder: &Path) -> AbortHandle {
    let folder = folder.to_owned();
    let waits = async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            // The system removes what is left of it.
            let _ = std::fs::remove_dir_all(folder);
            leave(INTERRUPTED);
        }
    };
    tokio::spawn(waits).abort_handle()
}
