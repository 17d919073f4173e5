//! An answer as bytes, before it is sent.

use serde_json::Value;

use crate::answer::Pace;

/// One event of a stream, or a whole body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) bytes: Vec<u8>,
    /// Whether it carries a part of a block.
    pub(crate) delta: bool,
}

impl Frame {
    pub(crate) fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), delta: false }
    }

    /// A server-sent event with a name.
    pub(crate) fn event(name: &str, data: &Value) -> Self {
        Self { bytes: format!("event: {name}\ndata: {data}\n\n").into_bytes(), delta: false }
    }

    /// A server-sent event without a name.
    pub(crate) fn data(data: &Value) -> Self {
        Self::new(format!("data: {data}\n\n"))
    }

    /// One line of JSON.
    pub(crate) fn line(data: &Value) -> Self {
        Self::new(format!("{data}\n"))
    }

    pub(crate) fn into_delta(self) -> Self {
        Self { delta: true, ..self }
    }
}

/// A response.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) frames: Vec<Frame>,
    /// The length is not sent in advance: the body comes in chunks.
    pub(crate) streams: bool,
    pub(crate) pace: Pace,
    /// Whether the connection ends behind it.
    pub(crate) closes: bool,
}

impl Reply {
    /// A body of known length.
    pub(crate) fn whole(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            content_type: content_type.to_owned(),
            headers: Vec::new(),
            frames: vec![Frame::new(body)],
            streams: false,
            pace: Pace::default(),
            closes: false,
        }
    }

    /// A JSON body.
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::whole(status, "application/json", body.to_string())
    }

    /// A body that comes event by event.
    pub(crate) fn stream(content_type: &str, frames: Vec<Frame>) -> Self {
        Self { frames, streams: true, ..Self::whole(200, content_type, "") }
    }

    /// With a header; it replaces one with this name.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The connection ends behind it.
    pub(crate) fn closing(self) -> Self {
        Self { closes: true, ..self }
    }
}
