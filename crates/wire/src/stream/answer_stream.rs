//! Bytes of a response to events, whatever the provider.

use std::fmt::Debug;

use serde_json::Value;
use throughline_completion::{CompletionEvent, CompletionRequest, ModelError};
use throughline_conversation::Message;

use crate::stream::answer::Decoded;
use crate::stream::answer_prefix::answer_prefix;
use crate::stream::line_buffer::LineTooLong;
use crate::stream::ndjson::NdjsonLines;
use crate::stream::sse::{SseEvent, SseLines};
use crate::wire::Wire;

/// One answer, from the bytes of a successful response to its events.
///
/// The last item is either [`CompletionEvent::Finished`] or an error; nothing follows it. The events do not depend on
/// the pieces that the bytes come in.
#[derive(Debug)]
pub struct AnswerStream {
    framing: Framing,
    over: bool,
}

#[derive(Debug)]
enum Framing {
    Sse(SseLines, Box<dyn Decode<SseEvent>>),
    Ndjson(NdjsonLines, Box<dyn Decode<String>>),
}

/// Field names that a stream of server-sent events begins with; the first is that of a comment.
const SSE_FIELDS: [&[u8]; 5] = [b":", b"data:", b"event:", b"id:", b"retry:"];

/// A decoder of one provider: events of an answer out of whole pieces of the stream.
pub(crate) trait Decode<Piece>: Debug + Send + Sync {
    /// Decodes the next piece. After the stop reason or an error it gives nothing more.
    fn push(&mut self, piece: Piece) -> Decoded;

    /// Decodes an answer that came as one document instead of a stream.
    fn whole(&mut self, document: Value) -> Decoded;

    /// Ends the answer. Without a stop reason so far it is
    /// [`ModelError::Interrupted`](throughline_completion::ModelError::Interrupted).
    fn finish(self: Box<Self>) -> Decoded;
}

impl AnswerStream {
    /// Of this protocol.
    #[must_use]
    pub fn new(wire: Wire) -> Self {
        Self::with_taken(wire, [])
    }

    /// The answer to this request: no call gets the id of one in the request.
    #[must_use]
    pub fn after(wire: Wire, request: &CompletionRequest) -> Self {
        let calls = request.transcript.messages().flat_map(Message::tool_calls);
        Self::with_taken(wire, calls.map(|call| call.id.clone()))
    }

    fn with_taken(wire: Wire, taken: impl IntoIterator<Item = String>) -> Self {
        match wire {
            Wire::Anthropic => Self::anthropic(answer_prefix(), taken),
            Wire::OpenAiChat => Self::openai_chat(answer_prefix(), taken),
            Wire::OpenAiResponses => Self::openai_responses(answer_prefix(), taken),
            Wire::Gemini => Self::gemini(answer_prefix(), taken),
            Wire::Ollama => Self::ollama(answer_prefix()),
        }
    }

    pub(crate) fn sse(decoder: impl Decode<SseEvent> + 'static) -> Self {
        Self { framing: Framing::Sse(SseLines::new(), Box::new(decoder)), over: false }
    }

    pub(crate) fn ndjson(decoder: impl Decode<String> + 'static) -> Self {
        Self { framing: Framing::Ndjson(NdjsonLines::new(), Box::new(decoder)), over: false }
    }

    /// Returns true if the response is lines of JSON rather than server-sent events.
    #[must_use]
    pub fn reads_lines_of_json(&self) -> bool {
        matches!(self.framing, Framing::Ndjson(..))
    }

    /// Returns true if a response of an unknown type that begins so is of this kind.
    #[must_use]
    pub fn may_begin_with(&self, bytes: &[u8]) -> bool {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
        match self.framing {
            Framing::Sse(..) => SSE_FIELDS.iter().any(|field| bytes.starts_with(field)),
            Framing::Ndjson(..) => bytes.starts_with(b"{"),
        }
    }

    /// Takes the next bytes of the response.
    pub fn push(&mut self, bytes: &[u8]) -> Decoded {
        if self.over {
            return Vec::new();
        }
        let events = match &mut self.framing {
            Framing::Sse(lines, decoder) => each(lines.push(bytes), |event| decoder.push(event)),
            Framing::Ndjson(lines, decoder) => each(lines.push(bytes), |line| decoder.push(line)),
        };
        self.over = ends(&events);
        events
    }

    /// Takes the whole answer as one JSON document, from a server that does not stream.
    #[must_use]
    pub fn whole(self, document: Value) -> Decoded {
        match self.framing {
            Framing::Sse(_, mut decoder) => closed(decoder.whole(document), || decoder.finish()),
            Framing::Ndjson(_, mut decoder) => closed(decoder.whole(document), || decoder.finish()),
        }
    }

    /// The response has ended, well or not.
    #[must_use]
    pub fn finish(self) -> Decoded {
        if self.over {
            return Vec::new();
        }
        match self.framing {
            Framing::Sse(lines, mut decoder) => {
                let last = each(lines.finish(), |event| decoder.push(event));
                closed(last, || decoder.finish())
            }
            Framing::Ndjson(lines, mut decoder) => {
                let last = each(lines.finish().map(Ok), |line| decoder.push(line));
                closed(last, || decoder.finish())
            }
        }
    }
}

fn each<T>(
    pieces: impl IntoIterator<Item = Result<T, LineTooLong>>,
    mut decode: impl FnMut(T) -> Decoded,
) -> Decoded {
    let mut events = Vec::new();
    for piece in pieces {
        match piece {
            Ok(piece) => events.extend(decode(piece)),
            Err(error) if !ends(&events) => events.push(Err(ModelError::Other(Box::new(error)))),
            Err(_) => {}
        }
    }
    events
}

fn closed(mut events: Decoded, end: impl FnOnce() -> Decoded) -> Decoded {
    if !ends(&events) {
        events.extend(end());
    }
    events
}

/// Returns true if the last of these events is the end of the answer.
fn ends(events: &Decoded) -> bool {
    matches!(events.last(), Some(Err(_) | Ok(CompletionEvent::Finished(_))))
}
