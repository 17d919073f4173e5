//! Changing which groups, compactions and messages of the open session are shown.

use throughline_conversation::ExchangeId;
use throughline_engine::{ChangeError, Changed, Deletion, DerivedPorts, EventSink, ItemPlace};
use throughline_groups::{Change, PinTarget};
use throughline_tools::CancelFlag;

use crate::agent::Agent;

impl Agent {
    /// Changes what is shown of the session.
    ///
    /// # Errors
    /// [`ChangeError`]. Nothing has changed.
    pub async fn change(&mut self, change: Change, sink: &dyn EventSink) -> Result<Changed, ChangeError> {
        let (sink, cancel) = (self.listener.with(sink), CancelFlag::default());
        self.parts.engine.operation(&sink, &cancel).change(change).await
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
        let (sink, cancel) = (self.listener.with(sink), CancelFlag::default());
        self.parts.engine.operation(&sink, &cancel).pin(target, span).await
    }

    /// Drops an item of the open session, or shows it again; see
    /// [`change_item_in_session`](throughline_engine::change_item_in_session).
    ///
    /// # Errors
    /// [`ChangeError`]. Nothing has changed.
    pub async fn change_item(
        &mut self,
        place: ItemPlace,
        drop: bool,
        sink: &dyn EventSink,
    ) -> Result<Changed, ChangeError> {
        let (sink, cancel) = (self.listener.with(sink), CancelFlag::default());
        self.parts.engine.operation(&sink, &cancel).change_item(place, drop).await
    }

    /// Deletes a turn of the open session permanently; see [`delete_turn`](throughline_engine::delete_turn).
    ///
    /// # Errors
    /// As for a session that no agent has open.
    pub async fn delete_turn(
        &mut self,
        turn: ExchangeId,
        derived: &DerivedPorts<'_>,
        sink: &dyn EventSink,
    ) -> Result<Deletion, ChangeError> {
        let (sink, cancel) = (self.listener.with(sink), CancelFlag::default());
        self.parts.engine.operation(&sink, &cancel).delete_turn(turn, derived).await
    }
}
