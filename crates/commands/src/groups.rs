//! `throughline undo`, `redo` and every other change of what is shown of a session.

pub(crate) mod args;
mod files;
pub(crate) mod outcome;
mod remove;
mod seen;

use crate::answer::Answer;
use crate::session_command::FileChoice;
use crate::target::CommandTarget;
use throughline_agent::ItemPlace;
use throughline_conversation::{ExchangeId, Mark};
use throughline_groups::{Change, mark};
use throughline_history::row_id;
use throughline_stored::{FileSide, SessionLog, SessionWriter};

pub use files::FileQuestion;
pub(crate) use remove::remove;

/// Makes a change that can be undone, and reports what it did.
pub(crate) async fn change(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    change: Change,
) -> anyhow::Result<Answer> {
    let _lock = target.handle.lock(writer).await?;
    let before = target.handle.log().await?;
    make(target, writer, change, &before, None).await
}

/// Drops one result or picture from view, or shows it again, and reports what that did.
pub(crate) async fn change_item(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    place: ItemPlace,
    drop: bool,
) -> anyhow::Result<Answer> {
    let _lock = target.handle.lock(writer).await?;
    let before = target.handle.log().await?;
    let changed = target.handle.change_item(writer, place, drop).await?;
    let after = target.handle.log().await?;
    let id = row_id(place.message, place.part).unwrap_or_default();
    let back = if drop { "restore" } else { "drop" };
    let mut lines = vec![outcome::item(&changed.mark, id)];
    lines.push(outcome::sizes(&before.view, &after.view));
    lines.push(format!("To revert: {}", target.command("context", &format!("{back} {id}"))));
    let mut answer = Answer::lines(&lines);
    if let Some(object) = answer.json.as_object_mut() {
        object.insert("mark".to_owned(), serde_json::to_value(&changed.mark)?);
    }
    Ok(answer)
}

/// Undoes or redoes a turn. The files that it changed are restored if the user wants that.
pub(crate) async fn change_turn(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    undo: bool,
    choice: FileChoice,
) -> anyhow::Result<Answer> {
    let _lock = target.handle.lock(writer).await?;
    let before = target.handle.log().await?;
    let (change, side) = direction(undo);
    // What cannot be done is refused before anything is asked.
    let Mark::Group { exchange, .. } = mark(&before.records, change)? else {
        return make(target, writer, change, &before, None).await;
    };
    let files = target.handle.file_changes(exchange).await?;
    let restored = files::decide(target, files, side, choice, exchange).await?;
    make(target, writer, change, &before, Some(restored)).await
}

/// What an undo or a redo of a turn has to ask about its files; `None`: nothing.
pub async fn file_question(target: &CommandTarget, undo: bool) -> anyhow::Result<Option<FileQuestion>> {
    let (change, side) = direction(undo);
    let Mark::Group { exchange, .. } = mark(&target.handle.log().await?.records, change)? else {
        return Ok(None);
    };
    let files = target.handle.file_changes(exchange).await?;
    files::question(target, &files, side, exchange).await
}

/// What a restore of the files of a turn, to what they were before it, would change; `None`: nothing.
pub async fn file_diff(target: &CommandTarget, turn: ExchangeId) -> anyhow::Result<Option<String>> {
    let files = target.handle.file_changes(turn).await?;
    let question = files::question(target, &files, FileSide::Before, turn).await?;
    Ok(question.map(|question| question.diff))
}

fn direction(undo: bool) -> (Change, FileSide) {
    if undo { (Change::Undo, FileSide::Before) } else { (Change::Redo, FileSide::After) }
}

async fn make(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    change: Change,
    before: &SessionLog,
    files: Option<files::FilePlan>,
) -> anyhow::Result<Answer> {
    let changed = target.handle.change(writer, change).await?;
    let after = target.handle.log().await?;
    let mut lines = vec![outcome::changed(&changed.mark, change, &before.groups())];
    if matches!(change, Change::Window(_)) {
        lines.push(seen::line(&after.view, &after.records));
    }
    if let Some(line) = outcome::documents(&before.view, &after.view) {
        lines.push(line);
    }
    let mut flag = "";
    let mut restored = serde_json::Value::Null;
    if let Some(plan) = files {
        let done = plan.carry_out(target).await;
        flag = done.flag;
        restored = done.json();
        lines.extend(done.lines);
    }
    lines.push(outcome::sizes(&before.view, &after.view));
    lines.push(outcome::revert(change, &changed.mark, &before.view, &before.records, target, flag));
    let mut answer = Answer::lines(&lines);
    if let Some(object) = answer.json.as_object_mut() {
        object.insert("mark".to_owned(), serde_json::to_value(&changed.mark)?);
        if !restored.is_null() {
            object.insert("files".to_owned(), restored);
        }
    }
    Ok(answer)
}
