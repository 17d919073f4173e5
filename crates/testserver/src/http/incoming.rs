//! Requests as they come in on a connection.

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use super::body::{NoBody, Source};
use super::head::{Head, Length};
use super::{MOST_BYTES, Refusal};

/// The longest head that is taken.
const HEAD_BYTES: usize = 64 * 1024;

/// A request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) head: Head,
    pub(crate) body: Vec<u8>,
}

/// What comes next on a connection.
#[derive(Debug)]
pub(crate) enum Incoming {
    Request(Request),
    /// It cannot be read. The head is there when it could.
    Refused(Option<Head>, Refusal),
    /// Nothing more.
    End,
}

/// Waits for the next request. What comes behind it stays in the buffer.
pub(crate) async fn read<S>(stream: &mut S, buffer: &mut Vec<u8>) -> Incoming
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let head = loop {
        let end = end_of_head(buffer);
        if end.map_or(buffer.len(), |(end, _)| end) > HEAD_BYTES {
            return Incoming::Refused(None, Refusal::new(431, "the headers are too long"));
        }
        if let Some((end, next)) = end {
            let rest = buffer.split_off(next);
            let mut head = std::mem::replace(buffer, rest);
            head.truncate(end);
            break head;
        }
        if (Source { reader: stream, buffer }).more().await.is_err() {
            return Incoming::End;
        }
    };
    let head = match Head::parse(&head) {
        Ok(head) => head,
        Err(refusal) => return Incoming::Refused(None, refusal),
    };
    let length = match head.length() {
        Ok(length) => length,
        Err(refusal) => return Incoming::Refused(Some(head), refusal),
    };
    let fits = !matches!(length, Length::Bytes(bytes) if bytes > MOST_BYTES);
    let word = b"HTTP/1.1 100 Continue\r\n\r\n";
    if head.expects_word() && fits && stream.write_all(word).await.is_err() {
        return Incoming::End;
    }
    let mut source = Source { reader: stream, buffer };
    let body = match length {
        Length::Bytes(bytes) => source.take(bytes).await,
        Length::Chunked => source.chunks().await,
    };
    match body {
        Ok(body) => Incoming::Request(Request { head, body }),
        Err(NoBody::Refused(refusal)) => Incoming::Refused(Some(head), refusal),
        Err(NoBody::Gone) => Incoming::End,
    }
}

/// Where the head ends, and where what is behind it begins. Empty lines in front of a request are skipped.
fn end_of_head(buffer: &mut Vec<u8>) -> Option<(usize, usize)> {
    let skip = buffer.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    buffer.drain(..skip);
    let end = buffer.windows(4).position(|window| window == b"\r\n\r\n").map(|at| (at, at + 4));
    let bare = buffer.windows(2).position(|window| window == b"\n\n").map(|at| (at, at + 2));
    end.into_iter().chain(bare).min()
}
