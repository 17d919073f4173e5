//! Predicts cache reads and writes of the next request.

use std::sync::Arc;

use throughline_conversation::{CacheChange, CacheForecast, SectionText, ToolDefinition, Usage};

/// The request that is about to be sent. All figures are tokens by one counter.
#[derive(Debug, Clone, Copy)]
pub struct NextRequest<'a> {
    /// The tools.
    pub tools: &'a Arc<[ToolDefinition]>,
    /// The system prompt.
    pub system: &'a Arc<[SectionText]>,
    /// Tokens of the tools.
    pub tools_tokens: u64,
    /// Tokens of the system prompt.
    pub system_tokens: u64,
    /// Number of messages.
    pub messages: usize,
    /// Tokens of the messages, without the tail.
    pub conversation_tokens: u64,
    /// The view's epoch. While it stays the same, messages only come at the end.
    pub epoch: u64,
    /// Tokens of the notes at the tail.
    pub tail_tokens: u64,
}

/// Predicts, one request after the other, from what was sent last.
///
/// The prediction is that of a warm cache with a marker at the end of the tools, of the system prompt and of the
/// messages, as [`crate::BreakpointPlanner`] sets them. It counts on no part of a list that was changed: the
/// provider may still read its unchanged front. It does not know the time; who knows that the cache has gone cold
/// says so by [`CachePredictor::forget`]. It also leaves out that very short prefixes are not cached at all.
///
/// Costs no more than the comparison of tools and system prompt, and nothing when they are the same in memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CachePredictor {
    sent: Option<Warmth>,
    /// What made the cache cold, and the tokens that it held.
    lost: Option<CacheForecast>,
}

/// The prefix that the last request left in the cache.
#[derive(Debug, Clone, PartialEq)]
struct Warmth {
    tools: Arc<[ToolDefinition]>,
    system: Arc<[SectionText]>,
    epoch: u64,
    messages: usize,
    conversation_tokens: u64,
    /// All of its tokens, without the tail.
    tokens: u64,
}

impl CachePredictor {
    /// A predictor that knows of no earlier request: the first prediction reads nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records the next request and predicts the usage that the provider will report; `output` is 0.
    pub fn predict(&mut self, next: &NextRequest<'_>) -> Usage {
        let fixed = next.tools_tokens.saturating_add(next.system_tokens);
        let whole = fixed.saturating_add(next.conversation_tokens);
        let cache_read = self.sent.as_ref().map_or(0, |sent| sent.read_by(next));
        self.lost = None;
        self.sent = Some(Warmth {
            tools: Arc::clone(next.tools),
            system: Arc::clone(next.system),
            epoch: next.epoch,
            messages: next.messages,
            conversation_tokens: next.conversation_tokens,
            tokens: whole,
        });
        Usage {
            input: next.tail_tokens,
            cache_read,
            cache_write: whole.saturating_sub(cache_read),
            output: 0,
        }
    }

    /// What the request before left in the cache, and what of the next request has changed since; `None` for the first one.
    #[must_use]
    pub fn forecast(&self, next: &NextRequest<'_>) -> Option<CacheForecast> {
        let sent =
            self.sent.as_ref().map(|sent| CacheForecast { warm: sent.tokens, change: sent.change(next) });
        sent.or(self.lost)
    }

    /// The cache is cold, for this reason: its time ran out, or another model answers.
    pub fn forget(&mut self, change: CacheChange) {
        let sent = self.sent.take();
        self.lost = sent.map(|sent| CacheForecast { warm: sent.tokens, change: Some(change) }).or(self.lost);
    }
}

impl Warmth {
    /// The first part of the next request that is another one.
    fn change(&self, next: &NextRequest<'_>) -> Option<CacheChange> {
        if !same(&self.tools, next.tools) {
            Some(CacheChange::Tools)
        } else if !same(&self.system, next.system) {
            Some(CacheChange::SystemPrompt)
        } else if self.epoch != next.epoch || self.messages > next.messages {
            Some(CacheChange::Messages)
        } else {
            None
        }
    }

    fn read_by(&self, next: &NextRequest<'_>) -> u64 {
        let fixed = next.tools_tokens.saturating_add(next.system_tokens);
        match self.change(next) {
            Some(CacheChange::SystemPrompt) => next.tools_tokens,
            Some(CacheChange::Messages) => fixed,
            Some(_) => 0,
            // A counter that was calibrated in between may now count fewer tokens for all messages than before.
            None => fixed.saturating_add(self.conversation_tokens.min(next.conversation_tokens)),
        }
    }
}

fn same<T: PartialEq>(old: &Arc<[T]>, new: &Arc<[T]>) -> bool {
    Arc::ptr_eq(old, new) || old == new
}

#[cfg(test)]
mod tests;
