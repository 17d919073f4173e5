//! Changing which groups, compactions and messages of a session are shown.

use std::sync::Arc;

use throughline_continuity::{
    DirectoryError, LogError, MessageLog, Part, SnapshotStore, read_all, snapshot_of,
};
use throughline_conversation::{
    Groups, Mark, Millis, ProjectError, Record, RecordBody, Seq, SessionId, TokenCounter, View, Violation,
    project_readable,
};
use throughline_groups::{Change, GroupError, PinTarget, mark, pin, window_edit};
use throughline_memory::NoteError;
use throughline_resultstore::{ResultRepository, StoreError};
use throughline_text::group_thousands;
use throughline_tools::CancelFlag;

use crate::agent::Agent;
use crate::event::EventSink;
use crate::frame::components;
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
    let view = append_mark(ports, &mut records, mark.clone(), at).await?;
    save_snapshot(ports, &view, at).await;
    Ok(Changed { mark, view })
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
    let new = pin(&records, target, span)?;
    let marks = Groups::from_marks(records.iter().filter_map(|record| match &record.body {
        RecordBody::Mark(mark) => Some(mark),
        _ => None,
    }));
    let pinned = marks.pinned_texts().map(|pinned| ports.counter.text(&pinned.text));
    let tokens = pinned.fold(new.tokens(ports.counter), u64::saturating_add);
    if tokens > most {
        return Err(ChangeError::PinsTooLarge { tokens, most });
    }
    let mark = Mark::Pin(new);
    let view = append_mark(ports, &mut records, mark.clone(), at).await?;
    save_snapshot(ports, &view, at).await;
    Ok(Changed { mark, view })
}

/// All records of a session.
pub(crate) async fn read_log(ports: &SessionPorts<'_>) -> Result<Vec<Record>, LogError> {
    Ok(read_all(ports.log, ports.session, Seq(0), Part::All).await?.records)
}

/// Appends a mark, and the edit that it needs, to the log and to its records. Returns the view after it.
pub(crate) async fn append_mark(
    ports: &SessionPorts<'_>,
    records: &mut Vec<Record>,
    mark: Mark,
    at: Millis,
) -> Result<View, ChangeError> {
    let begun = records.len();
    append(records, ports.log.last(ports.session).await?, RecordBody::Mark(mark), at);
    // Edits that do not fit without lost records are left out, as at the start of the session.
    let (view, _) = project_readable(records.as_slice(), ports.counter);
    let clashes = |one: &Violation| matches!(one, Violation::DuplicateCall { .. });
    if view.violations().iter().any(clashes) {
        return Err(ChangeError::TwiceTheSameIds);
    }
    let view = narrowed(records, view, ports.counter, at)?;
    ports.log.append(ports.session, records.get(begun..).unwrap_or_default()).await?;
    Ok(view)
}

/// Saves a snapshot, or logs why not: the next start then reads the whole log.
pub(crate) async fn save_snapshot(ports: &SessionPorts<'_>, view: &View, at: Millis) {
    let snapshot = snapshot_of(ports.session, view, at);
    if let Err(error) = ports.snapshots.save(&snapshot).await {
        tracing::warn!(%error, "no snapshot after a change of groups; the next start reads the whole log");
    }
}

impl Agent {
    /// Changes what is shown of the session.
    ///
    /// # Errors
    /// [`ChangeError`]. Nothing has changed.
    pub async fn change(&mut self, change: Change, sink: &dyn EventSink) -> Result<Changed, ChangeError> {
        let log = self.before_change(sink).await?;
        let changed = change_session(&self.ports(log.as_ref()), change, self.session.clock.now()).await;
        self.finish_change(log.as_ref(), changed).await
    }

    /// Pins a target, or the span of text in it: it stays in every later request, word for word.
    ///
    /// # Errors
    /// [`ChangeError`]. Nothing has changed.
    pub async fn pin(
        &mut self,
        target: PinTarget,
        span: Option<&str>,
        sink: &dyn EventSink,
    ) -> Result<Changed, ChangeError> {
        let log = self.before_change(sink).await?;
        let (most, at) = (self.pin_limit(), self.session.clock.now());
        let changed = pin_in_session(&self.ports(log.as_ref()), target, span, most, at).await;
        self.finish_change(log.as_ref(), changed).await
    }

    pub(crate) async fn finish_change(
        &mut self,
        log: &dyn MessageLog,
        changed: Result<Changed, ChangeError>,
    ) -> Result<Changed, ChangeError> {
        let changed = match changed {
            Ok(changed) => changed,
            Err(error) => {
                self.catch_up(log).await;
                return Err(error);
            }
        };
        self.after_change(changed.view.last(), changed.view.clone()).await;
        self.anchor_on_log(log).await;
        self.renew_resume_note().await;
        Ok(changed)
    }

    /// Measures the changed view by the reports of earlier requests, where one showed it.
    async fn anchor_on_log(&mut self, log: &dyn MessageLog) {
        // Without the log the figures are estimated until the next report.
        let Ok(page) = read_all(log, &self.session.id, Seq(0), Part::All).await else { return };
        let fixed = components(&self.session, &self.prefix, &self.tools).fixed();
        self.window.anchor_on_log(&self.session, fixed, &page.records, &self.model.origin());
    }

    /// The ports of the open session.
    pub(crate) fn ports<'a>(&'a self, log: &'a dyn MessageLog) -> SessionPorts<'a> {
        SessionPorts {
            session: &self.session.id,
            log,
            snapshots: self.session.snapshots.as_ref(),
            results: self.tools.repository.as_ref(),
            counter: self.session.counter.as_ref(),
        }
    }

    /// Writes what waits, so that the log is complete. Returns the log.
    pub(crate) async fn before_change(
        &mut self,
        sink: &dyn EventSink,
    ) -> Result<Arc<dyn MessageLog>, ChangeError> {
        let cancel = CancelFlag::default();
        let turn = TurnContext { sink, cancel: &cancel };
        self.session.close_open_calls(&turn);
        self.session.flush(&turn).await;
        match self.session.journal.pending() {
            0 => Ok(self.session.journal.log()),
            pending => Err(ChangeError::Unwritten(pending)),
        }
    }

    /// Shows the changed view, which has its snapshot.
    pub(crate) async fn after_change(&mut self, last: Seq, view: View) {
        self.show(last, view);
        if let Some(history) = &self.continuity.history {
            history.forget(&self.session.id).await;
        }
        self.session.unsaved_snapshot = false;
    }

    /// Shows what the log has, if a change that failed had written a part of it: the next record must follow that part.
    /// Returns true if there was such a part.
    pub(crate) async fn catch_up(&mut self, log: &dyn MessageLog) -> bool {
        // If the log cannot be read either, the next write reports it.
        let Ok(page) = read_all(log, &self.session.id, Seq(0), Part::All).await else { return false };
        let last = page.last();
        let (view, _) = project_readable(&page.records, self.session.counter.as_ref());
        let view = view.at(last);
        let is_newer = last == view.last() && last != self.session.view.last();
        if is_newer {
            self.show(last, view);
        }
        is_newer
    }

    fn show(&mut self, last: Seq, view: View) {
        self.session.journal.continue_after(last);
        self.prefix.show(&mut self.session, view);
        self.session.count_documents();
        self.window.meter.drop_anchor();
    }

    /// Brings the note about the resumed session up to date with a changed view.
    async fn renew_resume_note(&mut self) {
        if self.tail.resumed_from.is_some() {
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
