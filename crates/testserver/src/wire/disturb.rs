//! What goes wrong inside of a stream.

use crate::reply::{Frame, Reply};

/// Puts an event behind the first delta, or behind the first event when there is no delta, and drops what comes
/// later. The event gets the number of those before it.
pub(super) fn error(reply: &mut Reply, event: impl FnOnce(usize) -> Frame) {
    let first = reply.frames.iter().position(|frame| frame.delta);
    reply.frames.truncate(first.map_or(1, |at| at + 1));
    reply.frames.push(event(reply.frames.len()));
}

/// Puts something that is no JSON behind this many events.
pub(super) fn garbage(reply: &mut Reply, at: usize) {
    let at = at.min(reply.frames.len());
    let lines = is_lines(&reply.content_type);
    let broken = if lines { "{\"model\":\"\n" } else { "data: {\"type\": \"br\n\n" };
    reply.frames.insert(at, Frame::new(broken));
}

/// A recorded body as events: server-sent ones end with an empty line, others are lines.
pub(super) fn recorded(content_type: &str, body: &[u8]) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut frame = Vec::new();
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        frame.extend_from_slice(line);
        let ends = match content_type {
            kind if kind.starts_with("text/event-stream") => matches!(line, b"\n" | b"\r\n"),
            kind => is_lines(kind),
        };
        if ends {
            frames.push(Frame::new(std::mem::take(&mut frame)));
        }
    }
    if !frame.is_empty() {
        frames.push(Frame::new(frame));
    }
    frames
}

fn is_lines(content_type: &str) -> bool {
    ["application/x-ndjson", "application/ndjson", "application/jsonl"]
        .iter()
        .any(|known| content_type.starts_with(known))
}
