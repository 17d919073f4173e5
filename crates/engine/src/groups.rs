//! Changing which groups, compactions and messages of the open session are shown.

use std::sync::Arc;

use throughline_continuity::{MessageLog, Part, read_all};
use throughline_conversation::{Seq, View, project_readable};
use throughline_groups::{Change, PinTarget};

use crate::engine::ContextEngine;
use crate::frame::components;
use crate::operation::Operation;
use crate::session_change::{ChangeError, Changed, SessionPorts, change_session, pin_in_session};
use crate::stage::Stage;
use crate::sync::KnownMessages;

impl Operation<'_> {
    /// Changes what is shown of the session.
    ///
    /// # Errors
    /// [`ChangeError`]. Nothing has changed.
    pub async fn change(&mut self, change: Change) -> Result<Changed, ChangeError> {
        let log = self.before_change().await?;
        let at = self.engine.state.session.now();
        let changed = change_session(&self.engine.ports(log.as_ref()), change, at).await;
        self.finish_change(log.as_ref(), changed).await
    }

    /// Pins a target, or the span of text in it: it stays in every later request, word for word.
    ///
    /// # Errors
    /// [`ChangeError`]. Nothing has changed.
    pub async fn pin(&mut self, target: PinTarget, span: Option<&str>) -> Result<Changed, ChangeError> {
        let log = self.before_change().await?;
        let (most, at) = (self.engine.pin_limit(), self.engine.state.session.now());
        let changed = pin_in_session(&self.engine.ports(log.as_ref()), target, span, most, at).await;
        let changed = changed.map_err(|error| self.engine.shown_error(error));
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
                self.engine.catch_up(log).await;
                return Err(error);
            }
        };
        self.engine.after_change(changed.view.last(), changed.view.clone()).await;
        self.engine.anchor_on_log(log).await;
        self.engine.renew_resume_note().await;
        Ok(changed)
    }

    /// Writes what waits, so that the log is complete. Returns the log.
    pub(crate) async fn before_change(&mut self) -> Result<Arc<dyn MessageLog>, ChangeError> {
        let Operation { engine, turn } = self;
        if matches!(engine.stage, Stage::Calling(_)) {
            engine.stage = Stage::Idle;
        }
        engine.state.session.close_open_calls(turn);
        engine.state.session.flush(turn).await;
        match engine.state.session.unwritten() {
            0 => Ok(engine.state.session.log()),
            pending => Err(ChangeError::Unwritten(pending)),
        }
    }
}

impl ContextEngine {
    /// Measures the changed view by the reports of earlier requests, where one showed it.
    async fn anchor_on_log(&mut self, log: &dyn MessageLog) {
        // Without the log the figures are estimated until the next report.
        let Ok(page) = read_all(log, self.state.session.id(), Seq(0), Part::All).await else { return };
        let fixed = components(&self.state.session, &self.state.prefix, &self.state.tools).fixed();
        self.state.window.anchor_on_log(
            &self.state.session,
            fixed,
            &page.records,
            &self.state.model.origin(),
        );
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

    /// Shows the changed view, which has its snapshot.
    pub(crate) async fn after_change(&mut self, last: Seq, view: View) {
        self.show(last, view);
        if let Some(history) = &self.state.continuity.history {
            history.forget(self.state.session.id()).await;
        }
        self.state.session.want_snapshot(false);
    }

    /// Shows what the log has, if a change that failed had written a part of it: the next record must follow that part.
    /// Returns true if there was such a part.
    pub(crate) async fn catch_up(&mut self, log: &dyn MessageLog) -> bool {
        // If the log cannot be read either, the next write reports it.
        let Ok(page) = read_all(log, self.state.session.id(), Seq(0), Part::All).await else { return false };
        let last = page.last();
        let (view, _) = project_readable(&page.records, self.state.session.counter());
        let view = view.at(last);
        let is_newer = last == view.last() && last != self.state.session.view().last();
        if is_newer {
            self.show(last, view);
        }
        is_newer
    }

    fn show(&mut self, last: Seq, view: View) {
        // The messages of the caller's last list may be hidden now: the next list is compared with the log again.
        self.known = KnownMessages::default();
        self.state.prefix.show(&mut self.state.session, last, view);
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
