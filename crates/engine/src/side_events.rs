//! Requests whose answers are no messages, as events.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use throughline_compaction::RequestObserver;
use throughline_conversation::{Purpose, SideAnswer, SideOutcome, SideRequest};

use crate::event::{Event, EventSink};
use crate::turn_context::TurnContext;

/// Reports requests whose answers are no messages of the session to a sink. One that has not ended when this is dropped was
/// stopped.
pub struct SideEvents<'a> {
    sink: &'a dyn EventSink,
    purpose: Option<Purpose>,
    open: AtomicBool,
}

impl<'a> SideEvents<'a> {
    /// Events for this sink.
    #[must_use]
    pub fn new(sink: &'a dyn EventSink) -> Self {
        Self { sink, purpose: None, open: AtomicBool::new(false) }
    }

    /// The same where all requests are for this.
    #[must_use]
    pub fn all_for(mut self, purpose: Purpose) -> Self {
        self.purpose = Some(purpose);
        self
    }

    pub(crate) fn of(turn: &TurnContext<'a>) -> Self {
        Self::new(turn.sink)
    }
}

impl fmt::Debug for SideEvents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SideEvents").field("open", &self.open).finish_non_exhaustive()
    }
}

impl RequestObserver for SideEvents<'_> {
    fn asked(&self, request: SideRequest) {
        self.open.store(true, Ordering::Relaxed);
        let request = SideRequest { purpose: self.purpose.unwrap_or(request.purpose), ..request };
        self.sink.emit(Event::SideAsked(request));
    }

    fn ended(&self, answer: SideAnswer) {
        self.open.store(false, Ordering::Relaxed);
        self.sink.emit(Event::SideAnswered(answer));
    }
}

impl Drop for SideEvents<'_> {
    fn drop(&mut self) {
        if self.open.load(Ordering::Relaxed) {
            self.ended(SideAnswer::without_usage(SideOutcome::Stopped));
        }
    }
}
