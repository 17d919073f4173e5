//! Bytes of a response to events, whoever answers.

use std::fmt::Debug;

use throughline_completion::{CompletionEvent, ModelError};

use crate::answer::Decoded;
use crate::line_buffer::LineTooLong;
use crate::ndjson::NdjsonLines;
use crate::sse::{SseEvent, SseLines};
use crate::{anthropic, ollama, openai};

/// One answer, from the bytes of a successful response to its events.
///
/// The last item of all that it gives is either [`CompletionEvent::Finished`] or an error; behind that comes
/// nothing. The events do not depend on the pieces that the bytes come in.
#[derive(Debug)]
pub struct AnswerStream {
    wire: Wire,
    over: bool,
}

#[derive(Debug)]
enum Wire {
    Sse(SseLines, Box<dyn SseDecoder>),
    Ndjson(NdjsonLines, ollama::Decoder),
}

/// What lines of server-sent events begin with; the first is that of a comment.
#[cfg(feature = "client")]
const SSE_FIELDS: [&[u8]; 5] = [b":", b"data:", b"event:", b"id:", b"retry:"];

/// What the decoders of server-sent events have in common.
trait SseDecoder: Debug + Send + Sync {
    fn next(&mut self, event: &SseEvent) -> Decoded;
    fn end(self: Box<Self>) -> Decoded;
}

macro_rules! sse_decoder {
    ($($decoder:ty),*) => {$(
        impl SseDecoder for $decoder {
            fn next(&mut self, event: &SseEvent) -> Decoded {
                self.push(event)
            }

            fn end(self: Box<Self>) -> Decoded {
                self.finish()
            }
        }
    )*};
}

sse_decoder!(anthropic::Decoder, openai::ChatDecoder, openai::ResponsesDecoder);

impl AnswerStream {
    /// Of Anthropic's Messages API.
    #[must_use]
    pub fn anthropic() -> Self {
        Self::sse(anthropic::Decoder::new())
    }

    /// Of OpenAI's Chat Completions API; the prefix is that of [`openai::ChatDecoder::new`].
    #[must_use]
    pub fn openai_chat(id_prefix: impl Into<String>) -> Self {
        Self::sse(openai::ChatDecoder::new(id_prefix))
    }

    /// The same for a conversation whose calls have these ids, see [`openai::ChatDecoder::after`].
    #[must_use]
    pub fn openai_chat_after(id_prefix: impl Into<String>, taken: impl IntoIterator<Item = String>) -> Self {
        Self::sse(openai::ChatDecoder::new(id_prefix).after(taken))
    }

    /// Of OpenAI's Responses API.
    #[must_use]
    pub fn openai_responses() -> Self {
        Self::sse(openai::ResponsesDecoder::new())
    }

    /// Of Ollama's chat API; the prefix is that of [`ollama::Decoder::new`].
    #[must_use]
    pub fn ollama(id_prefix: impl Into<String>) -> Self {
        let wire = Wire::Ndjson(NdjsonLines::new(), ollama::Decoder::new(id_prefix));
        Self { wire, over: false }
    }

    fn sse(decoder: impl SseDecoder + 'static) -> Self {
        Self { wire: Wire::Sse(SseLines::new(), Box::new(decoder)), over: false }
    }

    /// Whether the response is lines of JSON rather than server-sent events.
    #[cfg(feature = "client")]
    pub(crate) fn reads_lines_of_json(&self) -> bool {
        matches!(self.wire, Wire::Ndjson(..))
    }

    /// Whether a response of an unknown type that begins so is of this kind.
    #[cfg(feature = "client")]
    pub(crate) fn may_begin_with(&self, bytes: &[u8]) -> bool {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
        match self.wire {
            Wire::Sse(..) => SSE_FIELDS.iter().any(|field| bytes.starts_with(field)),
            Wire::Ndjson(..) => bytes.starts_with(b"{"),
        }
    }

    /// Takes the next bytes of the response.
    pub fn push(&mut self, bytes: &[u8]) -> Decoded {
        if self.over {
            return Vec::new();
        }
        let events = match &mut self.wire {
            Wire::Sse(lines, decoder) => each(lines.push(bytes), |event| decoder.next(&event)),
            Wire::Ndjson(lines, decoder) => each(lines.push(bytes), |line| decoder.push(&line)),
        };
        self.over = ends(&events);
        events
    }

    /// The response has ended, well or not.
    #[must_use]
    pub fn finish(self) -> Decoded {
        if self.over {
            return Vec::new();
        }
        match self.wire {
            Wire::Sse(lines, mut decoder) => {
                let last = each(lines.finish(), |event| decoder.next(&event));
                closed(last, || decoder.end())
            }
            Wire::Ndjson(lines, mut decoder) => {
                let last = each(lines.finish().map(Ok), |line| decoder.push(&line));
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

/// Whether the last of these events is the end of the answer.
fn ends(events: &Decoded) -> bool {
    matches!(events.last(), Some(Err(_) | Ok(CompletionEvent::Finished(_))))
}
