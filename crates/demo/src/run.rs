//! Runs the demo: a child process is killed in the middle of a tool call, and this one continues from the log.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use throughline_conversation::SessionId;
use throughline_stored::{Storage, new_session_id, now};
use throughline_terminal::window_bar;
use throughline_terminal::{Style, line};
use throughline_text::group_thousands;

use crate::screen::Screen;
use crate::{project, script, summary, worker};

/// A demo in folders that exist or can be created.
#[derive(Debug)]
pub(crate) struct DemoRun {
    /// The pause after each answer.
    pub(crate) pace: Duration,
    /// The folder of the project, which must be empty.
    pub(crate) workspace: PathBuf,
    /// The data folder. `None`: the user's own.
    pub(crate) data_dir: Option<PathBuf>,
    /// Whose data folder it is.
    pub(crate) place: DemoPlace,
}

/// Whose data folder a demo works in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DemoPlace {
    /// One that the user named, with the database that the settings name.
    #[default]
    Named,
    /// The demo's own, with a database file whatever the settings say.
    Own,
    /// The same, and the caller removes it afterwards.
    Removed,
}

impl DemoPlace {
    async fn open(self, folder: Option<PathBuf>) -> anyhow::Result<Storage> {
        Ok(match self {
            Self::Named => Storage::open(folder).await?,
            Self::Own | Self::Removed => Storage::open_apart(folder).await?,
        })
    }
}

/// The part of the demo that is killed. It runs in a process of its own.
#[derive(Debug)]
pub struct FirstPart<'a> {
    /// The session.
    pub session: &'a str,
    /// The folder of the project.
    pub workspace: &'a Path,
    /// The data folder. `None`: the user's own.
    pub data_dir: Option<&'a Path>,
    /// Whose data folder it is.
    pub place: DemoPlace,
    /// With colours.
    pub colour: bool,
    /// The pause after each answer.
    pub pace: Duration,
}

impl FirstPart<'_> {
    /// Runs it. The process is expected to be killed before the end.
    ///
    /// # Errors
    /// The session cannot be opened, or fails.
    pub async fn run(&self) -> anyhow::Result<()> {
        let data = self.place.open(self.data_dir.map(Path::to_owned)).await?;
        let screen = Screen::new(Style::with_colour(self.colour), true, self.pace);
        worker::run(&data, &SessionId::new(self.session)?, self.workspace, &screen).await
    }
}

impl DemoRun {
    /// Runs both parts and prints the table at the end.
    pub(crate) async fn run(
        self,
        child: impl FnOnce(&FirstPart<'_>) -> anyhow::Result<Command>,
    ) -> anyhow::Result<()> {
        let style = Style::of_stdout();
        let session = new_session_id("demo", now())?;
        let workspace = empty_folder(&self.workspace)?;
        project::create(&workspace)?;
        let data = self.place.open(self.data_dir).await?;

        line(
            &style
                .bold("Throughline demo: the real engine, real tools, a scripted model. No network, no key."),
        );
        line(&format!("project   {}", workspace.display()));
        line(&format!(
            "window    {} tokens, {} of them reserved for output",
            group_thousands(worker::WINDOW),
            group_thousands(worker::MAX_OUTPUT)
        ));
        line(&format!("          {}", window_bar::legend(style)));
        first_part(child(&FirstPart {
            session: session.as_str(),
            workspace: &workspace,
            data_dir: Some(data.folder.root()),
            place: self.place,
            colour: style.colours(),
            pace: self.pace,
        })?)?;

        line("");
        line(&style.paint(
            "31",
            "The process was killed (SIGKILL) in the middle of a tool call. This one continues from its log.",
        ));
        let screen = Screen::new(style, false, self.pace);
        worker::run(&data, &session, &workspace, &screen).await?;
        summary::print(&data, &session, style, self.place).await?;
        data.store.close().await?;
        Ok(())
    }
}

/// The folder by its real path, created if it does not exist.
fn empty_folder(folder: &Path) -> anyhow::Result<PathBuf> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("could not create the folder {}", folder.display()))?;
    let empty = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    ensure!(empty, "the folder {} is not empty; name an empty one", folder.display());
    folder.canonicalize().with_context(|| format!("could not find {}", folder.display()))
}

/// Runs a child until the tool call in which it is killed.
fn first_part(mut command: Command) -> anyhow::Result<()> {
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
