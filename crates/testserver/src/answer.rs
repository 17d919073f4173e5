//! One answer of a script.

use std::time::Duration;

use serde_json::Value;
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, ToolCall, Usage};

use crate::ErrorKind;

/// What the server says to one request, and how.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) say: Say,
    /// Further headers; one with the name of a header that the server sends itself takes its place.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) event_error: Option<ErrorKind>,
    pub(crate) garbage_after: Option<usize>,
    pub(crate) pace: Pace,
}

/// What is said.
#[derive(Debug, Clone)]
pub(crate) enum Say {
    Blocks(Spoken),
    Status(u16, Value),
    Error(ErrorKind),
    Html(u16, String),
    Raw { content_type: String, body: Vec<u8> },
}

/// An answer of a model.
#[derive(Debug, Clone)]
pub(crate) struct Spoken {
    pub(crate) blocks: Vec<ContentBlock>,
    /// By itself: `tool_use` with calls, else `end_turn`.
    pub(crate) stop: Option<StopReason>,
    pub(crate) usage: Reported,
    pub(crate) bad_input: bool,
}

/// What is reported about tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reported {
    /// Bytes by four.
    Counted,
    Scripted(Usage),
    Nothing,
}

/// How the bytes come.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace {
    pub(crate) wait_head: Duration,
    pub(crate) wait_first: Duration,
    pub(crate) wait_each: Duration,
    pub(crate) pieces_of: Option<usize>,
    pub(crate) cut_after: Option<usize>,
}

impl Answer {
    fn new(say: Say) -> Self {
        Self { say, headers: Vec::new(), event_error: None, garbage_after: None, pace: Pace::default() }
    }

    /// Returns true if a model answers, so that its service has read the prompt.
    pub(crate) fn says(&self) -> bool {
        matches!(self.say, Say::Blocks(_))
    }

    /// Blocks of a model's message, in order.
    ///
    /// Only text, thinking and calls are blocks that a model says; with any other block the server answers 500.
    /// What the protocol cannot tell is left out: signatures and redacted thinking outside of Anthropic and
    /// Responses. Chat Completions tells thinking in the field `reasoning` when that is its signature, and redacted
    /// thinking with the signature `extra_content` as that field of the call behind it. The first call of an answer of
    /// Gemini is always signed.
    #[must_use]
    pub fn blocks(blocks: Vec<ContentBlock>) -> Self {
        Self::new(Say::Blocks(Spoken { blocks, stop: None, usage: Reported::Counted, bad_input: false }))
    }

    /// One text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::blocks(vec![ContentBlock::Text { text: text.to_owned() }])
    }

    /// One call.
    #[must_use]
    pub fn call(id: &str, name: &str, input: Value) -> Self {
        Self::blocks(vec![ContentBlock::ToolCall(ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            input,
        })])
    }

    /// A status and a JSON body, whatever the protocol. 204 and 304 have no body.
    #[must_use]
    pub fn status(status: u16, body: Value) -> Self {
        Self::new(Say::Status(status, body))
    }

    /// An error in the words of the protocol.
    #[must_use]
    pub fn error(kind: ErrorKind) -> Self {
        Self::new(Say::Error(kind))
    }

    /// A page, as a proxy in between would send it.
    #[must_use]
    pub fn html(status: u16, page: &str) -> Self {
        Self::new(Say::Html(status, page.to_owned()))
    }

    /// Status 200 and these bytes, for recorded streams.
    #[must_use]
    pub fn raw(content_type: &str, body: Vec<u8>) -> Self {
        Self::new(Say::Raw { content_type: content_type.to_owned(), body })
    }

    /// Why the model stopped, in the protocol's words. [`StopReason::Other`] is sent verbatim, and a reason that the
    /// protocol has no word for is sent as the end of the turn.
    #[must_use]
    pub fn stop(self, stop: StopReason) -> Self {
        self.spoken(|spoken| spoken.stop = Some(stop))
    }

    /// The tokens that are reported. Without it they are counted: bytes by four.
    #[must_use]
    pub fn usage(self, usage: Usage) -> Self {
        self.spoken(|spoken| spoken.usage = Reported::Scripted(usage))
    }

    /// No tokens are reported.
    #[must_use]
    pub fn no_usage(self) -> Self {
        self.spoken(|spoken| spoken.usage = Reported::Nothing)
    }

    /// The arguments of calls are sent as broken JSON. Where arguments are no text on the wire (Ollama, and
    /// Anthropic without a stream), they are sent as a text.
    #[must_use]
    pub fn bad_input(self) -> Self {
        self.spoken(|spoken| spoken.bad_input = true)
    }

    /// A header of the answer.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_ascii_lowercase(), value.to_owned()));
        self
    }

    /// An error inside of the stream, behind the first delta. Nothing comes behind it. Without a stream the error is
    /// the whole answer.
    #[must_use]
    pub fn event_error(mut self, kind: ErrorKind) -> Self {
        self.event_error = Some(kind);
        self
    }

    /// The wait before the status line.
    #[must_use]
    pub fn wait_head(mut self, wait: Duration) -> Self {
        self.pace.wait_head = wait;
        self
    }

    /// The wait before the first byte of the body. The headers are sent before it.
    #[must_use]
    pub fn wait_first(mut self, wait: Duration) -> Self {
        self.pace.wait_first = wait;
        self
    }

    /// The wait between two events.
    #[must_use]
    pub fn wait_each(mut self, wait: Duration) -> Self {
        self.pace.wait_each = wait;
        self
    }

    /// The body comes in pieces of that many bytes, each a chunk of its own; 0 is taken as 1.
    #[must_use]
    pub fn pieces_of(mut self, bytes: usize) -> Self {
        self.pace.pieces_of = Some(bytes.max(1));
        self
    }

    /// The connection is closed behind that many events, in the middle of the next one; when there is no next one,
    /// without the end of the body.
    #[must_use]
    pub fn cut_after(mut self, events: usize) -> Self {
        self.pace.cut_after = Some(events);
        self
    }

    /// Behind that many events comes one that is no JSON, then the rest.
    #[must_use]
    pub fn garbage_after(mut self, events: usize) -> Self {
        self.garbage_after = Some(events);
        self
    }

    fn spoken(mut self, change: impl FnOnce(&mut Spoken)) -> Self {
        if let Say::Blocks(spoken) = &mut self.say {
            change(spoken);
        }
        self
    }
}
