//! Questions to the session's own model behind the request that its cache has. They are no part of the conversation.

use throughline_completion::CompletionRequest;
use throughline_conversation::{CacheBreakpoint, Message, Purpose, SideRequest, Usage};

use crate::engine::ContextEngine;
use crate::state::EngineState;

impl ContextEngine {
    /// The next request of the session with a question behind it, marked where the provider has it in its cache.
    #[must_use]
    pub fn side_request(&self, question: &str) -> CompletionRequest {
        let (session, frame) = (&self.state.session, self.state.frame());
        let mut request = frame.next_request(session, &self.state.window);
        if session.view().violations().is_empty() {
            request.tail.push(question.to_owned());
        } else {
            // The last message is the model's: the question has to be a message of its own.
            request.transcript = request.transcript.followed_by(Message::user(question));
        }
        request.breakpoints = frame.prefix.planned(session, frame.tools, frame.model);
        request
    }

    /// A request to the session's model for this purpose, as its events name it.
    #[must_use]
    pub fn described(&self, purpose: Purpose) -> SideRequest {
        self.state.model.side_request(purpose)
    }

    /// What a request sent now is expected to read from the prompt cache.
    #[must_use]
    pub fn expected_read(&self) -> Usage {
        let cached = self
            .state
            .frame()
            .cached_prefix(&self.state.session, &self.state.window)
            .map_or(0, |prefix| prefix.cached);
        Usage { cache_read: cached, ..Usage::default() }
    }

    /// Notes that a side request with these breakpoints has read the prompt cache just now: the next request is predicted by
    /// that.
    pub fn note_cache_read(&mut self, breakpoints: &[CacheBreakpoint]) {
        let EngineState { session, window, prefix, tools, model, .. } = &mut self.state;
        prefix.predict(session, window, tools, model, 0, breakpoints);
    }
}
