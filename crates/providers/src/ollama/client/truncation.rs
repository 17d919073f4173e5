//! Detects prompts that the server truncated without reporting it.
//!
//! A count below `num_ctx` does not prove that all was read: a server whose own window is smaller truncates there. And
//! `truncate: false`, which asks it to refuse, is unknown to older servers and to those that imitate it.
//!
//! An estimate alone is not evidence: for a script with long tokens, or for a line of `=`, it may be three times too
//! high. A truncation is certain in three cases:
//!
//! - The server read fewer tokens than the text has words. No token spans a blank.
//! - The request extends one that was read before, but the count did not grow. The start cannot have become shorter,
//!   and what was added has at least as many tokens as words. A constant count is that of a full window.
//! - The count is exactly what remains of a truncated window, and the estimate, corrected by earlier counts, is far
//!   higher.
//!
//! Some servers count only the tokens that are new to them (Ollama 0.30 for a while, and others that speak like it).
//! Such counts are not evidence. A truncation leaves about half of the window or more, and a server that has read a
//! request has a window for it. So a count that is less than half of an earlier one, and no more than what is new,
//! counts only what is new, and so may all later ones. Without an earlier request, a count that is too small is evidence
//! only if it is what a truncation would leave.

mod figures;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throughline_completion::ModelError;

pub(super) use figures::{Conversation, RequestFigures};

/// Smallest prompt, in tokens, that is checked.
const FEWEST: u64 = 512;

/// Words that must be new before a constant count is evidence: templates leave a few out.
const NEW_PIECES: u64 = 16;

/// Counts that a server has reported, for one model. A second conversation replaces those of the first.
#[derive(Debug, Default)]
pub(super) struct ServerHistory(Mutex<RequestHistory>);

#[derive(Debug, Clone, Default)]
struct RequestHistory {
    /// The newest request that was read as a whole.
    seen: Option<FullyReadRequest>,
    /// The newest request, read as a whole or not.
    newest: Option<LatestRequest>,
    /// The server counts only what is new to it.
    counts_new: bool,
}

#[derive(Debug, Clone)]
struct LatestRequest {
    conversation: Conversation,
    sent: RequestFigures,
}

#[derive(Debug, Clone)]
struct FullyReadRequest {
    conversation: Conversation,
    sent: RequestFigures,
    read: u64,
}

/// Compares one request with the count that the server reports for it.
#[derive(Debug)]
pub(super) struct TruncationCheck {
    conversation: Conversation,
    sent: RequestFigures,
    asked: u64,
    read: u64,
    history: Arc<ServerHistory>,
}

impl ServerHistory {
    fn lock(&self) -> MutexGuard<'_, RequestHistory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records this request as the newest; returns the history before it.
    fn record(&self, conversation: &Conversation, sent: &RequestFigures) -> RequestHistory {
        let mut known = self.lock();
        let before = known.clone();
        known.newest = Some(LatestRequest { conversation: conversation.clone(), sent: *sent });
        before
    }
}

impl TruncationCheck {
    /// The check of a request with `num_ctx` set to `asked` tokens.
    pub(super) fn new(
        conversation: Conversation,
        sent: RequestFigures,
        asked: u64,
        history: Arc<ServerHistory>,
    ) -> Self {
        Self { conversation, sent, asked, read: 0, history }
    }

    /// Notes how many tokens the server has read. 0 is no report: older servers leave the figure out of an answer to
    /// a prompt that they had in their cache.
    pub(super) fn reported(&mut self, read: u64) {
        self.read = read;
    }

    /// Checks the complete answer.
    ///
    /// # Errors
    /// [`ModelError::Overflow`] when the server has certainly read only a part of the request.
    pub(super) fn end(&self) -> Result<(), ModelError> {
        let Self { conversation, sent, asked, read, history } = self;
        let (asked, read) = (*asked, *read);
        if read == 0 {
            return Ok(());
        }
        let RequestHistory { seen, newest, counts_new } = history.record(conversation, sent);
        let before = seen.as_ref().filter(|seen| conversation.extends(&seen.conversation));
        let newest = newest.filter(|newest| conversation.extends(&newest.conversation));
        let is_new = newest.is_some_and(|newest| read <= most_new(sent, &newest.sent, before));
        let is_of_new = match before {
            Some(before) => {
                let is_less = read < before.read / 2;
                if is_less && is_new {
                    history.lock().counts_new = true;
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
            || is_constant(read, sent, before)
            || (is_over && is_far_less(read, sent, before, seen.as_ref()));
        if sent.tokens() < FEWEST || !cut {
            let grown = before.is_none_or(|before| read >= before.read.saturating_add(new(sent, before)));
            // A count that grew too little does not replace the earlier one, so that small steps add up.
            if grown {
                let conversation = conversation.clone();
                history.lock().seen = Some(FullyReadRequest { conversation, sent: *sent, read });
            }
            return Ok(());
        }
        history.lock().seen = None;
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
        Err(ModelError::Overflow { message, limit, tokens: None })
    }
}

/// Fewest tokens of the whole request.
fn least(sent: &RequestFigures, before: Option<&FullyReadRequest>) -> u64 {
    // One that was read before cannot shrink, but for a few words that a template puts at the end only, the tail, and
    // the tools where a template shows them only after a user's message.
    let unshrunk = |before: &FullyReadRequest| {
        let tools = if sent.asks == before.sent.asks { 0 } else { grow(before.sent.tools, 125) };
        let gone = grow(before.sent.tail, 200) + grow(tools, 100) + before.read / 8 + 32;
        before.read.saturating_sub(gone).saturating_add(new(sent, before))
    };
    // So little may be all that was new to a server that counts that only.
    let unshrunk =
        before.filter(|before| comparable(sent, before) && before.read >= FEWEST).map_or(0, unshrunk);
    unshrunk.max(tokens_of(sent.pieces))
}

/// The fewest tokens of what is new.
fn new(sent: &RequestFigures, before: &FullyReadRequest) -> u64 {
    tokens_of(sent.pieces.saturating_sub(before.sent.pieces))
}

/// The most tokens that are new to a server that has read the request before: twice as many as the estimate says, set
/// right by what was seen, the tails, and what templates put around messages.
fn most_new(sent: &RequestFigures, before: &RequestFigures, seen: Option<&FullyReadRequest>) -> u64 {
    let more = rightly(sent.tokens().saturating_sub(before.tokens()), seen);
    grow(more.saturating_add(sent.tail).saturating_add(before.tail), 200).saturating_add(64)
}

/// Returns true if a truncation may leave this many tokens: about the window that was asked for, where whole messages are left out, or
/// what fills a window of a round number, or half of one.
fn may_be_left(read: u64, asked: u64) -> bool {
    let about = read <= asked && !below(read, asked, 88);
    let round = |n: u64| n.is_multiple_of(500) || n.is_multiple_of(1_024);
    let halved = |more: u64| read.checked_sub(more).is_some_and(|half| round(half.saturating_mul(2)));
    about || window(read, asked).is_some() || (read >= FEWEST && (round(read) || (1..=3).any(halved)))
}

/// The fewest tokens of this many pieces. Three for four: some tokenizers have tokens for pairs of short words.
fn tokens_of(pieces: u64) -> u64 {
    grow(pieces, 75)
}

/// Returns true if the count is the same for a request that only grew.
fn is_constant(read: u64, sent: &RequestFigures, before: Option<&FullyReadRequest>) -> bool {
    before.is_some_and(|before| {
        comparable(sent, before)
            && read == before.read
            && sent.asks == before.sent.asks
            && sent.pieces.saturating_sub(before.sent.pieces) >= NEW_PIECES
    })
}

fn comparable(sent: &RequestFigures, before: &FullyReadRequest) -> bool {
    !sent.fickle && !before.sent.fickle
}

/// Returns true if the estimate is far higher than what was read.
fn is_far_less(
    read: u64,
    sent: &RequestFigures,
    before: Option<&FullyReadRequest>,
    seen: Option<&FullyReadRequest>,
) -> bool {
    match before {
        Some(before) => {
            let more = rightly(sent.tokens().saturating_sub(before.sent.tokens()), seen);
            below(read, before.read.saturating_add(more), 85)
        }
        None => below(read, rightly(sent.tokens(), seen), 60),
    }
}

/// An estimate set right: of what was estimated, the server read so much before; never more than all of it.
fn rightly(tokens: u64, seen: Option<&FullyReadRequest>) -> u64 {
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
