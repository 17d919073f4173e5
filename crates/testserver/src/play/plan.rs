//! What is sent when, as a list: plain, so that it can be tested without a connection.

use std::time::Duration;

use crate::http::phrase;
use crate::reply::{Frame, Reply};

/// Bytes that are sent at once when nothing asks for less.
const AT_ONCE: usize = 16 * 1024;

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Send(Vec<u8>),
    Wait(Duration),
    /// The connection ends here.
    Cut,
}

/// How the connection wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// Only the head is sent (method `HEAD`).
    pub(crate) head_only: bool,
    /// The client knows chunks.
    pub(crate) chunks: bool,
    /// The connection ends behind the reply.
    pub(crate) closes: bool,
}

/// All steps of a reply.
pub(super) fn plan(reply: &Reply, form: Form) -> Vec<Step> {
    let mut steps = Steps { done: Vec::new(), held: Vec::new() };
    let chunked = reply.streams && form.chunks;
    steps.wait(reply.pace.wait_head);
    steps.add(head(reply, form, chunked).as_bytes(), false);
    if form.head_only || is_bare(reply) {
        return steps.finish();
    }
    steps.wait(reply.pace.wait_first);
    let pieces_of = reply.pace.pieces_of;
    for (index, frame) in reply.frames.iter().enumerate() {
        if index > 0 {
            steps.wait(reply.pace.wait_each);
        }
        let cut = reply.pace.cut_after == Some(index);
        let bytes = if cut { half(frame) } else { frame.bytes.as_slice() };
        for piece in bytes.chunks(pieces_of.unwrap_or(bytes.len()).max(1)) {
            if chunked {
                let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
                chunk.extend_from_slice(piece);
                chunk.extend_from_slice(b"\r\n");
                steps.add(&chunk, pieces_of.is_some());
            } else {
                steps.add(piece, pieces_of.is_some());
            }
        }
        if cut {
            return steps.cut();
        }
    }
    if reply.pace.cut_after.is_some() {
        return steps.cut();
    }
    if chunked {
        // Together with the last event: a client that has read that one may close at once, and has not hung up.
        steps.append(b"0\r\n\r\n");
    }
    steps.finish()
}

/// Statuses without a body, whatever the script says: a client would take it for the next response.
fn is_bare(reply: &Reply) -> bool {
    matches!(reply.status, 204 | 304)
}

fn half(frame: &Frame) -> &[u8] {
    let middle = frame.bytes.len().div_ceil(2);
    frame.bytes.get(..middle).unwrap_or_default()
}

fn head(reply: &Reply, form: Form, chunked: bool) -> String {
    let mut head = format!("HTTP/1.1 {} {}\r\n", reply.status, phrase(reply.status));
    let mut add = |name: &str, value: &str| {
        // A line break would begin another header.
        let plain: String = value.chars().filter(|letter| !letter.is_control()).collect();
        head.push_str(&format!("{name}: {plain}\r\n"));
    };
    let own = |name: &str| reply.headers.iter().any(|(known, _)| known == name);
    if !own("content-type") && !reply.content_type.is_empty() {
        add("content-type", &reply.content_type);
    }
    if chunked {
        add("transfer-encoding", "chunked");
        add("cache-control", "no-cache");
    } else if !reply.streams && !own("content-length") && !is_bare(reply) {
        let length: usize = reply.frames.iter().map(|frame| frame.bytes.len()).sum();
        add("content-length", &length.to_string());
    }
    if form.closes {
        add("connection", "close");
    }
    for (name, value) in &reply.headers {
        add(name, value);
    }
    head.push_str("\r\n");
    head
}

/// Steps in the order in which they are added; what need not be sent apart is buffered and sent together.
#[derive(Debug)]
struct Steps {
    done: Vec<Step>,
    held: Vec<u8>,
}

impl Steps {
    fn add(&mut self, bytes: &[u8], apart: bool) {
        if apart {
            self.send();
        }
        self.held.extend_from_slice(bytes);
        if !apart && self.held.len() >= AT_ONCE {
            self.send();
        }
    }

    /// Adds to what was added last, even if that is to be sent apart.
    fn append(&mut self, bytes: &[u8]) {
        match self.done.last_mut() {
            Some(Step::Send(last)) if self.held.is_empty() => last.extend_from_slice(bytes),
            _ => self.held.extend_from_slice(bytes),
        }
    }

    fn wait(&mut self, wait: Duration) {
        if !wait.is_zero() {
            self.send();
            self.done.push(Step::Wait(wait));
        }
    }

    fn send(&mut self) {
        if !self.held.is_empty() {
            self.done.push(Step::Send(std::mem::take(&mut self.held)));
        }
    }

    fn cut(mut self) -> Vec<Step> {
        self.send();
        self.done.push(Step::Cut);
        self.done
    }

    fn finish(mut self) -> Vec<Step> {
        self.send();
        self.done
    }
}
