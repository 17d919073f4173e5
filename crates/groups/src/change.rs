//! Finds the mark that makes a change.

use throughline_conversation::{ExchangeId, GroupStatus, Mark, Record, RecordBody, Seq};

use crate::error::GroupError;
use crate::listing::{marks, newest, opened};
use crate::pin::unpin;

/// A change of what is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Undoes the newest group.
    Undo,
    /// Redoes the group that was undone last.
    Redo,
    /// Hides a group without deleting it.
    Drop(ExchangeId),
    /// Shows a dropped or undone group again.
    Restore(ExchangeId),
    /// Undoes the newest compaction.
    UndoCompaction,
    /// Redoes the compaction that was undone last.
    RedoCompaction,
    /// Shows only this many of the newest groups. `None`: all.
    Window(Option<u32>),
    /// Removes the pin of this number.
    Unpin(u32),
}

/// The mark that makes a change, by the records of the whole log.
///
/// # Errors
/// [`GroupError`] when there is nothing to change, or not that.
pub fn mark(records: &[Record], change: Change) -> Result<Mark, GroupError> {
    let group = |exchange, status| Mark::Group { exchange, status };
    match change {
        Change::Undo => undo(records).map(|exchange| group(exchange, GroupStatus::Undone)),
        Change::Redo => redo(records).map(|exchange| group(exchange, GroupStatus::Live)),
        Change::Drop(asked) => match status(records, asked)? {
            GroupStatus::Live => Ok(group(asked, GroupStatus::Dropped)),
            GroupStatus::Dropped => Err(is(asked, GroupStatus::Dropped, "restore shows it again")),
            status => Err(is(asked, status, "it is not shown anyway")),
        },
        Change::Restore(asked) => match status(records, asked)? {
            GroupStatus::Dropped | GroupStatus::Undone => Ok(group(asked, GroupStatus::Live)),
            GroupStatus::Live => Err(is(asked, GroupStatus::Live, "there is nothing to restore")),
            GroupStatus::Removed => {
                Err(is(asked, GroupStatus::Removed, "its content is permanently deleted"))
            }
        },
        Change::UndoCompaction => {
            let live = compactions(records).rfind(|(_, undone)| !undone);
            let (edit, _) = live.ok_or(GroupError::NothingToUndo("compaction"))?;
            Ok(Mark::Compaction { edit, undone: true })
        }
        Change::RedoCompaction => redo_compaction(records),
        Change::Window(groups) => Ok(Mark::Window { groups }),
        Change::Unpin(number) => unpin(records, number),
    }
}

/// The mark with which a permanent deletion hides a group; [`purge`](crate::purge) finds what it overwrites then. A removed
/// group may be removed again, because the first deletion may have been interrupted.
///
/// # Errors
/// [`GroupError`] if there is no such group.
pub fn removal(records: &[Record], exchange: ExchangeId) -> Result<Mark, GroupError> {
    status(records, exchange).map(|_| Mark::Group { exchange, status: GroupStatus::Removed })
}

fn is(exchange: ExchangeId, status: GroupStatus, hint: &'static str) -> GroupError {
    GroupError::Is { exchange, status, hint }
}

/// The status of a group.
///
/// # Errors
/// [`GroupError::Unknown`] if there is no such group.
pub(crate) fn status(records: &[Record], asked: ExchangeId) -> Result<GroupStatus, GroupError> {
    match opened(records, asked) {
        Some(_) if asked.0 > 0 => Ok(marks(records).status(asked)),
        _ => Err(GroupError::Unknown { asked, newest: newest(records) }),
    }
}

/// The newest group that is live.
fn undo(records: &[Record]) -> Result<ExchangeId, GroupError> {
    let marks = marks(records);
    let live = |record: &&Record| {
        matches!(record.body, RecordBody::Message(_))
            && record.exchange.0 > 0
            && !marks.status(record.exchange).is_hidden()
    };
    let newest = records.iter().filter(live).map(|record| record.exchange).max();
    newest.ok_or(GroupError::NothingToUndo("turn"))
}

/// The group that was undone last, if no group began since.
fn redo(records: &[Record]) -> Result<ExchangeId, GroupError> {
    let marks = marks(records);
    let undone = records.iter().rev().find_map(|record| match record.body {
        RecordBody::Mark(Mark::Group { exchange, status: GroupStatus::Undone })
            if marks.status(exchange) == GroupStatus::Undone =>
        {
            Some((record.seq, exchange))
        }
        _ => None,
    });
    let Some((at, exchange)) = undone else {
        return Err(GroupError::NothingToRedo { what: "turn", since: None });
    };
    let newer = newest(records);
    if newer > exchange && opened(records, newer).is_some_and(|opened| opened > at) {
        let since = format!(": turn {newer} began since; `restore {exchange}` still brings the old one back");
        return Err(GroupError::NothingToRedo { what: "turn", since: Some(since) });
    }
    Ok(exchange)
}

/// Compactions in order, each with true if it is undone.
pub fn compactions(records: &[Record]) -> impl DoubleEndedIterator<Item = (Seq, bool)> + '_ {
    let is_undone = |edit: Seq| {
        let last = records.iter().rev().find_map(|record| match record.body {
            RecordBody::Mark(Mark::Compaction { edit: marked, undone }) if marked == edit => Some(undone),
            _ => None,
        });
        last.unwrap_or(false)
    };
    records.iter().filter_map(move |record| match &record.body {
        RecordBody::Edit(edit) if edit.is_compaction() => Some((record.seq, is_undone(record.seq))),
        _ => None,
    })
}

fn redo_compaction(records: &[Record]) -> Result<Mark, GroupError> {
    let what = "compaction";
    let undone: Vec<Seq> = compactions(records).filter(|(_, undone)| *undone).map(|(edit, _)| edit).collect();
    let newest = records.iter().rev().find_map(|record| match record.body {
        RecordBody::Mark(Mark::Compaction { edit, undone: true }) if undone.contains(&edit) => Some(edit),
        _ => None,
    });
    let edit = newest.ok_or(GroupError::NothingToRedo { what, since: None })?;
    if compactions(records).any(|(later, undone)| later > edit && !undone) {
        let since = Some(": the view was compacted again since".to_owned());
        return Err(GroupError::NothingToRedo { what, since });
    }
    Ok(Mark::Compaction { edit, undone: false })
}
