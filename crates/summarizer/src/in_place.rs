//! Requests that ask for a summary behind the session's own request, which the provider has in its cache.

use std::sync::Arc;

use throughline_compaction::{SummaryPrefix, SummaryRequest};
use throughline_completion::{CompletionRequest, ModelInfo};
use throughline_conversation::{
    CacheBreakpoint, ContentBlock, Entry, EntryKind, Message, Place, Role, SectionText, Span, Transcript,
    View,
};
use throughline_text::cut_end;

use crate::placeholders::fill;

const INSTRUCTION: &str = include_str!("in_place.md");

/// The instruction to summarize the messages that `which` names.
pub(crate) fn instruction(which: &str, prompt: &str) -> String {
    fill(INSTRUCTION, &[("which", which), ("prompt", prompt)])
}

/// Builds the request if it fits and is cheaper than one that shows the messages as text.
///
/// Tools, system prompt, messages and output limit are those of the session: a provider that derives its thinking
/// budget from the output limit would otherwise miss its cache. The instruction follows them, at the tail of the last
/// message of the user's side, or as a message of its own if the last message is the model's.
pub(crate) fn request(
    asked: &SummaryRequest<'_>,
    info: &ModelInfo,
    quote_bytes: usize,
) -> Option<CompletionRequest> {
    let prefix = asked.prefix.filter(|prefix| prefix.model == info.name)?;
    let which = describe_range(asked.entries, prefix.transcript.entries(), quote_bytes)?;
    let instruction = instruction(&which, asked.prompt);
    let tokens = asked.counter.text(&instruction);
    let all = prefix.tokens.saturating_add(tokens).saturating_add(prefix.max_output_tokens);
    if all > info.window || !is_cheaper(&prefix, asked.entries, info) {
        return None;
    }
    let entries = prefix.transcript.entries();
    let (transcript, tail) = match entries.last()?.message.role {
        Role::User => (prefix.transcript.clone(), vec![instruction]),
        Role::Assistant => (followed_by(prefix.transcript, instruction, tokens)?, Vec::new()),
    };
    let request = CompletionRequest {
        model: info.name.clone(),
        session: Some(prefix.session.clone()),
        tools: Arc::clone(prefix.tools),
        system: Arc::clone(prefix.system),
        transcript,
        tail,
        breakpoints: breakpoints(prefix.transcript.entries(), prefix.system, info),
        max_output_tokens: prefix.max_output_tokens,
    };
    // In the middle of a step some calls have no results yet, and providers reject that.
    request.faults().is_empty().then_some(request)
}

/// Returns true if reading the prefix from the cache costs less than sending the messages as text.
fn is_cheaper(prefix: &SummaryPrefix<'_>, entries: &[Entry], info: &ModelInfo) -> bool {
    let cached = prefix.cached.min(prefix.tokens);
    let rest = prefix.tokens - cached;
    let price = cached as f64 * info.prices.cache_read + rest as f64 * info.prices.cache_write;
    price < tokens_of(entries) as f64
}

/// Tokens of all these messages.
pub(crate) fn tokens_of(entries: &[Entry]) -> u64 {
    entries.iter().fold(0, |sum: u64, entry| sum.saturating_add(entry.tokens))
}

/// Names the leaving messages by the first words of their range and of the message after it. `None` if the request
/// does not contain all of them in one range.
pub(crate) fn describe_range(leaving: &[Entry], all: &[Entry], quote_bytes: usize) -> Option<String> {
    let place = |entry: &Entry| all.iter().position(|other| other.span == entry.span);
    let (first, last) = (place(leaving.first()?)?, place(leaving.last()?)?);
    if last.checked_sub(first)? + 1 != leaving.len() {
        return None;
    }
    let from = match first {
        0 => "everything".to_owned(),
        _ => format!("everything from {} on", opening(all.get(first)?, quote_bytes)),
    };
    Some(match all.get(last + 1) {
        Some(next) => {
            format!("{from} up to {}, which stays with all that follows it,", opening(next, quote_bytes))
        }
        None => from,
    })
}

/// Describes a message so that the model can identify it: its author and its first words.
fn opening(entry: &Entry, quote_bytes: usize) -> String {
    let start = |text: &str| {
        let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
        cut_end(line, quote_bytes).to_owned()
    };
    let call = entry.message.tool_calls().next();
    match (entry.message.texts().next(), call, entry.kind) {
        (Some(text), _, EntryKind::User) => format!("the user's message that begins \"{}\"", start(text)),
        (Some(text), _, EntryKind::Assistant) => format!("your message that begins \"{}\"", start(text)),
        (Some(text), _, _) => format!("the note that begins \"{}\"", start(text)),
        (None, Some(call), _) => {
            format!("your call of {} with {}", call.name, start(&call.input.to_string()))
        }
        (None, None, EntryKind::User) => "the user's message without words".to_owned(),
        (None, None, _) => match entry.message.content.first() {
            Some(ContentBlock::ToolResult(result)) => format!("the result \"{}\"", start(&result.content)),
            _ => "your message without words".to_owned(),
        },
    }
}

/// Appends one message of the user's side.
fn followed_by(transcript: &Transcript, text: String, tokens: u64) -> Option<Transcript> {
    let mut entries = transcript.entries().to_vec();
    let last = entries.last()?;
    let seq = last.span.last.next();
    entries.push(Entry {
        span: Span::one(seq),
        exchange: last.exchange,
        kind: EntryKind::Notice,
        origin: None,
        message: Arc::new(Message::user(text)),
        tokens,
    });
    Some(View::from_entries(entries, 0, seq).transcript().clone())
}

/// Markers where the previous request had them, so that the cache is read for certain: at the end of the messages,
/// before the model's last answer, and at the end of the stable system prompt.
pub(crate) fn breakpoints(
    entries: &[Entry],
    system: &[SectionText],
    info: &ModelInfo,
) -> Vec<CacheBreakpoint> {
    let answered = entries.iter().rposition(|entry| entry.kind == EntryKind::Assistant);
    let sent = answered.and_then(|answered| answered.checked_sub(1));
    let stable = system.iter().rposition(|section| section.cacheable);
    let mut places: Vec<Place> = [
        entries.len().checked_sub(1).map(Place::Message),
        sent.map(Place::Message),
        stable.map(Place::Section),
    ]
    .into_iter()
    .flatten()
    .collect();
    places.truncate(info.cache.max_breakpoints);
    places.sort_unstable();
    places.dedup();
    places.into_iter().map(|place| CacheBreakpoint { place, ttl: info.cache.ttl() }).collect()
}
