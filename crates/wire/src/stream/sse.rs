//! Server-sent events out of bytes (WHATWG HTML standard, "Server-sent events").

use serde::de::IgnoredAny;

use crate::stream::line_buffer::{LineBuffer, LineEnding, LineTooLong, MOST_BYTES};

/// The data of the last event of OpenAI's streams.
const DONE: &str = "[DONE]";

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SseEvent {
    /// Its name; empty when the stream gives none.
    pub event: String,
    /// Its data lines, with newlines between them. Never empty.
    pub data: String,
}

/// Splits a stream into events, whatever pieces the bytes come in.
///
/// Lines may end in `\n`, `\r\n` or `\r`; a byte order mark, comments and fields other than `event` and `data`
/// are skipped. Bytes that are no UTF-8 become the replacement character.
#[derive(Debug)]
pub struct SseLines {
    lines: LineBuffer,
    open: PendingEvent,
    failed: bool,
}

/// The event that is being read.
#[derive(Debug)]
struct PendingEvent {
    limit: usize,
    first_line: bool,
    event: String,
    data: Option<String>,
}

impl Default for SseLines {
    fn default() -> Self {
        Self::with_limit(MOST_BYTES)
    }
}

impl SseLines {
    /// Keeps at most [`MOST_BYTES`] of one event.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps at most this many bytes of one event, and of one line.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        let open = PendingEvent { limit, first_line: true, event: String::new(), data: None };
        Self { lines: LineBuffer::new(LineEnding::LfOrCr, limit), open, failed: false }
    }

    /// Takes the next bytes and gives the events that are now whole. An error comes once and is the last item.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<SseEvent, LineTooLong>> {
        let mut events = Vec::new();
        if self.failed {
            return events;
        }
        let open = &mut self.open;
        let read = self.lines.push(bytes, |line| {
            events.extend(open.line(&line)?.map(Ok));
            Ok(())
        });
        if let Err(error) = read {
            self.failed = true;
            events.push(Err(error));
        }
        events
    }

    /// The event that the stream ended in, unless it is cut off. The standard drops it in any case; servers that forget the blank
    /// line at the very end are common.
    #[must_use]
    pub fn finish(mut self) -> Option<Result<SseEvent, LineTooLong>> {
        if self.failed {
            return None;
        }
        if let Some(line) = self.lines.last()
            && let Err(error) = self.open.line(&line)
        {
            return Some(Err(error));
        }
        self.open.dispatch().filter(|event| !is_cut(&event.data)).map(Ok)
    }
}

/// Returns true if the data is the beginning of an object, or of the mark that ends OpenAI's streams.
fn is_cut(data: &str) -> bool {
    let object = || serde_json::from_str::<IgnoredAny>(data).is_err_and(|error| error.is_eof());
    (data.starts_with('{') && object()) || (data != DONE && DONE.starts_with(data))
}

impl PendingEvent {
    fn line(&mut self, line: &str) -> Result<Option<SseEvent>, LineTooLong> {
        let line = if std::mem::take(&mut self.first_line) {
            line.strip_prefix('\u{feff}').unwrap_or(line)
        } else {
            line
        };
        if line.is_empty() {
            return Ok(self.dispatch());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => self.data(value)?,
            _ => {}
        }
        Ok(None)
    }

    fn data(&mut self, value: &str) -> Result<(), LineTooLong> {
        match &mut self.data {
            None => self.data = Some(value.to_owned()),
            Some(data) => {
                if data.len().saturating_add(value.len()).saturating_add(1) > self.limit {
                    return Err(LineTooLong { limit: self.limit });
                }
                data.push('\n');
                data.push_str(value);
            }
        }
        Ok(())
    }

    fn dispatch(&mut self) -> Option<SseEvent> {
        let event = std::mem::take(&mut self.event);
        let data = self.data.take().filter(|data| !data.is_empty())?;
        Some(SseEvent { event, data })
    }
}

#[cfg(test)]
mod tests;
