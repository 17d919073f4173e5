//! A running answer, pulled piece by piece.

use std::collections::VecDeque;

use bytes::Bytes;
use futures_core::stream::BoxStream;
use futures_util::{StreamExt, stream};
use throughline_completion::{CompletionEvent, EventStream, ModelError};

use super::{Endpoint, TransportError};
use crate::AnswerStream;

/// Most bytes of one answer. The longest answers of today's models are a few megabytes on the wire.
const MOST_BYTES: usize = 64 * 1024 * 1024;

type Item = Result<CompletionEvent, ModelError>;

/// An answer while it is read.
struct Reading {
    /// `None` once the answer is over, which closes the connection or gives it back.
    open: Option<Open>,
    /// What the last piece gave and the reader has not taken. Never more than one piece's events.
    ready: VecDeque<Item>,
    endpoint: Endpoint,
}

struct Open {
    body: BoxStream<'static, Result<Bytes, TransportError>>,
    decoder: AnswerStream,
    bytes: usize,
}

/// The events of a body. It ends behind [`CompletionEvent::Finished`], or behind one error.
pub(super) fn reading(
    body: BoxStream<'static, Result<Bytes, TransportError>>,
    decoder: AnswerStream,
    endpoint: Endpoint,
) -> EventStream {
    let open = Some(Open { body, decoder, bytes: 0 });
    let reading = Reading { open, ready: VecDeque::new(), endpoint };
    stream::unfold(reading, |mut reading| async move {
        let item = reading.next().await?;
        Some((item, reading))
    })
    // Asking once more behind the end is no mistake.
    .fuse()
    .boxed()
}

impl Reading {
    async fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                if ends(&item) {
                    self.ready.clear();
                    self.open = None;
                }
                return Some(item.map_err(|error| self.endpoint.redact_error(error)));
            }
            self.pull().await?;
        }
    }

    /// Waits for the next piece; `None` when the answer is over.
    async fn pull(&mut self) -> Option<()> {
        let open = self.open.as_mut()?;
        let idle = self.endpoint.timeouts.idle;
        let piece = tokio::time::timeout(idle, open.body.next()).await;
        let broke = match piece {
            Ok(Some(Ok(piece))) => {
                open.bytes = open.bytes.saturating_add(piece.len());
                if open.bytes <= MOST_BYTES {
                    self.ready.extend(open.decoder.push(&piece));
                    return Some(());
                }
                format!("it is longer than {} MiB", MOST_BYTES / (1024 * 1024))
            }
            Ok(None) => {
                let open = self.open.take()?;
                tracing::debug!(bytes = open.bytes, "a response has ended");
                self.ready.extend(open.decoder.finish());
                return Some(());
            }
            Ok(Some(Err(error))) => error.to_string(),
            Err(_) => format!("nothing came for {} s", idle.as_secs_f64()),
        };
        tracing::debug!(bytes = open.bytes, "a response broke off");
        self.open = None;
        self.ready.push_back(Err(ModelError::Interrupted { message: broke }));
        Some(())
    }
}

fn ends(item: &Item) -> bool {
    matches!(item, Err(_) | Ok(CompletionEvent::Finished(_)))
}

#[cfg(test)]
mod tests;
