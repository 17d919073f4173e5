//! Predicts cache reads and writes of the next request.

mod places;
mod stored;

use std::sync::Arc;

use throughline_completion::CacheRules;
use throughline_conversation::{
    CacheBreakpoint, CacheChange, CacheForecast, Entry, Millis, SectionText, ToolDefinition, Usage,
};

use places::{MessageKeys, Places};
use stored::{Sent, StoredPrefixes};

/// The request that is about to be sent. All figures are tokens by one counter.
#[derive(Debug, Clone, Copy)]
pub struct NextRequest<'a> {
    /// Provider and name of the model: each has a cache of its own.
    pub model: &'a str,
    /// Rules of its cache.
    pub rules: CacheRules,
    /// When it is sent.
    pub now: Millis,
    /// Tokens of the model for one token of the counter.
    pub scale: f64,
    /// The tools.
    pub tools: &'a Arc<[ToolDefinition]>,
    /// Tokens of each tool.
    pub tool_tokens: &'a [u64],
    /// The system prompt.
    pub system: &'a Arc<[SectionText]>,
    /// Tokens of its sections. Sections behind these hold the notes.
    pub section_tokens: &'a [u64],
    /// The messages, without the tail.
    pub entries: &'a [Entry],
    /// The view's epoch. While it stays the same, messages only come at the end.
    pub epoch: u64,
    /// The markers, as [`crate::BreakpointPlanner`] sets them.
    pub breakpoints: &'a [CacheBreakpoint],
    /// Tokens of the notes.
    pub tail_tokens: u64,
}

impl NextRequest<'_> {
    /// Tokens of the model for this many of the counter.
    fn scaled(&self, raw: u64) -> u64 {
        (raw as f64 * self.scale).round() as u64
    }
}

/// Predicts, one request after the other, from what was sent before.
///
/// It stores which prefixes the requests have left in the cache of each model and until when, and finds those of the next
/// request by the rules of the provider: at its markers and a few blocks before them, or, where a provider caches by
/// itself, at the end of each message. Reports make the figures exact: the provider's own count of a prefix replaces the
/// estimate, and a read that the rules of such a provider exclude ends them ([`CachePredictor::learn`]).
///
/// Costs the comparison of tools and system prompt, reading the new messages, and one step for each old one.
#[derive(Debug, Clone, Default)]
pub struct CachePredictor {
    stored: StoredPrefixes,
    messages: MessageKeys,
    sent: Option<Warmth>,
    /// What made the cache cold, and the tokens that it held.
    lost: Option<CacheForecast>,
    last: Option<Sent>,
}

/// The prefix that the last request left in the cache.
#[derive(Debug, Clone, PartialEq)]
struct Warmth {
    tools: Arc<[ToolDefinition]>,
    system: Arc<[SectionText]>,
    epoch: u64,
    messages: usize,
    /// All of its tokens, without the tail.
    tokens: u64,
}

impl CachePredictor {
    /// A predictor that knows of no earlier request: the first prediction reads nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records the next request and predicts the usage that the provider will report, in its tokens; `output` is 0.
    pub fn predict(&mut self, next: &NextRequest<'_>) -> Usage {
        self.messages.extend(next.epoch, next.entries);
        let places = Places::new(next, &self.messages);
        let sent = self.stored.find(next, &places);
        let usage = sent.usage(next, &places);
        self.lost = None;
        self.sent = Some(Warmth {
            tools: Arc::clone(next.tools),
            system: Arc::clone(next.system),
            epoch: next.epoch,
            messages: next.entries.len(),
            tokens: sent.left(&usage),
        });
        self.stored.store(next, &sent);
        self.last = Some(sent);
        usage
    }

    /// Tokens of the model that the next request would read, without recording it.
    #[must_use]
    pub fn read(&self, next: &NextRequest<'_>) -> u64 {
        let mut messages = self.messages.clone();
        messages.extend(next.epoch, next.entries);
        let places = Places::new(next, &messages);
        self.stored.find(next, &places).usage(next, &places).cache_read
    }

    /// Learns from the report about the request that was predicted last.
    pub fn learn(&mut self, reported: &Usage) {
        let Some(last) = self.last.take() else { return };
        self.stored.learn(&last, reported);
        let left = last.left(reported);
        if let Some(sent) = self.sent.as_mut().filter(|_| left > 0) {
            sent.tokens = left;
        }
    }

    /// What the request before left in the cache, and what of the next request has changed since; `None` for the first one.
    #[must_use]
    pub fn forecast(&self, next: &NextRequest<'_>) -> Option<CacheForecast> {
        let sent =
            self.sent.as_ref().map(|sent| CacheForecast { warm: sent.tokens, change: sent.change(next) });
        sent.or(self.lost)
    }

    /// What the last request left is of no use to the next one, for this reason: its time ran out, or another model
    /// answers.
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
        } else if self.epoch != next.epoch || self.messages > next.entries.len() {
            Some(CacheChange::Messages)
        } else {
            None
        }
    }
}

fn same<T: PartialEq>(old: &Arc<[T]>, new: &Arc<[T]>) -> bool {
    Arc::ptr_eq(old, new) || old == new
}

#[cfg(test)]
mod tests;
