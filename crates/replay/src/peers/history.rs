//! The recorded messages in one list, and the place of each request in it.

use std::sync::Arc;

use throughline_conversation::{Message, Millis, Role, TokenCounter, Uncounted};

use super::view::PeerMessage;
use crate::session::RecordedSession;

/// A session as a list of messages.
#[derive(Debug)]
pub(crate) struct PeerHistory {
    pub(super) messages: Vec<PeerMessage>,
    pub(crate) requests: Vec<RequestPoint>,
}

/// A request: the history before an answer.
#[derive(Debug, Clone, Copy)]
pub struct RequestPoint {
    /// The turn, from 0.
    pub turn: usize,
    /// The answer within the turn, from 0.
    pub step: usize,
    /// Messages before the answer.
    pub(super) upto: usize,
    /// Milliseconds since the request before, as far as times were recorded.
    pub idle_ms: u64,
}

/// The requests of a session, oldest first.
#[must_use]
pub fn request_points(session: &RecordedSession) -> Vec<RequestPoint> {
    PeerHistory::of(session, &Uncounted, true).requests
}

impl PeerHistory {
    pub(crate) fn of(session: &RecordedSession, counter: &dyn TokenCounter, clock: bool) -> Self {
        let mut history = Self { messages: Vec::new(), requests: Vec::new() };
        let mut now = None;
        for (turn, recorded) in session.turns.iter().enumerate() {
            history.push(recorded.user.clone(), counter);
            for (number, step) in recorded.steps.iter().enumerate() {
                let at = step.asked_at.filter(|_| clock);
                let idle = now.zip(at).map_or(0, |(before, at): (i64, Millis)| (at.0 - before).max(0));
                now = now.max(at.map(|at| at.0));
                let upto = history.messages.len();
                let idle_ms = idle.unsigned_abs();
                history.requests.push(RequestPoint { turn, step: number, upto, idle_ms });
                history.push(step.assistant.clone(), counter);
                if !step.results.is_empty() {
                    history.push(Message::results(step.results.iter().cloned()), counter);
                }
            }
        }
        history
    }

    fn push(&mut self, message: Message, counter: &dyn TokenCounter) {
        self.messages.push(PeerMessage::new(Arc::new(message), counter));
    }
}

/// Returns true for a message of the user that is no list of results.
pub(super) fn is_user_text(message: &Message) -> bool {
    message.role == Role::User && message.tool_results().next().is_none()
}
