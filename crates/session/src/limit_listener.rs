//! Limits of models that their servers say in a session, stored for the next one.

use std::sync::Arc;

use throughline_agent::{Event, EventSink, Listeners};
use throughline_connect::LimitsFile;
use throughline_conversation::SessionId;
use throughline_text::error_chain;

/// Stores the limits that servers say in a session. Events go to the listener of the others, too.
#[derive(Debug)]
pub(crate) struct LimitListeners {
    pub(crate) file: LimitsFile,
    pub(crate) others: Option<Arc<dyn Listeners>>,
}

impl Listeners for LimitListeners {
    fn listen_to(&self, session: &SessionId) -> Arc<dyn EventSink> {
        let other = self.others.as_ref().map(|others| others.listen_to(session));
        Arc::new(LimitListener { file: self.file.clone(), other })
    }
}

struct LimitListener {
    file: LimitsFile,
    other: Option<Arc<dyn EventSink>>,
}

impl EventSink for LimitListener {
    fn emit(&self, event: Event) {
        if let Event::LimitLearned { model, server: Some(server), limit } = &event
            && let Err(error) = self.file.learn(server, &model.model, *limit)
        {
            // The session itself has learned it.
            tracing::warn!(error = error_chain(&error), "a limit of a model could not be stored");
        }
        if let Some(other) = &self.other {
            other.emit(event);
        }
    }
}
