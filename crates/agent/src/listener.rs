//! Listeners: who receives all events of a session, of every call.

use std::fmt;
use std::sync::Arc;

use throughline_conversation::SessionId;

use throughline_engine::{Event, EventSink};

/// Gives each session that is opened a listener, for traces and metrics of a whole program.
///
/// The [`EventSink`] of a call belongs to its caller, for example a screen. A listener belongs to the session: it receives the
/// events of every call, before the sink does.
///
/// # Contract
/// A listener MUST return at once: it is called in the middle of a turn. It MUST NOT panic. It is dropped with the agent; what
/// began and was not ended by then was abandoned.
pub trait Listeners: fmt::Debug + Send + Sync {
    /// The listener of a session.
    fn listen_to(&self, session: &SessionId) -> Arc<dyn EventSink>;
}

const _: Option<&dyn Listeners> = None;

/// The listener of an agent, if it has one.
#[derive(Clone, Default)]
pub(crate) struct Listener(Option<Arc<dyn EventSink>>);

impl Listener {
    pub(crate) fn of(listeners: Option<&dyn Listeners>, session: &SessionId) -> Self {
        Self(listeners.map(|listeners| listeners.listen_to(session)))
    }

    /// A sink for one call: its events go to the listener, and then to the sink of the caller.
    pub(crate) fn with<'a>(&self, sink: &'a dyn EventSink) -> HeardSink<'a> {
        HeardSink { listener: self.clone(), sink }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Listener").field(&self.0.is_some()).finish()
    }
}

/// The sink of one call, with the listener of the session.
pub(crate) struct HeardSink<'a> {
    listener: Listener,
    sink: &'a dyn EventSink,
}

impl EventSink for HeardSink<'_> {
    fn emit(&self, event: Event) {
        if let Some(listener) = &self.listener.0 {
            listener.emit(event.clone());
        }
        self.sink.emit(event);
    }
}
