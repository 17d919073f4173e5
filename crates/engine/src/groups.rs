//! Changing which groups, compactions and messages of the open session are shown.

use std::sync::Arc;

use throughline_continuity::{MessageLog, Part, read_all};
use throughline_conversation::{Mark, Record, Seq, View, project_readable};
use throughline_groups::{Change, PinTarget, mark};

use crate::engine::ContextEngine;
use crate::frame::components;
use crate::operation::Operation;
use crate::session_change::{
    ChangeError, Changed, Decided, SessionPorts, decide, pin_mark, read_log, save_snapshot,
};
use crate::sync::KnownMessages;

impl Operation<'_> {
    /// Changes what is shown of the session. A request, calls or a summary that are open stay open if the view still ends with them;
    /// otherwise they are given up.
    ///
    /// # Errors
    /// [`ChangeError`]. Nothing has changed.
    pub async fn change(&mut self, change: Change) -> Result<Changed, ChangeError> {
        let (log, mut records) = self.whole_log().await?;
        let mark = mark(&records, change)?;
        self.apply_mark(log.as_ref(), &mut records, mark).await
    }

    /// Pins a target, or the span of text in it: it stays in every later request, word for word.
    ///
    /// # Errors
    /// [`ChangeError`]. Nothing has changed.
    pub async fn pin(&mut self, target: PinTarget, span: Option<&str>) -> Result<Changed, ChangeError> {
        let (log, mut records) = self.whole_log().await?;
        let (most, counter) = (self.engine.pin_limit(), self.engine.state.session.counter());
        let mark = pin_mark(&records, target, span, most, counter);
        let mark = mark.map_err(|error| self.engine.shown_error(error))?;
        self.apply_mark(log.as_ref(), &mut records, mark).await
    }

    /// Writes what waits, so that the log is complete. Returns it with its records.
    pub(crate) async fn whole_log(&mut self) -> Result<(Arc<dyn MessageLog>, Vec<Record>), ChangeError> {
        let Operation { engine, turn } = self;
        engine.state.session.flush(turn).await;
        match engine.state.session.unwritten() {
            0 => {
                let log = engine.state.session.log();
                let records = read_log(&engine.ports(log.as_ref())).await?;
                Ok((log, records))
            }
            pending => Err(ChangeError::Unwritten(pending)),
        }
    }

    /// Writes a mark and shows the view after it.
    pub(crate) async fn apply_mark(
        &mut self,
        log: &dyn MessageLog,
        records: &mut Vec<Record>,
        mark: Mark,
    ) -> Result<Changed, ChangeError> {
        let changed = self.write_change(log, records, mark).await?;
        let at = self.engine.state.session.now();
        save_snapshot(&self.engine.ports(log), &changed.view, at).await;
        self.engine.anchor_on(records);
        self.engine.renew_resume_note().await;
        Ok(changed)
    }

    /// Writes a mark, adds it to the records of the log, and shows the view after it.
    pub(crate) async fn write_change(
        &mut self,
        log: &dyn MessageLog,
        records: &mut Vec<Record>,
        mark: Mark,
    ) -> Result<Changed, ChangeError> {
        let Decided { mark, records: new, view } = self.engine.decide(records, mark)?;
        let before = self.engine.state.session.last();
        self.engine.state.session.adopt(new);
        let mut change = WrittenChange { engine: &mut *self.engine, view: Some(view.clone()) };
        if let Err(error) = change.engine.state.session.write().await {
            change.view = None;
            drop(change);
            self.engine.state.session.retract(before);
            self.engine.catch_up(log).await;
            return Err(error.into());
        }
        drop(change);
        if let Some(history) = &self.engine.state.continuity.history {
            history.forget(self.engine.state.session.id()).await;
        }
        self.engine.state.session.want_snapshot(false);
        Ok(Changed { mark, view })
    }
}

/// A change that is being written. It is shown when that ends, also if the caller's future is dropped: the log may have it, or has it
/// with the next write.
struct WrittenChange<'e> {
    engine: &'e mut ContextEngine,
    /// `None`: it is not shown.
    view: Option<View>,
}

impl Drop for WrittenChange<'_> {
    fn drop(&mut self) {
        if let Some(view) = self.view.take() {
            self.engine.show(view);
        }
    }
}

impl ContextEngine {
    /// Decides a mark over the records of the log. Open calls that the view does not end with any more are answered before it.
    fn decide(&self, records: &mut Vec<Record>, mark: Mark) -> Result<Decided, ChangeError> {
        let session = &self.state.session;
        let (begun, at, counter) = (records.len(), session.now(), session.counter());
        let decided = decide(records, session.last(), mark.clone(), at, counter)?;
        let closing = self.closing().filter(|_| !ends_alike(session.view(), &decided.view));
        let Some(closing) = closing.map(|message| session.next_message(message)) else { return Ok(decided) };
        records.truncate(begun);
        records.push(closing.clone());
        let mut decided = decide(records, closing.seq, mark, at, counter)?;
        decided.records.insert(0, closing);
        Ok(decided)
    }

    /// Measures the changed view by the reports of earlier requests, where one showed it.
    fn anchor_on(&mut self, records: &[Record]) {
        let fixed = components(&self.state.session, &self.state.prefix, &self.state.tools).fixed();
        self.state.window.anchor_on_log(&self.state.session, fixed, records, &self.state.model.origin());
    }

    /// The ports of the open session.
    pub(crate) fn ports<'a>(&'a self, log: &'a dyn MessageLog) -> SessionPorts<'a> {
        SessionPorts {
            session: self.state.session.id(),
            log,
            snapshots: self.state.session.snapshots(),
            results: self.state.tools.repository(),
            counter: self.state.session.counter(),
        }
    }

    /// Shows what the log has, if a change that failed is in it all the same: the next record must follow it.
    async fn catch_up(&mut self, log: &dyn MessageLog) {
        // If the log cannot be read either, the next write reports it.
        let Ok(page) = read_all(log, self.state.session.id(), Seq(0), Part::All).await else { return };
        let last = page.last();
        let (view, _) = project_readable(&page.records, self.state.session.counter());
        let view = view.at(last);
        if last == view.last() && last != self.state.session.view().last() {
            self.show(view);
        }
    }

    /// Shows a view of the whole log. What is open is given up, unless the view still ends with it.
    pub(crate) fn show(&mut self, view: View) {
        if !ends_alike(self.view(), &view) {
            self.abandon();
        }
        // The messages of the caller's last list may be hidden now: the next list is compared with the log again.
        self.known = KnownMessages::default();
        self.state.prefix.show(&mut self.state.session, view.last(), view);
        self.state.window.drop_anchor();
    }

    /// Brings the note about the resumed session up to date with a changed view.
    async fn renew_resume_note(&mut self) {
        if let Some(found) = self.state.tail.resumed_from() {
            let note = self.state.continuity.resume_note(&self.state.session, Some(found)).await;
            self.state.tail.renew_resume(note);
        }
    }
}

/// Returns true if two views end with the same message, or both are empty.
fn ends_alike(one: &View, other: &View) -> bool {
    let end = |view: &View| view.native().last().map(|entry| (entry.span, entry.kind));
    end(one) == end(other)
}
