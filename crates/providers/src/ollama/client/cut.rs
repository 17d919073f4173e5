//! Requests of which the server read a part only.

use throughline_completion::{CompletionRequest, ModelError};
use throughline_conversation::{ContentBlock, Entry, TokenCounter};

/// Below so many tokens an estimate is too rough to accuse anybody.
const FEWEST: u64 = 512;

/// Percent of what was sent that the server must have read. Estimates are off by less than the rest; a server that
/// cuts keeps about half of its window.
const READ_PERCENT: u64 = 60;

/// Tokens that a request puts into the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sent {
    /// System prompt, messages and tail. Not thinking, which is not sent, and not pictures, which cost what each
    /// model likes.
    pub(super) words: u64,
    /// Descriptions of tools. Some models' templates show them behind a user's message only, so in the midst of a
    /// turn the server may rightly read none of them.
    pub(super) tools: u64,
}

/// Compares what was sent with what the server says it read.
#[derive(Debug)]
pub(super) struct Watch {
    sent: Sent,
    asked: u64,
    read: u64,
}

impl Watch {
    /// A window of `asked` tokens was asked for.
    pub(super) fn new(sent: Sent, asked: u64) -> Self {
        Self { sent, asked, read: 0 }
    }

    /// The server says how many tokens it read. 0 is no report: older servers leave the figure out of an answer to
    /// a prompt that they had in their cache.
    pub(super) fn reported(&mut self, read: u64) {
        self.read = read;
    }

    /// # Errors
    /// [`ModelError::Overflow`] when the server read far less than was sent.
    pub(super) fn end(&self) -> Result<(), ModelError> {
        let Self { sent: Sent { words, tools }, asked, read } = *self;
        let sent = words.saturating_add(tools);
        let limit = window(read, asked);
        // When the tools alone may be what is missing, the figure must look like a cut too.
        let cut = misses(read, words) || (misses(read, sent) && limit.is_some());
        if read == 0 || !cut {
            return Ok(());
        }
        let has = match limit {
            Some(limit) => format!("its window seems to be {limit} tokens"),
            None => "its window is smaller".to_owned(),
        };
        let message = format!(
            "ollama read {read} of about {sent} tokens: it cut off the front of the request without a word; {has}, \
             and num_ctx asked for {asked}; shorten the request, or give the model a larger window (num_ctx, or \
             OLLAMA_CONTEXT_LENGTH where the server is started)"
        );
        tracing::warn!("{message}");
        Err(ModelError::Overflow { message, limit })
    }
}

/// Whether the server read far less than this.
fn misses(read: u64, sent: u64) -> bool {
    sent >= FEWEST && read.saturating_mul(100) < sent.saturating_mul(READ_PERCENT)
}

/// What this request puts into the prompt.
pub(super) fn sent(request: &CompletionRequest, counter: &dyn TokenCounter) -> Sent {
    let system = request.system.iter().map(|section| counter.text(&section.text));
    let messages = request.transcript.entries().iter().map(|entry| self::entry(entry, counter));
    let tail = request.tail.iter().map(|note| counter.text(note));
    let tools = request.tools.iter().map(|tool| counter.tool(tool));
    Sent {
        words: system.chain(messages).chain(tail).fold(0, u64::saturating_add),
        tools: tools.fold(0, u64::saturating_add),
    }
}

/// The figure that the entry has; counted only when it has none, or when a part of it is not sent.
fn entry(entry: &Entry, counter: &dyn TokenCounter) -> u64 {
    let content = &entry.message.content;
    let apart = |block: &ContentBlock| match block {
        ContentBlock::Thinking(_) | ContentBlock::Image(_) => true,
        ContentBlock::ToolResult(result) => !result.images.is_empty(),
        _ => false,
    };
    if entry.tokens > 0 && !content.iter().any(apart) {
        return entry.tokens;
    }
    let tokens = content.iter().map(|block| match block {
        ContentBlock::Thinking(_) | ContentBlock::Image(_) => 0,
        ContentBlock::ToolResult(result) => counter.text(&result.content),
        other => counter.block(other),
    });
    tokens.fold(0, u64::saturating_add)
}

/// The window of a server that cut a prompt to this length: the one that was asked for, or a power of two. It keeps
/// the first few tokens and half of the rest, which is half of the window and 2 or 3 more; older servers fill the
/// window (Ollama, `llm/llama_server.go` and `runner.go`).
fn window(read: u64, asked: u64) -> Option<u64> {
    let halved = |n: u64| (1..=3).any(|more| (n / 2).checked_add(more) == Some(read));
    let is = |n: u64| n >= FEWEST && (n == read || halved(n));
    let powers = (0..u64::BITS).map(|bit| 1_u64 << bit);
    [asked].into_iter().chain(powers).find(|n| is(*n))
}

#[cfg(test)]
mod tests;
