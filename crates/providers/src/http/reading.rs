//! A running answer, pulled piece by piece.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use futures_core::stream::BoxStream;
use futures_util::{StreamExt, stream};
use throughline_completion::{CompletionEvent, EventStream, ModelError};
use throughline_wire::AnswerStream;

use super::{Endpoint, TransportError};

/// Maximum bytes of one answer. The longest answers of today's models are a few megabytes on the wire.
const MOST_BYTES: usize = 64 * 1024 * 1024;

type Item = Result<CompletionEvent, ModelError>;

/// How long to wait for the end of the body after the end of the answer. It has nearly always arrived already, and
/// only a connection whose response was read to its end can carry the next request.
const LAST_BYTES: Duration = Duration::from_millis(50);

/// An answer while it is read.
struct AnswerReader {
    /// `None` once nothing more is read, which closes the connection or gives it back.
    open: Option<OpenBody>,
    /// [`CompletionEvent::Finished`] was given.
    finished: bool,
    /// Events of the last piece that the reader has not taken yet. Never more than one piece's events.
    ready: VecDeque<Item>,
    endpoint: Endpoint,
}

struct OpenBody {
    body: BoxStream<'static, Result<Bytes, TransportError>>,
    decoder: AnswerStream,
    bytes: usize,
}

/// The events of a body. It ends after [`CompletionEvent::Finished`], or after one error.
pub(super) fn reading(
    body: BoxStream<'static, Result<Bytes, TransportError>>,
    decoder: AnswerStream,
    endpoint: Endpoint,
) -> EventStream {
    let open = Some(OpenBody { body, decoder, bytes: 0 });
    let reading = AnswerReader { open, finished: false, ready: VecDeque::new(), endpoint };
    stream::unfold(reading, |mut reading| async move {
        let item = reading.next().await?;
        Some((item, reading))
    })
    // Polling after the end is allowed.
    .fuse()
    .boxed()
}

impl AnswerReader {
    async fn next(&mut self) -> Option<Item> {
        loop {
            match self.ready.pop_front() {
                Some(Err(error)) => {
                    self.ready.clear();
                    self.open = None;
                    return Some(Err(self.endpoint.redact_error(error)));
                }
                Some(Ok(event)) => {
                    if matches!(event, CompletionEvent::Finished(_)) {
                        let bytes = self.open.as_ref().map(|open| open.bytes);
                        tracing::debug!(bytes, "an answer is complete");
                        self.finished = true;
                    }
                    return Some(Ok(event));
                }
                None if self.finished => {
                    self.give_back().await;
                    return None;
                }
                None => self.pull().await?,
            }
        }
    }

    /// Waits for the next piece; `None` when the answer is over.
    async fn pull(&mut self) -> Option<()> {
        let open = self.open.as_mut()?;
        let idle = self.endpoint.timeouts.idle;
        let piece = tokio::time::timeout(idle, open.body.next()).await;
        let error = match piece {
            Ok(Some(Ok(piece))) => {
                open.bytes = open.bytes.saturating_add(piece.len());
                if open.bytes <= MOST_BYTES {
                    self.ready.extend(open.decoder.push(&piece));
                    return Some(());
                }
                interrupted(format!("it is longer than {} MiB", MOST_BYTES / (1024 * 1024)))
            }
            Ok(None) => {
                let open = self.open.take()?;
                tracing::debug!(bytes = open.bytes, "a response has ended");
                self.ready.extend(open.decoder.finish());
                return Some(());
            }
            Ok(Some(Err(error))) => interrupted(error.to_string()),
            Err(_) => silent("", idle),
        };
        tracing::debug!(bytes = open.bytes, "a response broke off");
        let events = self.open.take()?.decoder.finish();
        // Behind the stop reason nothing is missing that would have to be paid for again.
        let is_whole = matches!(events.last(), Some(Ok(CompletionEvent::Finished(_))));
        self.ready.extend(if is_whole { events } else { vec![Err(error)] });
        Some(())
    }

    /// Reads the body to its end, so that the connection can be used again.
    async fn give_back(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        let rest = async { while let Some(Ok(_)) = open.body.next().await {} };
        // When the end does not come the connection is closed: that costs the next request a new one, no more.
        drop(tokio::time::timeout(LAST_BYTES, rest).await);
    }
}

fn interrupted(message: String) -> ModelError {
    ModelError::Interrupted { message }
}

/// The error of a timeout; `whose` names the server.
pub(super) fn silent(whose: &str, wait: Duration) -> ModelError {
    let message = format!("no data{whose} for {} s; raise it with --timeout", wait.as_secs_f64());
    ModelError::Silent { message }
}

#[cfg(test)]
mod tests;
