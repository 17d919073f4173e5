//! Lines of a client that the reader of the protocol skips without an answer, in a form that it answers.

use std::borrow::Cow;

use serde_json::{Value, json};
use throughline_text::whole_characters;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWriteExt as _, BufReader, DuplexStream};

/// The method that a request has which was too long to be read.
pub(crate) const TOO_LONG: &str = "throughline/too_long";

/// Bytes between the client's lines and their reader.
const BUFFER: usize = 64 * 1024;

/// Bytes at each end of a long line in which its id is looked for.
const END: usize = 512;

/// The lines of an input. Half of a surrogate pair, which JavaScript writes for a text that was cut, is U+FFFD. A request of more
/// than `most` bytes is one of the method [`TOO_LONG`] with its id, if that is near one of its ends.
pub(crate) fn answerable(input: impl AsyncRead + Send + Unpin + 'static, most: usize) -> DuplexStream {
    let (mut out, lines) = tokio::io::duplex(BUFFER);
    tokio::spawn(async move {
        let (mut input, mut line) = (BufReader::new(input), LongLine::new(most));
        // An error is the end of the input, or of the reader.
        while let Ok(bytes) = input.fill_buf().await {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(bytes.len(), |end| end + 1);
            if taken == 0 {
                return;
            }
            line.push(bytes.get(..taken).unwrap_or_default());
            input.consume(taken);
            if end.is_some() && out.write_all(&line.take()).await.is_err() {
                return;
            }
        }
    });
    lines
}

/// A line, or the ends of one that is too long.
struct LongLine {
    most: usize,
    bytes: Vec<u8>,
    /// The last bytes, if the line is too long.
    tail: Option<Vec<u8>>,
}

impl LongLine {
    fn new(most: usize) -> Self {
        Self { most, bytes: Vec::new(), tail: None }
    }

    fn push(&mut self, bytes: &[u8]) {
        if self.tail.is_none() && self.bytes.len() + bytes.len() <= self.most {
            self.bytes.extend_from_slice(bytes);
            return;
        }
        let room = END.saturating_sub(self.bytes.len()).min(bytes.len());
        self.bytes.extend_from_slice(bytes.get(..room).unwrap_or_default());
        let tail = self.tail.get_or_insert_default();
        tail.extend_from_slice(bytes);
        let more = tail.len().saturating_sub(END);
        tail.drain(..more);
    }

    /// The line for the reader; nothing for a long one without an id.
    fn take(&mut self) -> Vec<u8> {
        let bytes = std::mem::take(&mut self.bytes);
        let Some(tail) = self.tail.take() else {
            if let Cow::Owned(whole) = whole_characters(&bytes) {
                return whole;
            }
            return bytes;
        };
        let head = String::from_utf8_lossy(bytes.get(..END).unwrap_or(&bytes)).into_owned();
        let id = first_id(&head).or_else(|| last_id(&String::from_utf8_lossy(&tail)));
        let request = |id| json!({ "jsonrpc": "2.0", "id": id, "method": TOO_LONG }).to_string() + "\n";
        id.map(request).unwrap_or_default().into_bytes()
    }
}

/// The id of a message that begins so, if it is before its parameters.
fn first_id(head: &str) -> Option<Value> {
    let (own, _) = head.split_once("\"params\"")?;
    let (_, id) = own.split_once("\"id\":")?;
    id_at(id).map(|(id, _)| id)
}

/// The id of a message that ends so.
fn last_id(tail: &str) -> Option<Value> {
    let (_, id) = tail.rsplit_once("\"id\":")?;
    let (id, rest) = id_at(id)?;
    let rest: String = rest.split_whitespace().collect();
    matches!(rest.as_str(), "}" | ",\"jsonrpc\":\"2.0\"}").then_some(id)
}

/// The number or text at the start, and what follows it.
fn id_at(text: &str) -> Option<(Value, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let id = values.next()?.ok().filter(|id| id.is_number() || id.is_string())?;
    Some((id, text.get(values.byte_offset()..)?))
}

#[cfg(test)]
mod tests;
