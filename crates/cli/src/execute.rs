//! Runs commands on a stored session.

use crate::answer::Answer;
use crate::context::{assembled, assumed, rebuild, report};
use crate::data_args::DataArgs;
use crate::session_command::SessionCommand;
use crate::target::CommandTarget;
use crate::terminal::json;
use crate::{checkpoints, diff, documents, editor, groups, handoff, messages, pager, summaries};
use throughline::SessionWriter;
use throughline_groups::Change;

/// Runs a command and prints its answer.
pub(crate) async fn run(
    session: &str,
    command: &SessionCommand,
    as_json: bool,
    data: &DataArgs,
) -> anyhow::Result<()> {
    let target = CommandTarget::open(session, data).await?;
    let answer = execute(&target, &mut SessionWriter::Handle, command).await?;
    if as_json {
        return json(&answer.json);
    }
    pager::show(&answer.text);
    Ok(())
}

/// Runs a command and returns its answer.
pub(crate) async fn execute(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    command: &SessionCommand,
) -> anyhow::Result<Answer> {
    match command {
        SessionCommand::Change(Change::Undo) if undo_deletes(target).await? => {
            groups::remove(target, writer, None, false).await
        }
        SessionCommand::Change(change) => groups::change(target, writer, *change).await,
        SessionCommand::Remove { turn, yes } => groups::remove(target, writer, *turn, *yes).await,
        SessionCommand::ListTurns { most } => messages::list(target, *most).await,
        SessionCommand::ShowTurn { turn } => messages::show(target, *turn).await,
        SessionCommand::Report => report(target, writer).await,
        SessionCommand::Assembled { request, editor: false } => assembled(target, *request).await,
        SessionCommand::Assembled { editor: true, .. } => in_editor(&assembled(target, false).await?),
        SessionCommand::Rebuild => rebuild(target, writer).await,
        SessionCommand::Diff { number } => diff::diff(target, *number).await,
        SessionCommand::Summaries => summaries::summaries(target).await,
        SessionCommand::Document { name, action } => documents::document(target, writer, *name, action).await,
        SessionCommand::Handoff => handoff::handoff(target).await,
        SessionCommand::Checkpoints => checkpoints::list(target).await,
        SessionCommand::Checkpoint { number } => checkpoints::show(target, *number).await,
    }
}

/// Returns true if the settings of the session's folder say that an undo deletes.
async fn undo_deletes(target: &CommandTarget) -> anyhow::Result<bool> {
    Ok(assumed(target).await?.0.undo_deletes())
}

/// Opens an answer in the user's editor, to read.
fn in_editor(answer: &Answer) -> anyhow::Result<Answer> {
    editor::edit(&answer.text)?;
    Ok(Answer::lines(&["Closed the editor. Changes made there have no effect.".to_owned()]))
}
