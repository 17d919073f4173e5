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
use throughline_stored::{FileSide, SessionLog, SessionWriter, TurnFiles};

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
    let before = target.handle.view_size(writer, &target.handle.log().await?.view).await;
    let changed = target.handle.change_item(writer, place, drop).await?;
    let after = target.handle.view_size(writer, &changed.view).await;
    let id = row_id(place.message, place.part).unwrap_or_default();
    let back = if drop { "restore" } else { "drop" };
    let mut lines = vec![outcome::item(&changed.mark, id)];
    lines.push(outcome::sizes(before, after));
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

/// What a restore of the files of this turn and the later ones, to what they were before, would change: a diff for each file. Empty:
/// nothing.
pub async fn file_diff_since(target: &CommandTarget, turn: ExchangeId) -> anyhow::Result<String> {
    let log = target.handle.log().await?;
    let mut turns = Vec::new();
    for turn in live_since(&log, turn) {
        turns.push(target.handle.turn_files(&log.records, turn).await?);
    }
    let files = TurnFiles::together(turns);
    let question = files::question(target, &files, FileSide::Before, turn).await?;
    Ok(question.map(|question| question.diff).unwrap_or_default())
}

/// Undoes the turns from this one on, the newest first, and restores their files if that is the choice. Adds what was done to `lines`.
///
/// # Errors
/// A turn could not be undone. The later ones are.
pub async fn undo_since(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    turn: ExchangeId,
    choice: FileChoice,
    lines: &mut Vec<String>,
) -> anyhow::Result<()> {
    let _lock = target.handle.lock(writer).await?;
    let mut log = target.handle.log().await?;
    for turn in live_since(&log, turn) {
        let files = target.handle.turn_files(&log.records, turn).await?;
        let plan = files::decide(target, files, FileSide::Before, choice, turn).await?;
        let made = carry_out(target, writer, Change::Undo, &log, Some(plan)).await?;
        lines.push(made.what);
        lines.extend(made.files.into_iter().flat_map(|files| files.lines));
        log = made.after;
    }
    Ok(())
}

/// The turns from this one on that are in view, the newest first.
fn live_since(log: &SessionLog, turn: ExchangeId) -> Vec<ExchangeId> {
    let turns = log.groups().into_iter().rev().take_while(|one| one.id >= turn);
    turns.filter(|one| !one.status.is_hidden()).map(|one| one.id).collect()
}

fn direction(undo: bool) -> (Change, FileSide) {
    if undo { (Change::Undo, FileSide::Before) } else { (Change::Redo, FileSide::After) }
}

/// A change that was made.
struct MadeChange {
    mark: Mark,
    /// What was changed.
    what: String,
    files: Option<files::FilesDone>,
    after: SessionLog,
}

async fn carry_out(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    change: Change,
    before: &SessionLog,
    files: Option<files::FilePlan>,
) -> anyhow::Result<MadeChange> {
    let changed = target.handle.change(writer, change).await?;
    let after = target.handle.log().await?;
    let files = match files {
        Some(plan) => Some(plan.carry_out(target).await),
        None => None,
    };
    let what = outcome::changed(&changed.mark, change, &before.groups());
    Ok(MadeChange { mark: changed.mark, what, files, after })
}

async fn make(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    change: Change,
    before: &SessionLog,
    files: Option<files::FilePlan>,
) -> anyhow::Result<Answer> {
    let size = target.handle.view_size(writer, &before.view).await;
    let MadeChange { mark, what, files, after } = carry_out(target, writer, change, before, files).await?;
    let mut lines = vec![what];
    if matches!(change, Change::Window(_)) {
        lines.push(seen::line(&after.view, &after.records));
    }
    lines.extend(outcome::documents(&before.view, &after.view));
    lines.extend(files.iter().flat_map(|done| done.lines.clone()));
    lines.push(outcome::sizes(size, target.handle.view_size(writer, &after.view).await));
    let flag = files.as_ref().map_or("", |done| done.flag);
    lines.extend(outcome::revert(change, &mark, &before.view, &before.records, target, flag));
    let mut answer = Answer::lines(&lines);
    if let Some(object) = answer.json.as_object_mut() {
        object.insert("mark".to_owned(), serde_json::to_value(&mark)?);
        if let Some(done) = &files {
            object.insert("files".to_owned(), done.json());
        }
    }
    Ok(answer)
}
