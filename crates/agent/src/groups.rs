//! Changing which groups, compactions and messages of the open session are shown.

use std::sync::Arc;

use throughline_continuity::{MessageLog, Part, read_all};
use throughline_conversation::{Seq, View, project_readable};
use throughline_groups::{Change, PinTarget};
use throughline_tools::CancelFlag;

use crate::agent::Agent;
use crate::event::EventSink;
use crate::frame::components;
use crate::session_change::{ChangeError, Changed, SessionPorts, change_session, pin_in_session};
use crate::turn_context::TurnContext;

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
        let sink = &self.listener.with(sink);
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
