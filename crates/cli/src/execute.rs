//! Runs commands on a stored session.

use std::process::ExitCode;

use anyhow::bail;

use crate::answer::Answer;
use crate::context::{assembled, rebuild, report};
use crate::data_args::DataArgs;
use crate::session_command::SessionCommand;
use crate::shell::data_dir_option;
use crate::target::CommandTarget;
use crate::terminal::{complain, json};
use crate::{checkpoints, diff, documents, editor, groups, handoff, messages, pager, pins, summaries};
use throughline::{SessionWriter, Storage};

/// Most places of lost records that an error names.
const LOST_NAMED: usize = 5;

/// Runs a command and prints its answer.
pub(crate) async fn run(
    session: &str,
    command: &SessionCommand,
    as_json: bool,
    data: &DataArgs,
) -> anyhow::Result<ExitCode> {
    let target = CommandTarget::open(session, data).await?;
    let answer = execute(&target, &mut SessionWriter::Handle, command).await?;
    if as_json {
        json(&answer.json)?;
    } else {
        pager::show(&answer.text);
    }
    Ok(report_lost(&target.handle.storage, target.handle.session.as_str()))
}

/// Names the records and contexts that were found lost. The exit code is 1 if there are any.
pub(crate) fn report_lost(storage: &Storage, session: &str) -> ExitCode {
    let records = storage.lost_records();
    let lost: Vec<String> = records.iter().map(ToString::to_string).chain(storage.lost_contexts()).collect();
    if lost.is_empty() {
        return ExitCode::SUCCESS;
    }
    let named: Vec<&str> = lost.iter().take(LOST_NAMED).map(String::as_str).collect();
    let more = lost.len().saturating_sub(LOST_NAMED);
    let more = if more > 0 { format!("; and {more} more places") } else { String::new() };
    let option = data_dir_option(storage);
    complain(&format!(
        "{}{more}; everything else is shown; `throughline{option} recover {session}` saves what can be read",
        named.join("; ")
    ));
    ExitCode::FAILURE
}

/// Runs a command and returns its answer.
pub(crate) async fn execute(
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
        SessionCommand::Report => report(target, writer).await,
        SessionCommand::Assembled { request, editor: false } => assembled(target, writer, *request).await,
        SessionCommand::Assembled { editor: true, .. } => in_editor(&assembled(target, writer, false).await?),
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
pub(crate) async fn undo_deletes(target: &CommandTarget) -> anyhow::Result<bool> {
    Ok(target.handle.settings().await?.undo_deletes())
}

/// Opens an answer in the user's editor, to read.
fn in_editor(answer: &Answer) -> anyhow::Result<Answer> {
    editor::edit(&answer.text)?;
    Ok(Answer::lines(&["Closed the editor. Changes made there have no effect.".to_owned()]))
}
