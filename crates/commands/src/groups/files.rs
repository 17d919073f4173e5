//! Restores the files of a turn that is undone or redone.

use std::path::{Path, PathBuf};

use anyhow::bail;
use throughline_conversation::ExchangeId;
use throughline_stored::{FileRestore, FileSide, RestoreOutcome, TurnFiles, path_in};
use throughline_terminal::ask;

use crate::session_command::FileChoice;
use crate::target::CommandTarget;

/// Maximum number of lines of a diff that are shown with a question.
const DIFF_LINES: usize = 200;

/// Maximum number of names in a line.
const NAMES: usize = 20;

/// The files of a turn and what to do with them.
#[derive(Debug)]
pub(super) struct FilePlan {
    files: TurnFiles,
    side: FileSide,
    restore: bool,
    /// Files that would be changed, for a note if they are not.
    changeable: Vec<FileRestore>,
    /// Where the session works.
    workspace: Option<PathBuf>,
}

/// What was done with the files.
#[derive(Debug)]
pub(super) struct FilesDone {
    pub(super) lines: Vec<String>,
    /// The flag with which the opposite command treats the files the same way.
    pub(super) flag: &'static str,
    restores: Vec<FileRestore>,
}

/// What the user decides on before the files of a turn are restored.
#[derive(Debug)]
pub struct FileQuestion {
    /// The turn.
    pub turn: ExchangeId,
    /// What a restore would change, truncated. Every line ends with a newline.
    pub diff: String,
    /// The names of the files.
    pub files: String,
}

impl FileQuestion {
    fn of(changeable: &[FileRestore], turn: ExchangeId, workspace: Option<&Path>) -> Self {
        let files = names(changeable.iter().map(|file| file.path.as_path()), workspace);
        Self { turn, diff: diffs(changeable, workspace), files }
    }
}

/// The question about the files of a turn; `None` if a restore would change none.
pub(super) async fn question(
    target: &CommandTarget,
    files: &TurnFiles,
    side: FileSide,
    turn: ExchangeId,
) -> anyhow::Result<Option<FileQuestion>> {
    let changeable = changeable(target, files, side).await;
    let workspace = target.handle.workspace().await?;
    Ok((!changeable.is_empty()).then(|| FileQuestion::of(&changeable, turn, workspace.as_deref())))
}

/// The files that a restore would change.
async fn changeable(target: &CommandTarget, files: &TurnFiles, side: FileSide) -> Vec<FileRestore> {
    let preview = target.handle.preview_restore(files, side).await;
    preview.into_iter().filter(|file| file.outcome.changes_file()).collect()
}

/// Decides whether the files are restored: by the choice, or by asking. On the screen the question is answered by the
/// command that the user writes next.
pub(super) async fn decide(
    target: &CommandTarget,
    files: TurnFiles,
    side: FileSide,
    choice: FileChoice,
    turn: ExchangeId,
) -> anyhow::Result<FilePlan> {
    let changeable = changeable(target, &files, side).await;
    let workspace = target.handle.workspace().await?;
    let restore = match choice {
        FileChoice::Restore => true,
        FileChoice::Keep => false,
        FileChoice::Ask if changeable.is_empty() => false,
        FileChoice::Ask if target.on_screen => {
            let command = if side == FileSide::Before { "undo" } else { "redo" };
            bail!(
                "nothing changed: turn {turn} changed {}. To restore them too, write: {}; for the conversation only: {}",
                names(changeable.iter().map(|file| file.path.as_path()), workspace.as_deref()),
                target.command(command, "--files"),
                target.command(command, "--no-files"),
            );
        }
        FileChoice::Ask => {
            let FileQuestion { diff, files, .. } = FileQuestion::of(&changeable, turn, workspace.as_deref());
            ask(&format!("{diff}Turn {turn} changed {files}. Restore the files too?"))?.unwrap_or(false)
        }
    };
    Ok(FilePlan { files, side, restore, changeable, workspace })
}

impl FilePlan {
    /// Restores the files if that was decided, and says what was restored and what was not.
    pub(super) async fn carry_out(self, target: &CommandTarget) -> FilesDone {
        let Self { files, side, restore, changeable, workspace } = self;
        let workspace = workspace.as_deref();
        let mut lines = Vec::new();
        if let Some(gone) = workspace.filter(|folder| !folder.exists())
            && !files.files.is_empty()
        {
            let names = names(files.files.iter().map(|file| file.path.as_path()), Some(gone));
            lines.push(format!("Not restored: {names}: the project is no longer at {}.", gone.display()));
            return FilesDone { lines, flag: "", restores: Vec::new() };
        }
        let restores = if restore { target.handle.restore_files(&files, side).await } else { Vec::new() };
        let of = |wanted: &RestoreOutcome| {
            let paths = restores.iter().filter(|file| file.outcome == *wanted);
            names(paths.map(|file| file.path.as_path()), workspace)
        };
        for (outcome, verb) in [
            (RestoreOutcome::Restored, "Restored"),
            (RestoreOutcome::Removed, "Removed"),
            (RestoreOutcome::ChangedSince, "Not restored, because something else changed them since:"),
        ] {
            if restores.iter().any(|file| file.outcome == outcome) {
                lines.push(format!("{verb} {}.", of(&outcome)));
            }
        }
        for file in &restores {
            if let RestoreOutcome::NotStored(why) | RestoreOutcome::Failed(why) = &file.outcome {
                lines.push(format!("Not restored {}: {why}.", path_in(&file.path, workspace)));
            }
        }
        if !restore && !changeable.is_empty() {
            let kept = names(changeable.iter().map(|file| file.path.as_path()), workspace);
            lines.push(format!(
                "File changes were kept: {kept}. To restore them too, redo the turn and undo it with --files."
            ));
        }
        lines.extend(files.unrecorded.iter().map(|what| format!("Not covered: {what}.")));
        let changed = restores.iter().any(|file| file.outcome.changes_file());
        FilesDone { lines, flag: if changed { "--files" } else { "" }, restores }
    }
}

impl FilesDone {
    /// For programs: each file with its outcome.
    pub(super) fn json(&self) -> serde_json::Value {
        self.restores.iter().map(FileRestore::object).collect()
    }
}

fn names<'a>(paths: impl Iterator<Item = &'a Path>, workspace: Option<&Path>) -> String {
    let mut names: Vec<String> = paths.map(|path| path_in(path, workspace)).collect();
    let more = names.len().saturating_sub(NAMES);
    names.truncate(NAMES);
    let text = names.join(", ");
    if more == 0 { text } else { format!("{text} and {more} more") }
}

/// The diffs of files, truncated.
fn diffs(files: &[FileRestore], workspace: Option<&Path>) -> String {
    let mut lines = Vec::new();
    for file in files {
        lines.push(format!("{}:", path_in(&file.path, workspace)));
        match &file.diff {
            Some(diff) => lines.extend(diff.lines().map(str::to_owned)),
            None => lines.push("(not a text)".to_owned()),
        }
    }
    let more = lines.len().saturating_sub(DIFF_LINES);
    lines.truncate(DIFF_LINES);
    if more > 0 {
        lines.push(format!("[{more} more lines]"));
    }
    lines.push(String::new());
    lines.join("\n")
}
