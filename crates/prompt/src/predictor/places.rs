//! The ends of a request's prefixes, and what each prefix contains.

use std::fmt::{self, Debug, Write};
use std::hash::{DefaultHasher, Hash, Hasher};

use throughline_conversation::{ContentBlock, Entry, Message, Place, ToolResult};

use super::NextRequest;

/// Keys of the prefixes of a view's messages.
#[derive(Debug, Clone, Default)]
pub(super) struct MessageKeys {
    epoch: Option<u64>,
    keys: Vec<u64>,
}

impl MessageKeys {
    /// Adds the messages that are new in the epoch. Another epoch begins from the first message.
    pub(super) fn extend(&mut self, epoch: u64, entries: &[Entry]) {
        if self.epoch != Some(epoch) {
            self.epoch = Some(epoch);
            self.keys.clear();
        }
        self.keys.truncate(entries.len());
        for entry in entries.iter().skip(self.keys.len()) {
            let before = self.keys.last().copied().unwrap_or_default();
            self.keys.push(message_key(before, &entry.message));
        }
    }
}

/// The place behind each tool, section and message, in the order of the wire.
#[derive(Debug)]
pub(super) struct Places(Vec<PrefixEnd>);

/// The end of a prefix.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrefixEnd {
    pub(super) place: Place,
    /// Of everything up to here. The same in two requests if all of that is the same.
    pub(super) key: u64,
    /// Tokens up to here, by the counter.
    pub(super) raw: u64,
    /// Blocks of the wire up to here.
    pub(super) blocks: usize,
}

impl Places {
    pub(super) fn new(next: &NextRequest<'_>, messages: &MessageKeys) -> Self {
        let mut places = Self(Vec::with_capacity(next.tools.len() + next.system.len() + next.entries.len()));
        let mut base = key(0, &next.model);
        for (index, tool) in next.tools.iter().enumerate() {
            base = key(base, tool);
            let raw = next.tool_tokens.get(index).copied().unwrap_or_default();
            places.push(Place::Tool(index), base, raw, 1);
        }
        let mut notes = next.tail_tokens;
        for (index, section) in next.system.iter().enumerate() {
            base = text_key(base, &section.text);
            let raw = next.section_tokens.get(index).copied().unwrap_or_else(|| std::mem::take(&mut notes));
            places.push(Place::Section(index), base, raw, 1);
        }
        for (index, (entry, message)) in next.entries.iter().zip(&messages.keys).enumerate() {
            let blocks = entry.message.content.len();
            places.push(Place::Message(index), joined_key(base, *message), entry.tokens, blocks);
        }
        places
    }

    fn push(&mut self, place: Place, key: u64, raw: u64, blocks: usize) {
        let (raw_before, blocks_before) = self.0.last().map_or((0, 0), |last| (last.raw, last.blocks));
        self.0.push(PrefixEnd {
            place,
            key,
            raw: raw_before.saturating_add(raw),
            blocks: blocks_before.saturating_add(blocks),
        });
    }

    pub(super) fn all(&self) -> &[PrefixEnd] {
        &self.0
    }

    pub(super) fn at(&self, place: Place) -> Option<usize> {
        self.0.binary_search_by(|end| end.place.cmp(&place)).ok()
    }
}

/// The key of what comes behind `before`. Equal contents have equal keys within one run of the program.
fn key(before: u64, content: &dyn Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    before.hash(&mut hasher);
    // It fails only if the writer does, which never does.
    let _ = write!(HashWriter(&mut hasher), "{content:?}");
    hasher.finish()
}

fn text_key(before: u64, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (before, text).hash(&mut hasher);
    hasher.finish()
}

fn joined_key(before: u64, key: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (before, key).hash(&mut hasher);
    hasher.finish()
}

/// The key of a message: its long texts are hashed directly, the rest by its debug form.
fn message_key(before: u64, message: &Message) -> u64 {
    let mut base = key(before, &message.role);
    for block in &message.content {
        base = match block {
            ContentBlock::Text { text } => text_key(joined_key(base, 0), text),
            ContentBlock::ToolResult(ToolResult { call_id, content, images, is_error }) => {
                let text = text_key(joined_key(base, 1), content);
                key(text, &(call_id, images, is_error))
            }
            other => key(joined_key(base, 2), other),
        };
    }
    base
}

struct HashWriter<'a>(&'a mut DefaultHasher);

impl Write for HashWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}
