//! Simulates a provider's prompt cache over a sequence of requests.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use throughline_conversation::{Message, Millis, SectionText, TokenCounter, ToolDefinition, Usage};

use crate::request::CompletionRequest;

/// Tokens of a request by what the cache did with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PrefixUse {
    /// Read: the prefix that equals the request before.
    pub read: u64,
    /// Written: the rest, up to the tail.
    pub write: u64,
    /// Neither: the tail, which comes after every marker.
    pub uncached: u64,
}

impl PrefixUse {
    /// All tokens of the request.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.read.saturating_add(self.write).saturating_add(self.uncached)
    }

    /// The same request when nothing is in the cache: all that would have been read is written.
    #[must_use]
    pub fn cold(self) -> Self {
        Self { read: 0, write: self.read.saturating_add(self.write), uncached: self.uncached }
    }

    /// As a provider would report it, with that many output tokens.
    #[must_use]
    pub fn usage(&self, output: u64) -> Usage {
        Usage { input: self.uncached, cache_read: self.read, cache_write: self.write, output, searches: 0 }
    }
}

/// A cache that keeps the last request warm: what equals it from the front on, message by message, is read.
///
/// Tools come before the system prompt and both before the messages, so a changed tool makes everything
/// behind it cold.
#[derive(Debug, Default)]
pub struct PrefixCache {
    used_at: Option<Millis>,
    front: CountedFront,
    messages: Vec<Arc<Message>>,
}

/// The tools and the system prompt of a request, with the tokens of each. What equals the same part of the request before
/// is not counted again.
#[derive(Debug, Clone, Default)]
pub struct CountedFront {
    tools: Arc<[ToolDefinition]>,
    system: Arc<[SectionText]>,
    tool_tokens: Vec<u64>,
    section_tokens: Vec<u64>,
}

impl CountedFront {
    /// The front of a request. `before` is that of an earlier one, counted by the same counter.
    #[must_use]
    pub fn of(request: &CompletionRequest, before: &Self, counter: &dyn TokenCounter) -> Self {
        let (tools, system) = (&request.tools, &request.system);
        let known = counted(&before.tools, &before.tool_tokens);
        let tool_tokens = recounted(tools, known, |tool| counter.tool(tool));
        let known = counted(&before.system, &before.section_tokens);
        let section_tokens = recounted(system, known, |section| counter.text(&section.text));
        Self { tools: Arc::clone(tools), system: Arc::clone(system), tool_tokens, section_tokens }
    }

    /// The sections of the system prompt, each with its tokens.
    pub fn sections(&self) -> impl Iterator<Item = (&SectionText, u64)> {
        counted(&self.system, &self.section_tokens)
    }

    /// Tokens of all tools.
    #[must_use]
    pub fn tools_tokens(&self) -> u64 {
        self.tool_tokens.iter().fold(0, |sum, tokens| sum.saturating_add(*tokens))
    }
}

fn counted<'a, T>(parts: &'a [T], tokens: &'a [u64]) -> impl Iterator<Item = (&'a T, u64)> {
    parts.iter().zip(tokens.iter().copied())
}

/// The tokens of each part. One that equals the part in the same place of what is known has its count.
fn recounted<'a, T: PartialEq + 'a>(
    parts: &[T],
    known: impl Iterator<Item = (&'a T, u64)>,
    count: impl Fn(&T) -> u64,
) -> Vec<u64> {
    let mut known = known;
    let tokens = |part| match known.next() {
        Some((old, tokens)) if old == part => tokens,
        _ => count(part),
    };
    parts.iter().map(tokens).collect()
}

impl PrefixCache {
    /// Records the time of the next request. Returns the milliseconds since the one before; 0 for the first.
    ///
    /// Whether the cache has expired by then is a rule of the provider ([`crate::CacheRules::is_cold_after`]); the use of a
    /// request that finds it expired is [`PrefixUse::cold`].
    pub fn idle_until(&mut self, now: Millis) -> u64 {
        let idle = self.idle_at(now).unwrap_or_default();
        self.used_at = Some(now);
        idle
    }

    /// Milliseconds since the last request; `None` before the first. Records nothing.
    #[must_use]
    pub fn idle_at(&self, now: Millis) -> Option<u64> {
        let used = self.used_at?;
        Some(now.0.saturating_sub(used.0).max(0).unsigned_abs())
    }

    /// Records a request and returns its cache reads and writes.
    ///
    /// Tokens of messages are those of the transcript's entries. All requests are counted by the same counter.
    pub fn observe(&mut self, request: &CompletionRequest, counter: &dyn TokenCounter) -> PrefixUse {
        let front = CountedFront::of(request, &self.front, counter);
        let (split, same_messages) = self.split(request, &front, counter);
        self.front = front;
        self.messages.truncate(same_messages);
        let new = request.transcript.entries().iter().skip(same_messages);
        self.messages.extend(new.map(|entry| Arc::clone(&entry.message)));
        split
    }

    /// Returns the cache reads and writes of a request without recording it.
    #[must_use]
    pub fn predict(&self, request: &CompletionRequest, counter: &dyn TokenCounter) -> PrefixUse {
        self.split(request, &CountedFront::of(request, &self.front, counter), counter).0
    }

    /// The front of the last request, counted.
    #[must_use]
    pub fn front(&self) -> &CountedFront {
        &self.front
    }

    /// The use, and how many leading messages are warm.
    fn split(
        &self,
        request: &CompletionRequest,
        front: &CountedFront,
        counter: &dyn TokenCounter,
    ) -> (PrefixUse, usize) {
        let (tools, system) = (&self.front.tools, &self.front.system);
        let same_tools = tools.iter().zip(request.tools.iter()).take_while(|(a, b)| a == b).count();
        let all_tools = same_tools == request.tools.len() && same_tools == tools.len();
        let same_system = if all_tools {
            system.iter().zip(request.system.iter()).take_while(|(a, b)| a == b).count()
        } else {
            0
        };
        let all_system = all_tools && same_system == request.system.len() && same_system == system.len();
        let entries = request.transcript.entries();
        let same = |(old, new): &(&Arc<Message>, &throughline_conversation::Entry)| {
            Arc::ptr_eq(old, &new.message) || **old == new.message
        };
        let same_messages =
            if all_system { self.messages.iter().zip(entries).take_while(same).count() } else { 0 };

        let mut split = PrefixUse::default();
        let mut add = |cached: bool, tokens: u64| {
            let part = if cached { &mut split.read } else { &mut split.write };
            *part = part.saturating_add(tokens);
        };
        for (index, tokens) in front.tool_tokens.iter().enumerate() {
            add(index < same_tools, *tokens);
        }
        for (index, tokens) in front.section_tokens.iter().enumerate() {
            add(index < same_system, *tokens);
        }
        for (index, entry) in entries.iter().enumerate() {
            add(index < same_messages, entry.tokens);
        }
        split.uncached = request.tail.iter().fold(0, |sum: u64, note| sum.saturating_add(counter.text(note)));
        (split, same_messages)
    }
}
