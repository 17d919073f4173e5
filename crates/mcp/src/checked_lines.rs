//! Reads the lines of a server and answers in its place where one cannot be read, so that the caller does not wait in vain.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleClient;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex};

use crate::check_message::{CheckedMessage, START, check_message, is_message};
use crate::limits;

/// Bytes between the task that reads lines and the SDK.
const PIPE: usize = 64 * 1024;

/// The ids of requests that have no answer yet.
#[derive(Debug, Clone, Default)]
struct PendingIds(Arc<Mutex<BTreeSet<i64>>>);

impl PendingIds {
    /// Records a message that is sent.
    fn sent(&self, message: &TxJsonRpcMessage<RoleClient>) {
        if let JsonRpcMessage::Request(request) = message
            && let Some(id) = serde_json::to_value(&request.id).ok().and_then(|id| id.as_i64())
        {
            self.ids().insert(id);
        }
    }

    /// The requests that an unreadable message answers: the one that its start names, or else all, because nothing tells
    /// which of them waits for it.
    fn answered_by(&self, start: &[u8]) -> Vec<i64> {
        let mut ids = self.ids();
        match id_in(start).filter(|id| ids.contains(id)) {
            Some(id) => ids.take(&id).into_iter().collect(),
            None => std::mem::take(&mut *ids).into_iter().collect(),
        }
    }

    /// The request that waits for an answer with this id. Some servers write numbers as text.
    fn named(&self, id: Option<&Value>) -> Option<i64> {
        let id = id?;
        let whole = |float: f64| (float.fract() == 0.0).then_some(float as i64);
        let number = id
            .as_i64()
            .or_else(|| id.as_f64().and_then(whole))
            .or_else(|| id.as_str()?.trim().parse().ok())?;
        self.ids().contains(&number).then_some(number)
    }

    fn ids(&self) -> std::sync::MutexGuard<'_, BTreeSet<i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection over two streams, with a line for each message.
pub(crate) struct CheckedTransport<W: AsyncWrite + Send> {
    io: AsyncRwTransport<RoleClient, DuplexStream, W>,
    pending: PendingIds,
}

impl<W: AsyncWrite + Send + Unpin + 'static> CheckedTransport<W> {
    pub(crate) fn new(output: impl AsyncRead + Send + Unpin + 'static, input: W) -> Self {
        let pending = PendingIds::default();
        let output = checked(output, pending.clone());
        let io = AsyncRwTransport::new_client(output, input).with_max_line_length(limits::MESSAGE);
        Self { io, pending }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleClient> for CheckedTransport<W> {
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = std::io::Result<()>> + Send + 'static {
        self.pending.sent(&item);
        self.io.send(item)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleClient>>> + Send {
        self.io.receive()
    }

    async fn close(&mut self) -> std::io::Result<()> {
        self.io.close().await
    }
}

/// Passes on what a server writes. A message that is too long or cannot be parsed becomes an error response to the request
/// that it answers; a line that is no message is passed on.
fn checked<R>(output: R, pending: PendingIds) -> DuplexStream
where
    R: AsyncRead + Send + Unpin + 'static,
{
    let (reader, mut writer) = duplex(PIPE);
    tokio::spawn(async move {
        let mut lines = LineReader { output: BufReader::new(output), skips: false };
        while let Some(line) = lines.next().await {
            let written = match line {
                Line::Whole(bytes) => match check_message(&bytes) {
                    CheckedMessage::Other => writer.write_all(&bytes).await,
                    CheckedMessage::Good(id) => match pending.named(id.as_ref()) {
                        Some(id) => {
                            pending.ids().remove(&id);
                            writer.write_all(&bytes).await
                        }
                        None if id.is_some() => writer.write_all(&answers(&pending, &bytes)).await,
                        None => writer.write_all(&bytes).await,
                    },
                    CheckedMessage::Repaired(fields) => {
                        let line = format!("{}\n", Value::Object(fields));
                        writer.write_all(&answers(&pending, line.as_bytes())).await
                    }
                    CheckedMessage::Unreadable(why) => {
                        writer.write_all(&refusals(&pending, &bytes, &why)).await
                    }
                },
                Line::TooLong(start) if is_message(&start) => {
                    let limit = limits::MESSAGE / 1024 / 1024;
                    let why = format!("its answer is longer than {limit} MiB, the limit of a message");
                    writer.write_all(&refusals(&pending, &start, &why)).await
                }
                Line::TooLong(_) => Ok(()),
            };
            if written.is_err() {
                return;
            }
        }
    });
    reader
}

/// A message with an id by which its request is found. An answer without one is that of the only request that waits; an error
/// is one of all.
fn answers(pending: &PendingIds, line: &[u8]) -> Vec<u8> {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(line) else { return line.to_vec() };
    if fields.contains_key("method") {
        return line.to_vec();
    }
    let named = pending.named(fields.get("id"));
    let waiting: Vec<i64> = match named {
        Some(id) => vec![id],
        None if fields.get("id").is_none_or(Value::is_null) => pending.ids().iter().copied().collect(),
        None => return line.to_vec(),
    };
    if waiting.len() > 1 && !fields.contains_key("error") {
        return refusals(pending, b"", "its answer does not say which request it answers");
    }
    let mut out = Vec::new();
    for id in waiting {
        pending.ids().remove(&id);
        fields.insert("id".to_owned(), json!(id));
        out.extend_from_slice(format!("{}\n", Value::Object(fields.clone())).as_bytes());
    }
    out
}

/// Error responses, one on each line.
fn refusals(pending: &PendingIds, start: &[u8], why: &str) -> Vec<u8> {
    let line = |id: i64| {
        let error = json!({"code": -32_700, "message": why});
        format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "error": error}))
    };
    pending
        .answered_by(start.get(..START.min(start.len())).unwrap_or_default())
        .into_iter()
        .map(line)
        .collect::<String>()
        .into()
}

/// The id in the start of a message, before its result.
fn id_in(start: &[u8]) -> Option<i64> {
    let text = String::from_utf8_lossy(start);
    let head = text.split("\"result\"").next().unwrap_or_default();
    let number = head.split_once("\"id\"")?.1.trim_start().strip_prefix(':')?.trim_start();
    let end = number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(number.len());
    number.get(..end)?.parse().ok()
}

/// A line that a server wrote.
enum Line {
    /// With its end.
    Whole(Vec<u8>),
    /// The start of one that is longer than the limit. The rest is read and dropped.
    TooLong(Vec<u8>),
}

struct LineReader<R> {
    output: BufReader<R>,
    /// The rest of a line that is too long comes next.
    skips: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// Reads the next line. `None`: there are no more. One that is too long is returned before its end has come.
    async fn next(&mut self) -> Option<Line> {
        let mut line = Vec::new();
        loop {
            let available = self.output.fill_buf().await.ok().filter(|available| !available.is_empty())?;
            let end = available.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let taken = end.unwrap_or(available.len());
            if !self.skips {
                line.extend_from_slice(available.get(..taken).unwrap_or_default());
            }
            self.output.consume(taken);
            if line.len() > limits::MESSAGE {
                self.skips = end.is_none();
                line.truncate(START);
                return Some(Line::TooLong(line));
            }
            let was_skipped = self.skips;
            self.skips &= end.is_none();
            if end.is_some() && !was_skipped {
                return Some(Line::Whole(line));
            }
        }
    }
}
