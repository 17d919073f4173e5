//! Figures of a request, to compare with what the server read.

use std::sync::Arc;

use serde_json::Value;
use throughline_completion::CompletionRequest;
use throughline_conversation::{
    ContentBlock, Entry, Message, SectionText, TokenCounter, ToolDefinition, spaced_words, spaced_words_of,
    without_thoughts,
};

/// Figures of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in super::super) struct RequestFigures {
    /// System prompt, messages and tail, in tokens, estimated. Not thinking, which is not sent, and not pictures, which
    /// cost what each model likes.
    pub(super) said: u64,
    /// Descriptions of tools, estimated. Some models' templates show them behind a user's message only, so in the midst
    /// of a turn the server may rightly read none of them.
    pub(super) tools: u64,
    /// The tail's share of `said`.
    pub(super) tail: u64,
    /// Words in all texts.
    pub(super) pieces: u64,
    /// Whether the last message is the user's.
    pub(super) asks: bool,
    /// Whether there is something that may take another share of the next prompt: pictures, and thoughts that a model
    /// wrote into its text, which templates leave out of earlier turns.
    pub(super) fickle: bool,
}

impl RequestFigures {
    /// The figures of a request and of its body.
    pub(in super::super) fn new(
        request: &CompletionRequest,
        body: &Value,
        counter: &dyn TokenCounter,
    ) -> Self {
        let sum = |tokens: &mut dyn Iterator<Item = u64>| tokens.fold(0, u64::saturating_add);
        let system = sum(&mut request.system.iter().map(|section| counter.text(&section.text)));
        let entries = sum(&mut request.transcript.entries().iter().map(|entry| self::entry(entry, counter)));
        let tail = sum(&mut request.tail.iter().map(|note| counter.text(note)));
        let messages = body.get("messages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Self {
            said: system.saturating_add(entries).saturating_add(tail),
            tools: sum(&mut request.tools.iter().map(|tool| counter.tool(tool))),
            tail,
            pieces: messages.iter().map(pieces_of_message).sum(),
            asks: messages.last().and_then(|last| last.get("role")).is_some_and(|role| role == "user"),
            fickle: messages
                .iter()
                .any(|message| message.get("images").is_some() || thoughts_cut(message).is_some()),
        }
    }

    /// All of it, estimated.
    pub(super) fn tokens(&self) -> u64 {
        self.said.saturating_add(self.tools)
    }
}

/// The parts of a request that the next one begins with. Shared with the request, so keeping it costs no text.
#[derive(Debug, Clone)]
pub(in super::super) struct Conversation {
    system: Arc<[SectionText]>,
    tools: Arc<[ToolDefinition]>,
    messages: Arc<[Arc<Message>]>,
}

impl Conversation {
    /// That of a request.
    pub(in super::super) fn new(request: &CompletionRequest) -> Self {
        Self {
            system: Arc::clone(&request.system),
            tools: Arc::clone(&request.tools),
            messages: request.transcript.entries().iter().map(|entry| Arc::clone(&entry.message)).collect(),
        }
    }

    /// Returns true if this is the other one, with or without more after it.
    pub(super) fn extends(&self, other: &Self) -> bool {
        let same = |(a, b): (&Arc<Message>, &Arc<Message>)| Arc::ptr_eq(a, b) || a == b;
        self.system == other.system
            && self.tools == other.tools
            && self.messages.len() >= other.messages.len()
            && self.messages.iter().zip(other.messages.iter()).all(same)
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

/// Words of a message. Names, roles and the syntax of calls are left out: each template writes its own.
fn pieces_of_message(message: &Value) -> u64 {
    let calls = message.get("tool_calls").map_or(0, spaced_words_of);
    let said = message.get("content").and_then(Value::as_str).unwrap_or_default();
    calls.saturating_add(spaced_words(thoughts_cut(message).unwrap_or(said)))
}

/// What a model said after the thoughts that it wrote into its text; `None` if it wrote none.
fn thoughts_cut(message: &Value) -> Option<&str> {
    let said = message.get("content").and_then(Value::as_str)?;
    without_thoughts(said).filter(|_| message.get("role").is_some_and(|role| role == "assistant"))
}
