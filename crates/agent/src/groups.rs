//! Changing which groups, compactions and messages of a session are shown.

use std::collections::BTreeSet;

use throughline_continuity::{LogError, MessageLog, Part, SnapshotStore, snapshot_of};
use throughline_conversation::{
    ExchangeId, Mark, Millis, ProjectError, Record, RecordBody, Seq, SessionId, TokenCounter, View,
    Violation, project,
};
use throughline_groups::{Change, GroupError, Purge, mark, purge, window_edit};
use throughline_resultstore::{ResultRepository, StoreError};
use throughline_tools::CancelFlag;

use crate::agent::Agent;
use crate::engine_tools;
use crate::event::EventSink;
use crate::turn_context::TurnContext;

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
    /// The log's newest record.
    pub last: Seq,
    /// Outcome of the permanent deletion, if that was requested.
    pub deleted: Option<Deleted>,
}

/// Outcome of a permanent deletion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Number of records whose content was overwritten.
    pub records: usize,
    /// Number of stored results that were deleted.
    pub results: usize,
    /// Groups that quote deleted content. They are not changed.
    pub repeated_in: BTreeSet<ExchangeId>,
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
    /// Records of this run are not written yet.
    #[error("{0} records wait to be written; nothing is changed before they are")]
    Unwritten(usize),
    /// The log failed. Repeat a deletion that was cut off.
    #[error("the log could not be changed")]
    Log(#[from] LogError),
    /// The result store failed. Repeat the deletion.
    #[error("stored results could not be deleted")]
    Results(#[from] StoreError),
    /// The log is damaged.
    #[error("the session's log is damaged")]
    Damaged(#[from] ProjectError),
}

/// Changes a session that no agent has open: appends the mark and projects the view again.
///
/// A permanent deletion hides the group before it overwrites its content. If it is cut off in between, the group is
/// hidden, and repeating the deletion completes it.
///
/// # Errors
/// [`ChangeError`]. Unless the variant says otherwise, nothing has changed.
pub async fn change_session(
    ports: &SessionPorts<'_>,
    change: Change,
    at: Millis,
) -> Result<Changed, ChangeError> {
    let mut records = ports.log.read(ports.session, Seq(0), Part::All).await?;
    let mark = mark(&records, change)?;
    let begun = records.len();
    append(&mut records, RecordBody::Mark(mark.clone()), at);
    let view = project(&records, ports.counter)?;
    let clashes = |one: &Violation| matches!(one, Violation::DuplicateCall { .. });
    if view.violations().iter().any(clashes) {
        return Err(ChangeError::TwiceTheSameIds);
    }
    let mut view = narrowed(&mut records, view, ports.counter, at)?;
    let new = records.get(begun..).unwrap_or_default();
    ports.log.append(ports.session, new).await?;
    let last = view.last();
    let deleted = match change {
        Change::Remove(exchange) => {
            let deleted = delete(ports, &mut records, exchange).await?;
            // Documents of later groups may contain lines of this one.
            view = project(&records, ports.counter)?;
            Some(deleted)
        }
        _ => None,
    };
    let snapshot = snapshot_of(ports.session, &view, at);
    if let Err(error) = ports.snapshots.save(&snapshot).await {
        tracing::warn!(%error, "no snapshot after a change of groups; the next start reads the whole log");
    }
    Ok(Changed { mark, view, last, deleted })
}

impl Agent {
    /// Changes what is shown of the session.
    ///
    /// # Errors
    /// [`ChangeError`]. Unless the variant says otherwise, nothing has changed.
    pub async fn change(&mut self, change: Change, sink: &dyn EventSink) -> Result<Changed, ChangeError> {
        let cancel = CancelFlag::default();
        let turn = TurnContext { sink, cancel: &cancel };
        self.session.close_open_calls(&turn);
        self.session.flush(&turn).await;
        if self.session.journal.pending() > 0 {
            return Err(ChangeError::Unwritten(self.session.journal.pending()));
        }
        let log = self.session.journal.log();
        let ports = SessionPorts {
            session: &self.session.id,
            log: log.as_ref(),
            snapshots: self.session.snapshots.as_ref(),
            results: self.tools.repository.as_ref(),
            counter: self.session.counter.as_ref(),
        };
        let changed = match change_session(&ports, change, self.session.clock.now()).await {
            Ok(changed) => changed,
            Err(error) => {
                self.catch_up(log.as_ref()).await;
                return Err(error);
            }
        };
        self.show(changed.last, changed.view.clone());
        self.renew_tail(changed.deleted.is_some()).await;
        if let Some(history) = &self.continuity.history {
            history.forget(&self.session.id).await;
        }
        self.session.unsaved_snapshot = false;
        Ok(changed)
    }

    /// Shows what the log has, if a change that failed had written a part of it: the next record must follow that part.
    async fn catch_up(&mut self, log: &dyn MessageLog) {
        // If the log cannot be read either, the next write reports it.
        let Ok(records) = log.read(&self.session.id, Seq(0), Part::All).await else { return };
        let last = records.last().map_or(Seq(0), |record| record.seq);
        let Ok(view) = project(&records, self.session.counter.as_ref()) else { return };
        if last == view.last() && last != self.session.view.last() {
            self.show(last, view);
        }
    }

    fn show(&mut self, last: Seq, view: View) {
        self.session.journal.continue_after(last);
        self.prefix.show(&mut self.session, view);
        self.session.count_documents();
        self.window.meter.drop_anchor();
    }

    /// Brings the notes up to date with a changed view.
    async fn renew_tail(&mut self, deleted: bool) {
        if deleted {
            // The notes may quote the deleted group, and must not be shown or recorded any more.
            self.tail.clear();
            self.session.progress.failure = None;
        } else if self.tail.resumed_from.is_some() {
            let found = self.tail.resumed_from.as_ref();
            self.tail.resumed = self.continuity.resume_note(&self.session, found).await;
        }
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
    let (mut view, seq) = (view, append(records, RecordBody::Edit(edit), at));
    match records.last().map(|record| view.apply(record, counter)) {
        Some(Err(source)) => Err(ProjectError { seq, source }),
        _ => Ok(view),
    }
}

fn append(records: &mut Vec<Record>, body: RecordBody, at: Millis) -> Seq {
    let last = records.last().map_or(Seq(0), |record| record.seq);
    let exchange = records.iter().map(|record| record.exchange).max().unwrap_or_default();
    records.push(Record { seq: last.next(), at, exchange, body });
    last.next()
}

/// Deletes the content of a hidden group. The log comes last: while it has the content, a repeated deletion finds
/// everything that has to be deleted.
async fn delete(
    ports: &SessionPorts<'_>,
    records: &mut [Record],
    exchange: ExchangeId,
) -> Result<Deleted, ChangeError> {
    let Purge { redacted, results, repeated_in } = purge(records, exchange, &engine_tools::retrieval());
    if let Err(error) = ports.snapshots.remove(ports.session).await {
        return Err(LogError::Other(error.into()).into());
    }
    let mut gone = 0;
    for id in &results {
        gone += usize::from(ports.results.remove(ports.session, id).await?);
    }
    ports.log.redact(ports.session, &redacted).await?;
    let deleted = Deleted { records: redacted.len(), results: gone, repeated_in };
    for new in redacted {
        if let Some(old) = records.iter_mut().find(|old| old.seq == new.seq) {
            *old = new;
        }
    }
    Ok(deleted)
}
