//! Runs commands on a stored session.

use std::path::PathBuf;

use crate::context::{assembled, rebuild, report};
use crate::desk::{Answer, Desk, Hand};
use crate::session_command::SessionCommand;
use crate::terminal::json;
use crate::{checkpoints, diff, documents, editor, groups, handoff, messages, pager, summaries};

/// Runs a command and prints its answer.
pub(crate) async fn run(
    session: &str,
    command: &SessionCommand,
    as_json: bool,
    data_dir: Option<PathBuf>,
) -> anyhow::Result<()> {
    let desk = Desk::open(session, data_dir).await?;
    let answer = execute(&desk, &mut Hand::Own, command).await?;
    if as_json {
        return json(&answer.json);
    }
    pager::show(&answer.text);
    Ok(())
}

/// Runs a command and returns its answer.
pub(crate) async fn execute(
    desk: &Desk,
    hand: &mut Hand<'_>,
    command: &SessionCommand,
) -> anyhow::Result<Answer> {
    match command {
        SessionCommand::Change(change) => groups::change(desk, hand, *change).await,
        SessionCommand::Remove { turn, yes } => groups::remove(desk, hand, *turn, *yes).await,
        SessionCommand::ListTurns { most } => messages::list(desk, *most).await,
        SessionCommand::ShowTurn { turn } => messages::show(desk, *turn).await,
        SessionCommand::Report => report(desk, hand).await,
        SessionCommand::Assembled { request, editor: false } => assembled(desk, *request).await,
        SessionCommand::Assembled { editor: true, .. } => in_editor(&assembled(desk, false).await?),
        SessionCommand::Rebuild => rebuild(desk, hand).await,
        SessionCommand::Diff { number } => diff::diff(desk, *number).await,
        SessionCommand::Summaries => summaries::summaries(desk).await,
        SessionCommand::Document { name, action } => documents::document(desk, hand, *name, action).await,
        SessionCommand::Handoff => handoff::handoff(desk).await,
        SessionCommand::Checkpoints => checkpoints::list(desk).await,
        SessionCommand::Checkpoint { number } => checkpoints::show(desk, *number).await,
    }
}

/// Opens an answer in the user's editor, to read.
fn in_editor(answer: &Answer) -> anyhow::Result<Answer> {
    editor::edit(&answer.text)?;
    Ok(Answer::told(&["Closed the editor. Changes made there have no effect.".to_owned()]))
}
