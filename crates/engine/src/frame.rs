//! What a request adds to the conversation.

use std::sync::Arc;

use throughline_compaction::SummaryPrefix;
use throughline_completion::CompletionRequest;
use throughline_conversation::Components;

use crate::active_model::ActiveModel;
use crate::prefix::Prefix;
use crate::session::{Session, documents_tail};
use crate::toolbox::ToolBox;
use crate::window::{RequestSize, Window};

/// The owners of everything in a request but the conversation, to read from while the view changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestFrame<'a> {
    pub(crate) prefix: &'a Prefix,
    pub(crate) tools: &'a ToolBox,
    pub(crate) model: &'a ActiveModel,
}

/// The counter's tokens of the next request, by component and without its tail notes.
pub(crate) fn components(session: &Session, prefix: &Prefix, tools: &ToolBox) -> Components {
    Components {
        // Documents are counted here because, like the system prompt, no compaction can shrink them.
        system: prefix.system_tokens().base.saturating_add(session.documents_tokens()),
        skills: prefix.system_tokens().skills,
        tools: tools.tokens(),
        conversation: session.view().tokens(),
    }
}

impl<'a> RequestFrame<'a> {
    /// Measures the next request, with the tail notes of the last one.
    pub(crate) fn size(&self, session: &Session, window: &Window) -> RequestSize {
        window.measure(components(session, self.prefix, self.tools), window.tail_tokens())
    }

    /// Milliseconds since the last request; `None` if this run has sent none.
    pub(crate) fn idle_ms(&self, session: &Session) -> Option<u64> {
        let sent = self.prefix.sent_at()?;
        Some(session.now().0.saturating_sub(sent.0).unsigned_abs())
    }

    /// The next request: system prompt, tools, messages and documents, without notes about the window and without cache
    /// breakpoints.
    pub(crate) fn next_request(&self, session: &Session, window: &Window) -> CompletionRequest {
        let (system, tail) = self.prefix.place(documents_tail(session.view()));
        CompletionRequest {
            model: self.model.info.name.clone(),
            session: Some(session.id().clone()),
            tools: Arc::clone(self.tools.active()),
            system,
            transcript: session.view().transcript().clone(),
            breakpoints: Vec::new(),
            tail,
            max_output_tokens: window.reserved(),
        }
    }

    /// The request that was sent last, with what was appended since, if the provider has a part of it in its cache.
    pub(crate) fn cached_prefix(self, session: &'a Session, window: &Window) -> Option<SummaryPrefix<'a>> {
        let idle = self.idle_ms(session)?;
        let cached = self.prefix.read_now(session, window, self.tools, self.model);
        (cached > 0 && !self.model.info.cache.is_cold_after(idle)).then(|| SummaryPrefix {
            model: &self.model.info.name,
            session: session.id(),
            system: self.prefix.last_system(),
            tools: self.tools.active(),
            transcript: session.view().transcript(),
            max_output_tokens: window.reserved(),
            tokens: window.measure(components(session, self.prefix, self.tools), 0).upper,
            cached,
        })
    }
}
