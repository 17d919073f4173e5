//! The whole history, sent with every request: what the engine's requests are compared with.

use throughline_completion::PrefixUse;
use throughline_conversation::{Message, TokenCounter};

use crate::session::RecordedSession;

/// Tokens of all messages before each answer, and what was sent last. The window has no end here.
#[derive(Debug, Clone)]
pub(crate) struct FullHistory {
    /// By turn and step, by the counter's own figures.
    before: Vec<Vec<u64>>,
    /// System prompt and tools, as in the first request.
    fixed: Option<u64>,
    sent: u64,
}

impl FullHistory {
    /// Counts a session once.
    pub(crate) fn of(session: &RecordedSession, counter: &dyn TokenCounter) -> Self {
        let mut total = 0_u64;
        let mut before = Vec::with_capacity(session.turns.len());
        for turn in &session.turns {
            total = total.saturating_add(counter.message(&turn.user));
            let mut steps = Vec::with_capacity(turn.steps.len());
            for step in &turn.steps {
                steps.push(total);
                total = total.saturating_add(counter.message(&step.assistant));
                if !step.results.is_empty() {
                    total = total
                        .saturating_add(counter.message(&Message::results(step.results.iter().cloned())));
                }
            }
            before.push(steps);
        }
        Self { before, fixed: None, sent: 0 }
    }

    /// The request for an answer, with the history whole: it reads all that was sent before and writes the rest.
    pub(crate) fn request(&mut self, turn: usize, step: usize, fixed: u64) -> PrefixUse {
        let fixed = *self.fixed.get_or_insert(fixed);
        let history = self.before.get(turn).and_then(|steps| steps.get(step)).copied().unwrap_or_default();
        let total = fixed.saturating_add(history);
        let read = self.sent.min(total);
        self.sent = total;
        PrefixUse { read, write: total - read, uncached: 0 }
    }
}
