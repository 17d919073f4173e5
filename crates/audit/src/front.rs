//! What is in front of the first message of a recording: system prompt and tool schemas, and in a file that begins in the
//! middle of a conversation also what came before.

use throughline_replay::RecordedSession;

/// Above this share of what is in front, tokens that later prompts do not have are a conversation: by less, agents change their
/// tools and the text around them, and that is text that no log shows.
const CONVERSATION: f64 = 0.25;

/// Tokens in front of the first message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FrontTokens {
    /// System prompt and tool schemas. They are in every request, so no prompt is smaller.
    pub(super) front: f64,
    /// What is in the first request only.
    pub(super) rest: f64,
}

impl FrontTokens {
    /// Of this many tokens before the first message, where the smallest prompt has `smallest` tokens; `None`: no prompt was
    /// recorded.
    pub(super) fn of(before: f64, smallest: Option<f64>) -> Self {
        let front = smallest.map_or(before, |smallest| before.min(smallest));
        Self { front, rest: before - front }
    }

    /// Returns true if the rest is so much that the file begins in the middle of a conversation.
    pub(super) fn is_conversation(self) -> bool {
        self.rest > CONVERSATION * (self.front + self.rest)
    }
}

/// Tokens of the smallest prompt of a recording; `None`: none was recorded.
pub(super) fn smallest_prompt(session: &RecordedSession) -> Option<u64> {
    let prompts = session.steps().filter_map(|step| step.usage).map(|usage| usage.prompt());
    prompts.filter(|prompt| *prompt > 0).min()
}
