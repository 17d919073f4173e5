//! Changing what is shown of a session: groups, compactions, the window.

use std::collections::BTreeSet;

use throughline_continuity::{LogError, MessageLog, Part, SnapshotStore, snapshot_of};
use throughline_conversation::{
    ExchangeId, Mark, Millis, ProjectError, Record, RecordBody, Seq, SessionId, TokenCounter, View,
    Violation, project,
};
use throughline_groups::{Change, GroupError, Purge, mark, purge, window_edit};
use throughline_resultstore::{ResultRepository, StoreError};
use throughline_tools::CancelFlag;

use crate::engine::{Engine, Wire};
use crate::tools::RETRIEVAL;
use crate::{Agent, EventSink, input};

/// Where a session is kept.
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
    /// How its tokens are counted.
    pub counter: &'a dyn TokenCounter,
}

/// What a change has done.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// The mark that is in the log now.
    pub mark: Mark,
    /// What the model sees now.
    pub view: View,
    /// The log's newest record.
    pub last: Seq,
    /// What was deleted for good, when that was asked for.
    pub deleted: Option<Deleted>,
}

/// What was deleted for good.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Records whose content was overwritten.
    pub records: usize,
    /// Stored results that were thrown away.
    pub results: usize,
    /// Groups that quote what was deleted. What they repeat is theirs, and stays.
    pub repeated_in: BTreeSet<ExchangeId>,
}

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// It cannot be done to this session.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// Both would be in view and no provider takes that.
    #[error("it cannot come back: its calls have the same ids as calls that were made since")]
    TwiceTheSameIds,
    /// Records of this run could not be written yet.
    #[error("{0} records wait to be written; nothing is changed before they are")]
    Unwritten(usize),
    /// The log did not answer. After a deletion that was cut off, ask for it again.
    #[error("the log could not be changed")]
    Log(#[from] LogError),
    /// The stored results did not answer. Ask for the deletion again.
    #[error("stored results could not be deleted")]
    Results(#[from] StoreError),
    /// The log is damaged.
    #[error("the session's log is damaged")]
    Damaged(#[from] ProjectError),
}

/// Makes a change: the mark goes into the log, and the view is made anew.
///
/// A deletion hides the group first and overwrites its content then. When it is cut off in between, the group is
/// hidden already, and asking again finishes the work.
///
/// # Errors
/// [`ChangeError`]. Unless it says otherwise, nothing has changed.
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
            // Documents of later groups may have had lines of this one.
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
    /// [`ChangeError`]. Unless it says otherwise, nothing has changed.
    pub async fn change(&mut self, change: Change, sink: &dyn EventSink) -> Result<Changed, ChangeError> {
        let cancel = CancelFlag::default();
        let wire = Wire { sink, cancel: &cancel };
        let engine = &mut self.engine;
        input::seal(engine, &wire);
        engine.flush(&wire).await;
        if engine.journal.waiting() > 0 {
            return Err(ChangeError::Unwritten(engine.journal.waiting()));
        }
        let log = engine.journal.log();
        let ports = SessionPorts {
            session: &engine.parts.session,
            log: log.as_ref(),
            snapshots: engine.parts.snapshots.as_ref(),
            results: engine.parts.repository.as_ref(),
            counter: engine.parts.counter.as_ref(),
        };
        let changed = match change_session(&ports, change, engine.parts.clock.now()).await {
            Ok(changed) => changed,
            Err(error) => {
                catch_up(engine, log.as_ref()).await;
                return Err(error);
            }
        };
        engine.journal.continue_after(changed.last);
        engine.show(changed.view.clone());
        engine.count_documents();
        if changed.deleted.is_some() {
            // What was noted from the group before it was deleted must not be told, or written down, after.
            (engine.resumed, engine.resumed_from) = (None, None);
            engine.recalled = None;
            engine.complaints.clear();
            engine.progress.failure = None;
        } else if engine.resumed_from.is_some() {
            // Where the session stood when it was opened is not where it stands now.
            engine.resumed = engine.resume_note(engine.resumed_from.as_ref()).await;
        }
        if let Some(history) = &engine.parts.keeping.history {
            history.forget(&engine.parts.session).await;
        }
        engine.meter.drop_anchor();
        engine.unsaved_snapshot = false;
        Ok(changed)
    }
}

/// Shows what the log has, when a change that failed had written a part of it: what is said next must follow that.
async fn catch_up(engine: &mut Engine, log: &dyn MessageLog) {
    let session = engine.parts.session.clone();
    // Where it cannot be read either, the next write says so.
    let Ok(records) = log.read(&session, Seq(0), Part::All).await else { return };
    let last = records.last().map_or(Seq(0), |record| record.seq);
    let Ok(view) = project(&records, engine.parts.counter.as_ref()) else { return };
    if last == view.last() && last != engine.view.last() {
        engine.journal.continue_after(last);
        engine.show(view);
        engine.count_documents();
        engine.meter.drop_anchor();
    }
}

/// Hides what the window does not show, after the mark.
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

/// Deletes what a hidden group has left. The log comes last: while it holds the group's content, asking again finds
/// everything that has to go.
async fn delete(
    ports: &SessionPorts<'_>,
    records: &mut [Record],
    exchange: ExchangeId,
) -> Result<Deleted, ChangeError> {
    let Purge { redacted, results, repeated_in } = purge(records, exchange, &RETRIEVAL);
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
