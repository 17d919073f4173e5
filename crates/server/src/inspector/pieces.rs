//! The pieces of a request that was sent: what each is, where it comes from, its tokens, and whether it was in the cache.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_agent::reconstruct;
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Message, Record, RecordBody, Seq, Span, TokenCounter};
use throughline_policies::Estimator;
use throughline_stored::{Result, SentRequest, SessionHandle, SessionLog};

/// Where a piece comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct PieceSource {
    /// Its records in the log; `None`: it was made for this request alone.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub(crate) records: Option<Span>,
    /// Its turn.
    pub(crate) turn: Option<u64>,
}

/// A piece of a request, in the order in which it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct RequestPiece {
    /// What it is: `tool`, `system`, `user`, `assistant`, `results`, `summary`, `notice` or `tail`.
    pub(crate) kind: &'static str,
    /// A short name: of a tool, of a section; empty for messages.
    pub(crate) name: String,
    /// Where it comes from.
    pub(crate) source: PieceSource,
    /// Its tokens, estimated.
    pub(crate) tokens: u64,
    /// It was read from the prompt cache, by the provider's figure of what was read from the start.
    pub(crate) cached: bool,
    /// Its text, whole.
    pub(crate) text: String,
}

/// The pieces of request `number` (from 1; `None`: the newest one), and the request.
///
/// # Errors
/// As [`SessionHandle::sent_request`].
pub(crate) fn request_pieces(
    handle: &SessionHandle,
    records: &[Record],
    number: Option<u64>,
) -> Result<(SentRequest, Vec<RequestPiece>)> {
    let sent = handle.sent_request(records, number)?;
    let counter = Estimator::Script.counter();
    let request = reconstruct(&handle.session, records, sent.receipt.request, counter.as_ref());
    // What could be shown a moment ago can be shown again.
    let Ok(request) = request else { return Ok((sent, Vec::new())) };
    let mut pieces = pieces_of(&request, origins(records, sent.receipt.request), counter.as_ref());
    mark_cached(&mut pieces, &sent);
    Ok((sent, pieces))
}

/// The pieces of the next request, as far as the log knows it.
pub(super) fn next_pieces(handle: &SessionHandle, log: &SessionLog) -> Vec<RequestPiece> {
    let request = log.next_request(&handle.session);
    pieces_of(&request, origins(&log.records, u64::MAX), Estimator::Script.counter().as_ref())
}

fn pieces_of(
    request: &CompletionRequest,
    origins: FrontOrigins,
    counter: &dyn TokenCounter,
) -> Vec<RequestPiece> {
    let of = |record: Option<Seq>| PieceSource { records: record.map(Span::one), turn: None };
    let piece = |kind, name: &str, source, tokens, text: String| RequestPiece {
        kind,
        name: name.to_owned(),
        source,
        tokens,
        cached: false,
        text,
    };
    let mut pieces = Vec::new();
    for tool in request.tools.iter() {
        let text = format!("{}\n\n{}", tool.description, tool.input_schema);
        pieces.push(piece("tool", &tool.name, of(origins.tools), counter.tool(tool), text));
    }
    for section in request.system.iter() {
        let tokens = counter.text(&section.text);
        pieces.push(piece("system", &section.name, of(origins.prompt), tokens, section.text.clone()));
    }
    for entry in request.transcript.entries() {
        let turn = (entry.exchange.0 > 0).then_some(entry.exchange.0);
        let source = PieceSource { records: Some(entry.span), turn };
        pieces.push(piece(entry.kind.name(), "", source, entry.tokens, message_text(&entry.message)));
    }
    for note in &request.tail {
        pieces.push(piece("tail", "", PieceSource::default(), counter.text(note), note.clone()));
    }
    pieces
}

/// A provider reads its cache from the start of a request. The estimates are scaled to the prompt that it reported.
fn mark_cached(pieces: &mut [RequestPiece], sent: &SentRequest) {
    let used = sent.receipt.reported.unwrap_or(sent.receipt.predicted);
    let estimated: u64 = pieces.iter().map(|piece| piece.tokens).sum();
    let share = used.cache_read as f64 / used.prompt().max(1) as f64;
    let mut before = 0;
    for piece in pieces {
        let middle = before as f64 + piece.tokens as f64 / 2.0;
        piece.cached = used.cache_read > 0 && middle <= share * estimated as f64;
        before += piece.tokens;
    }
}

/// The records with the front of a request.
#[derive(Debug, Clone, Copy, Default)]
struct FrontOrigins {
    prompt: Option<Seq>,
    tools: Option<Seq>,
}

/// The records that hold the system prompt and the tools of a request.
fn origins(records: &[Record], request: u64) -> FrontOrigins {
    let FrontOrigins { mut prompt, mut tools } = FrontOrigins::default();
    for record in records {
        match &record.body {
            RecordBody::Prompt(_) => prompt = Some(record.seq),
            RecordBody::Tools(_) => tools = Some(record.seq),
            RecordBody::Receipt(receipt) if receipt.request == request => break,
            _ => {}
        }
    }
    FrontOrigins { prompt, tools }
}

/// What a record holds as text: of a message, a document and an edit what is written there, else the record as JSON.
#[must_use]
pub(crate) fn record_text(record: &Record) -> String {
    match &record.body {
        RecordBody::Message(message) => message_text(&message.message),
        RecordBody::Document(document) => document.text.clone(),
        body => serde_json::to_string_pretty(body).unwrap_or_default(),
    }
}

/// A message as text: calls and results with their names.
fn message_text(message: &Message) -> String {
    let blocks = message.content.iter().map(|block| match block {
        ContentBlock::Text { text } => text.clone(),
        ContentBlock::Thinking(thinking) => format!("[thinking]\n{}", thinking.text),
        ContentBlock::Image(_) => "[picture]".to_owned(),
        ContentBlock::ToolCall(call) => format!("[call {} of {}]\n{}", call.id, call.name, call.input),
        ContentBlock::ToolResult(result) => {
            format!("[result of call {}]\n{}", result.call_id, result.content)
        }
    });
    blocks.collect::<Vec<_>>().join("\n\n")
}
