//! Runs commands on a stored session.

use anyhow::bail;
use throughline_stored::SessionWriter;
use throughline_terminal::editor;

use crate::answer::Answer;
use crate::context::{assembled, rebuild, report};
use crate::session_command::SessionCommand;
use crate::target::CommandTarget;
use crate::{checkpoints, diff, documents, groups, handoff, messages, pins, summaries};

/// Runs a command and returns its answer.
pub async fn execute(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    command: &SessionCommand,
) -> anyhow::Result<Answer> {
    match command {
        SessionCommand::Turn { undo: true, .. } if undo_deletes(target).await? => {
            if !target.on_screen {
                bail!("not undone: undo.mode is \"delete\", so confirm with --purge --yes");
            }
            groups::remove(target, writer, None, false).await
        }
        SessionCommand::Change(change) => groups::change(target, writer, *change).await,
        SessionCommand::Turn { undo, files } => groups::change_turn(target, writer, *undo, *files).await,
        SessionCommand::Remove { turn, yes } => groups::remove(target, writer, *turn, *yes).await,
        SessionCommand::Pin { target: what, text } => pins::pin(target, writer, *what, text.as_deref()).await,
        SessionCommand::Item { place, drop } => groups::change_item(target, writer, *place, *drop).await,
        SessionCommand::Pins => pins::list(target, writer).await,
        SessionCommand::ListTurns { most } => messages::list(target, *most).await,
        SessionCommand::ShowTurn { turn } => messages::show(target, *turn).await,
        SessionCommand::Report { all } => report(target, writer, *all).await,
        SessionCommand::Assembled { request, editor: false } => assembled(target, writer, *request).await,
        SessionCommand::Assembled { request, editor: true } => {
            in_editor(&assembled(target, writer, *request).await?)
        }
        SessionCommand::Rebuild => rebuild(target, writer).await,
        SessionCommand::Diff { number } => diff::diff(target, *number).await,
        SessionCommand::Summaries => summaries::summaries(target).await,
        SessionCommand::Document { name, action } => documents::document(target, writer, *name, action).await,
        SessionCommand::Handoff { agent } => handoff::handoff(target, *agent).await,
        SessionCommand::Checkpoints => checkpoints::list(target).await,
        SessionCommand::Checkpoint { number } => checkpoints::show(target, *number).await,
    }
}

/// Returns true if the settings of the session's folder say that an undo deletes.
pub async fn undo_deletes(target: &CommandTarget) -> anyhow::Result<bool> {
    Ok(target.handle.settings().await?.undo_deletes())
}

/// Opens an answer in the user's editor, to read.
fn in_editor(answer: &Answer) -> anyhow::Result<Answer> {
    editor::edit(&answer.text)?;
    Ok(Answer::lines(&["Closed the editor. Changes made there have no effect.".to_owned()]))
}
