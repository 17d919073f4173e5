//! Detects prompts that the server truncated without saying so.
//!
//! An estimate alone is not evidence: for a script with long tokens, or for a line of `=`, it may be three times too
//! high. A truncation is certain when:
//!
//! - The server read fewer tokens than there are pieces of text between blanks: no token goes over a blank.
//! - The request is one that was read before, and more behind it. Its front cannot have become shorter, and what was
//!   added has at least as many tokens as pieces. A count that stands still is that of a server that fills its window.
//! - The count is exactly what is left of a window that was cut, and the estimate, set right by what the server read
//!   before, says that there was far more.
//!
//! Some servers count only the tokens that were new to them: Ollama 0.30 for a while, the first ones, and others that
//! speak like it. Their counts say nothing about the whole and are not evidence. A truncation leaves about half of the window
//! or more, and a server that has read a request has a window for that one: so a count of less than half of what was read
//! before, and of no more than what is new, is one of what was new, and so may be all that come after it. Of a
//! conversation that was not read before, a count that is too small for it is evidence only when it is what a truncation would leave.

mod sent;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throughline_completion::ModelError;

pub(super) use sent::{Conversation, Sent};

/// Smallest prompt, in tokens, that is checked.
const FEWEST: u64 = 512;

/// Pieces that must be new when a count that stands still is to mean something: templates leave a few words out.
const NEW_PIECES: u64 = 16;

/// What is known of the server. One for each model; a conversation that comes in between costs what was known of the
/// other.
#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<Known>);

#[derive(Debug, Clone, Default)]
struct Known {
    /// The newest request that it read as a whole, as far as is known.
    seen: Option<Seen>,
    /// The newest request, however it was read.
    newest: Option<Asked>,
    /// Whether it was found to count only what was new to it.
    counts_new: bool,
}

#[derive(Debug, Clone)]
struct Asked {
    conversation: Conversation,
    sent: Sent,
}

#[derive(Debug, Clone)]
struct Seen {
    conversation: Conversation,
    sent: Sent,
    read: u64,
}

/// Compares what was sent with what the server says it read.
#[derive(Debug)]
pub(super) struct Watch {
    conversation: Conversation,
    sent: Sent,
    asked: u64,
    read: u64,
    memory: Arc<Memory>,
}

impl Memory {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was known before this request, which is the newest from here on.
    fn take_note(&self, conversation: &Conversation, sent: &Sent) -> Known {
        let mut known = self.known();
        let before = known.clone();
        known.newest = Some(Asked { conversation: conversation.clone(), sent: *sent });
        before
    }
}

impl Watch {
    /// A window of `asked` tokens was asked for.
    pub(super) fn new(conversation: Conversation, sent: Sent, asked: u64, memory: Arc<Memory>) -> Self {
        Self { conversation, sent, asked, read: 0, memory }
    }

    /// The server says how many tokens it read. 0 is no report: older servers leave the figure out of an answer to
    /// a prompt that they had in their cache.
    pub(super) fn reported(&mut self, read: u64) {
        self.read = read;
    }

    /// The answer is complete.
    ///
    /// # Errors
    /// [`ModelError::Overflow`] when the server surely read a part of the request only.
    pub(super) fn end(&self) -> Result<(), ModelError> {
        let Self { conversation, sent, asked, read, memory } = self;
        let (asked, read) = (*asked, *read);
        if read == 0 {
            return Ok(());
        }
        let Known { seen, newest, counts_new } = memory.take_note(conversation, sent);
        let before = seen.as_ref().filter(|seen| conversation.extends(&seen.conversation));
        let newest = newest.filter(|newest| conversation.extends(&newest.conversation));
        let is_new = newest.is_some_and(|newest| read <= most_new(sent, &newest.sent, before));
        let is_of_new = match before {
            Some(before) => {
                let is_less = read < before.read / 2;
                if is_less && is_new {
                    memory.known().counts_new = true;
                }
                (is_less && is_new) || (counts_new && (is_less || is_new))
            }
            None => counts_new || (read < tokens_of(sent.pieces) && !may_be_left(read, asked)),
        };
        if is_of_new {
            return Ok(());
        }
        let limit = window(read, asked);
        let is_over = limit.is_some_and(|limit| sent.tokens() > limit);
        let cut = read < least(sent, before)
            || stands_still(read, sent, before)
            || (is_over && is_far_less(read, sent, before, seen.as_ref()));
        if sent.tokens() < FEWEST || !cut {
            let grown = before.is_none_or(|before| read >= before.read.saturating_add(new(sent, before)));
            // One that did not grow as it should stays the measure, so that small steps add up.
            if grown {
                let conversation = conversation.clone();
                memory.known().seen = Some(Seen { conversation, sent: *sent, read });
            }
            return Ok(());
        }
        memory.known().seen = None;
        let has = match limit {
            Some(limit) => format!("its window seems to be {limit} tokens"),
            None => "its window is smaller".to_owned(),
        };
        let sent = sent.tokens();
        let message = format!(
            "ollama read {read} of about {sent} tokens: it cut off the front of the request without a word; {has}, \
             and num_ctx asked for {asked}; shorten the request, or give the model a larger window (num_ctx, or \
             OLLAMA_CONTEXT_LENGTH where the server is started)"
        );
        tracing::warn!("{message}");
        Err(ModelError::Overflow { message, limit })
    }
}

/// The fewest tokens that a whole request can have.
fn least(sent: &Sent, before: Option<&Seen>) -> u64 {
    // One that was read before cannot shrink, but for a few words that a template puts at the end only, the tail, and
    // the tools where a template shows them behind a user's message only.
    let kept = |before: &Seen| {
        let tools = if sent.asks == before.sent.asks { 0 } else { grow(before.sent.tools, 125) };
        let gone = grow(before.sent.tail, 200) + grow(tools, 100) + before.read / 8 + 32;
        before.read.saturating_sub(gone).saturating_add(new(sent, before))
    };
    // So little may be all that was new to a server that counts that only.
    let kept = before.filter(|before| comparable(sent, before) && before.read >= FEWEST).map_or(0, kept);
    kept.max(tokens_of(sent.pieces))
}

/// The fewest tokens of what is new.
fn new(sent: &Sent, before: &Seen) -> u64 {
    tokens_of(sent.pieces.saturating_sub(before.sent.pieces))
}

/// The most tokens that are new to a server that has read the request before: twice as many as the estimate says, set
/// right by what was seen, the tails, and what templates put around messages.
fn most_new(sent: &Sent, before: &Sent, seen: Option<&Seen>) -> u64 {
    let more = rightly(sent.tokens().saturating_sub(before.tokens()), seen);
    grow(more.saturating_add(sent.tail).saturating_add(before.tail), 200).saturating_add(64)
}

/// Returns true if a truncation may leave so many tokens: about the window that was asked for, where whole messages are left out, or
/// what fills a window of a round number, or half of one.
fn may_be_left(read: u64, asked: u64) -> bool {
    let about = read <= asked && !below(read, asked, 88);
    let round = |n: u64| n.is_multiple_of(500) || n.is_multiple_of(1_024);
    let halved = |more: u64| read.checked_sub(more).is_some_and(|half| round(half.saturating_mul(2)));
    about || window(read, asked).is_some() || (read >= FEWEST && (round(read) || (1..=3).any(halved)))
}

/// The fewest tokens of so many pieces. Three for four: some tokenizers have tokens for pairs of short words.
fn tokens_of(pieces: u64) -> u64 {
    grow(pieces, 75)
}

/// Returns true if the count is the same for a request that only grew.
fn stands_still(read: u64, sent: &Sent, before: Option<&Seen>) -> bool {
    before.is_some_and(|before| {
        comparable(sent, before)
            && read == before.read
            && sent.asks == before.sent.asks
            && sent.pieces.saturating_sub(before.sent.pieces) >= NEW_PIECES
    })
}

fn comparable(sent: &Sent, before: &Seen) -> bool {
    !sent.fickle && !before.sent.fickle
}

/// Returns true if the estimate is far higher than what was read.
fn is_far_less(read: u64, sent: &Sent, before: Option<&Seen>, seen: Option<&Seen>) -> bool {
    match before {
        Some(before) => {
            let more = rightly(sent.tokens().saturating_sub(before.sent.tokens()), seen);
            below(read, before.read.saturating_add(more), 85)
        }
        None => below(read, rightly(sent.tokens(), seen), 60),
    }
}

/// An estimate set right: of what was estimated, the server read so much before; never more than all of it.
fn rightly(tokens: u64, seen: Option<&Seen>) -> u64 {
    match seen {
        Some(seen) if seen.read < seen.sent.tokens() => {
            let scaled = u128::from(tokens) * u128::from(seen.read) / u128::from(seen.sent.tokens().max(1));
            u64::try_from(scaled).unwrap_or(u64::MAX)
        }
        _ => tokens,
    }
}

fn below(read: u64, expected: u64, percent: u64) -> bool {
    u128::from(read) * 100 < u128::from(expected) * u128::from(percent)
}

fn grow(tokens: u64, percent: u64) -> u64 {
    tokens.saturating_mul(percent) / 100
}

/// The window of a server that cut a prompt to this length: the one that was asked for, or a smaller power of two. It
/// keeps the first few tokens and half of the rest, which is half of the window and 2 or 3 more; older servers fill
/// the window (Ollama, `llm/llama_server.go` and `runner.go`).
fn window(read: u64, asked: u64) -> Option<u64> {
    let halved = |n: u64| (1..=3).any(|more| (n / 2).checked_add(more) == Some(read));
    let is = |n: u64| n >= FEWEST && (n == read || halved(n));
    let powers = (0..u64::BITS).map(|bit| 1_u64 << bit).take_while(|n| *n < asked);
    [asked].into_iter().chain(powers).find(|n| is(*n))
}

#[cfg(test)]
mod tests;
