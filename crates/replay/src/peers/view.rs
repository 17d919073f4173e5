//! What a peer sends: messages, some of them shortened or replaced.

use std::sync::Arc;

use throughline_conversation::{ContentBlock, Message, Role, TokenCounter};

/// A message and its tokens by the counter.
#[derive(Debug, Clone)]
pub(super) struct PeerMessage {
    pub(super) message: Arc<Message>,
    pub(super) tokens: u64,
}

impl PeerMessage {
    pub(super) fn new(message: Arc<Message>, counter: &dyn TokenCounter) -> Self {
        let tokens = counter.message(&message);
        Self { message, tokens }
    }

    /// Returns true for a message of tool results.
    pub(super) fn is_results(&self) -> bool {
        self.message.tool_results().next().is_some()
    }
}

/// The messages of the next request.
#[derive(Debug, Default, Clone)]
pub(super) struct PeerView {
    pub(super) messages: Vec<PeerMessage>,
}

impl PeerView {
    /// Tokens of all messages.
    pub(super) fn tokens(&self) -> u64 {
        self.messages.iter().map(|message| message.tokens).sum()
    }

    /// Replaces the text of every tool result of a message by `text`.
    pub(super) fn clear_results(&mut self, at: usize, text: &str, counter: &dyn TokenCounter) {
        let Some(place) = self.messages.get_mut(at) else { return };
        let mut message = Message::clone(&place.message);
        for block in &mut message.content {
            if let ContentBlock::ToolResult(result) = block {
                text.clone_into(&mut result.content);
                result.images.clear();
            }
        }
        *place = PeerMessage::new(Arc::new(message), counter);
    }

    /// The number of the first message that can begin a tail: no result without its call.
    pub(super) fn boundary(&self, mut at: usize) -> usize {
        while self.messages.get(at).is_some_and(PeerMessage::is_results) {
            at += 1;
        }
        at
    }

    /// Drops the oldest messages until the rest fits, and cuts the last results if that is not enough. Returns true if
    /// anything was dropped: what every agent does when its own policy has left too much.
    pub(super) fn fit(&mut self, room: u64, counter: &dyn TokenCounter) -> bool {
        if self.tokens() <= room {
            return false;
        }
        let mut left = self.tokens();
        let mut first = 0;
        while left > room && first + 1 < self.messages.len() {
            left -= self.messages.get(first).map_or(0, |message| message.tokens);
            first += 1;
        }
        let first = self.boundary(first).min(self.messages.len().saturating_sub(1));
        self.messages.drain(..first);
        let tokens = self.tokens();
        if tokens > room {
            self.cut_last(room, tokens, counter);
        }
        true
    }

    fn cut_last(&mut self, room: u64, tokens: u64, counter: &dyn TokenCounter) {
        let Some(last) = self.messages.last_mut() else { return };
        let mut message = Message::clone(&last.message);
        let share = room as f64 / tokens.max(1) as f64 * 0.9;
        for block in &mut message.content {
            let text = match block {
                ContentBlock::ToolResult(result) => &mut result.content,
                ContentBlock::Text { text } => text,
                _ => continue,
            };
            let most = (text.len() as f64 * share) as usize;
            text.truncate(throughline_text::cut_end(text, most).len());
        }
        *last = PeerMessage::new(Arc::new(message), counter);
    }

    /// Number of leading messages that are the same as in another view.
    pub(super) fn common(&self, other: &[PeerMessage]) -> usize {
        let same = |(a, b): &(&PeerMessage, &PeerMessage)| Arc::ptr_eq(&a.message, &b.message);
        self.messages.iter().zip(other).take_while(same).count()
    }
}

/// A message of the user's side with this text.
pub(super) fn user_text(text: String, counter: &dyn TokenCounter) -> PeerMessage {
    let message = Message { role: Role::User, content: vec![ContentBlock::Text { text }] };
    PeerMessage::new(Arc::new(message), counter)
}
