//! The compactions of a session, noted for the hooks that run after them.

use std::sync::Arc;

use throughline_agent::{Event, EventSink, Listeners};
use throughline_conversation::{EditReason, SessionId};

use super::{SessionHooks, lock};

/// Listens to a session for its hooks. Events go to the listener of the others, too.
#[derive(Debug)]
pub(crate) struct HookListeners {
    pub(crate) hooks: Arc<SessionHooks>,
    pub(crate) others: Arc<dyn Listeners>,
}

impl Listeners for HookListeners {
    fn listen_to(&self, session: &SessionId) -> Arc<dyn EventSink> {
        Arc::new(HookListener { hooks: Arc::clone(&self.hooks), other: self.others.listen_to(session) })
    }
}

struct HookListener {
    hooks: Arc<SessionHooks>,
    other: Arc<dyn EventSink>,
}

impl EventSink for HookListener {
    fn emit(&self, event: Event) {
        if let Event::Compacted(receipt) = &event {
            let trigger = if receipt.reason == EditReason::Manual { "manual" } else { "auto" };
            lock(&self.hooks.compactions).push(trigger);
        }
        self.other.emit(event);
    }
}
