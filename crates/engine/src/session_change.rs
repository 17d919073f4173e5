//! Changes of a session's log that no agent needs to be open for: marks of groups, compactions, messages and pins.

use throughline_continuity::{
    DirectoryError, LogError, MessageLog, Part, SnapshotStore, read_all, snapshot_of,
};
use throughline_conversation::{
    Groups, Mark, Millis, ProjectError, Record, RecordBody, Seq, SessionId, TokenCounter, View, Violation,
    project_readable, validate,
};
use throughline_groups::{Change, GroupError, PinTarget, mark, pin, window_edit};
use throughline_memory::NoteError;
use throughline_resultstore::{ResultRepository, StoreError};
use throughline_text::group_thousands;

/// The storage of one session.
#[derive(Debug, Clone, Copy)]
pub struct SessionPorts<'a> {
    /// Its name.
    pub session: &'a SessionId,
    /// Its log.
    pub log: &'a dyn MessageLog,
    /// Its snapshot.
    pub snapshots: &'a dyn SnapshotStore,
    /// Its stored results.
    pub results: &'a dyn ResultRepository,
    /// Counts its tokens.
    pub counter: &'a dyn TokenCounter,
}

/// Outcome of a change.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// The mark that was appended.
    pub mark: Mark,
    /// The view after the change.
    pub view: View,
}

/// Why a change was rejected.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The session does not allow it.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// Two calls of one id would be in view, which providers reject.
    #[error("it cannot come back: its calls have the same ids as calls that were made since")]
    TwiceTheSameIds,
    /// The pins would take more than their share of the window. Unpin something, or pin a part of the text.
    #[error(
        "not pinned: the pins would have {} tokens, and may have {}; unpin something, or pin a part of the text",
        group_thousands(*.tokens), group_thousands(*.most)
    )]
    PinsTooLarge {
        /// Tokens of all pins with the new one.
        tokens: u64,
        /// Tokens that pins may have.
        most: u64,
    },
    /// Records of this run are not written yet.
    #[error("{0} records wait to be written; nothing is changed before they are")]
    Unwritten(usize),
    /// The log failed. Repeat a deletion that was cut off.
    #[error("the log could not be changed")]
    Log(#[from] LogError),
    /// The result store failed. Repeat the deletion.
    #[error("stored results could not be deleted")]
    Results(#[from] StoreError),
    /// A dropped result could not be stored, so it is still shown.
    #[error("the result could not be stored, so it stays in view")]
    NotStored(#[source] StoreError),
    /// Memos could not be deleted. Repeat the deletion.
    #[error("memos could not be deleted")]
    Memos(#[from] NoteError),
    /// The session's title could not be replaced. Repeat the deletion.
    #[error("the session's title could not be replaced")]
    Title(#[from] DirectoryError),
    /// The log is damaged.
    #[error("the session's log is damaged")]
    Damaged(#[from] ProjectError),
}

/// A change that is decided, and not in the log yet.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(crate) mark: Mark,
    /// The records to append.
    pub(crate) records: Vec<Record>,
    /// The view after them.
    pub(crate) view: View,
}

/// Changes a session that no agent has open: appends the mark and projects the view again.
///
/// # Errors
/// [`ChangeError`]. Nothing has changed.
pub async fn change_session(
    ports: &SessionPorts<'_>,
    change: Change,
    at: Millis,
) -> Result<Changed, ChangeError> {
    let mut records = read_log(ports).await?;
    let mark = mark(&records, change)?;
    append_mark(ports, &mut records, mark, at).await
}

/// Pins a target, or the span of text in it, in a session that no agent has open. All pins may have at most `most` tokens.
///
/// # Errors
/// [`ChangeError`]. Nothing has changed.
pub async fn pin_in_session(
    ports: &SessionPorts<'_>,
    target: PinTarget,
    span: Option<&str>,
    most: u64,
    at: Millis,
) -> Result<Changed, ChangeError> {
    let mut records = read_log(ports).await?;
    let mark = pin_mark(&records, target, span, most, ports.counter)?;
    append_mark(ports, &mut records, mark, at).await
}

/// The mark that pins a target.
pub(crate) fn pin_mark(
    records: &[Record],
    target: PinTarget,
    span: Option<&str>,
    most: u64,
    counter: &dyn TokenCounter,
) -> Result<Mark, ChangeError> {
    let new = pin(records, target, span)?;
    let marks = Groups::from_marks(records.iter().filter_map(|record| match &record.body {
        RecordBody::Mark(mark) => Some(mark),
        _ => None,
    }));
    let pinned = marks.pinned_texts().map(|pinned| counter.text(&pinned.text));
    let tokens = pinned.fold(new.tokens(counter), u64::saturating_add);
    if tokens > most {
        return Err(ChangeError::PinsTooLarge { tokens, most });
    }
    Ok(Mark::Pin(new))
}

/// All records of a session.
pub(crate) async fn read_log(ports: &SessionPorts<'_>) -> Result<Vec<Record>, LogError> {
    Ok(read_all(ports.log, ports.session, Seq(0), Part::All).await?.records)
}

/// Appends a mark, and the edit that it needs, to the log and to its records, and saves a snapshot of the view after it.
pub(crate) async fn append_mark(
    ports: &SessionPorts<'_>,
    records: &mut Vec<Record>,
    mark: Mark,
    at: Millis,
) -> Result<Changed, ChangeError> {
    let last = ports.log.last(ports.session).await?;
    let Decided { mark, records: new, view } = decide(records, last, mark, at, ports.counter)?;
    ports.log.append(ports.session, &new).await?;
    save_snapshot(ports, &view, at).await;
    Ok(Changed { mark, view })
}

/// Decides a mark, and the edit that it needs, and adds them to the records of a log, which ends at `last`.
pub(crate) fn decide(
    records: &mut Vec<Record>,
    last: Seq,
    mark: Mark,
    at: Millis,
    counter: &dyn TokenCounter,
) -> Result<Decided, ChangeError> {
    let begun = records.len();
    append(records, last, RecordBody::Mark(mark.clone()), at);
    // Edits that do not fit without lost records are left out, as at the start of the session.
    let (view, _) = project_readable(records.as_slice(), counter);
    // In the form for another provider's model calls are texts; they come back with their own model.
    let clashes = |one: &Violation| matches!(one, Violation::DuplicateCall { .. });
    if validate(view.native().iter().map(|entry| entry.message.as_ref())).iter().any(clashes) {
        return Err(ChangeError::TwiceTheSameIds);
    }
    let view = narrowed(records, view, counter, at)?;
    let records = records.get(begun..).unwrap_or_default().to_vec();
    Ok(Decided { mark, records, view })
}

/// Saves a snapshot, or logs why not: the next start then reads the whole log.
pub(crate) async fn save_snapshot(ports: &SessionPorts<'_>, view: &View, at: Millis) {
    let snapshot = snapshot_of(ports.session, view, at);
    if let Err(error) = ports.snapshots.save(&snapshot).await {
        tracing::warn!(%error, "no snapshot after a change of groups; the next start reads the whole log");
    }
}

/// Hides the groups that the message window does not show, after the mark.
fn narrowed(
    records: &mut Vec<Record>,
    view: View,
    counter: &dyn TokenCounter,
    at: Millis,
) -> Result<View, ProjectError> {
    let Some(edit) = window_edit(&view) else { return Ok(view) };
    let (mut view, seq) = (view, append(records, Seq(0), RecordBody::Edit(edit), at));
    match records.last().map(|record| view.apply(record, counter)) {
        Some(Err(source)) => Err(ProjectError { seq, source }),
        _ => Ok(view),
    }
}

/// Adds a record after the last one, or after `lost`, if the log ended there.
fn append(records: &mut Vec<Record>, lost: Seq, body: RecordBody, at: Millis) -> Seq {
    let last = records.last().map_or(Seq(0), |record| record.seq).max(lost);
    let exchange = records.iter().map(|record| record.exchange).max().unwrap_or_default();
    records.push(Record { seq: last.next(), at, exchange, body });
    last.next()
}
