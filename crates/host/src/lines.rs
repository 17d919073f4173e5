//! Answers one client over two streams: a line for each call, a line for each answer and each notice.

mod reader;
mod turns;

use std::io;
use std::sync::Arc;

use serde_json::{Value, json};
use throughline_contexts::{CallError, Contexts, ErrorCode, Notice, NoticeSink, OPERATIONS};
use throughline_conversation::SessionId;
use tokio::io::AsyncBufRead;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use self::reader::{Line, read_line};
pub use self::turns::Turns;
use crate::message::{Call, Rejected, begin_answer, end_answer, notification};

/// The version of the protocol. It changes when a client of the version before would be answered wrong.
pub const PROTOCOL: u64 = 1;

/// Maximum bytes of a line of the client.
const MAX_LINE: usize = 256 * 1024 * 1024;

/// Calls that run or wait at the same time. The next line is read when one of them is done.
const MAX_CALLS: usize = 64;

/// A line to write; `None`: there is no other.
type Lines = mpsc::UnboundedSender<Option<Vec<u8>>>;

/// Takes the notices of contexts, and gives them to [`serve_lines`].
#[derive(Debug)]
pub struct LineNotices {
    lines: Lines,
    written: mpsc::UnboundedReceiver<Option<Vec<u8>>>,
}

impl Default for LineNotices {
    fn default() -> Self {
        let (lines, written) = mpsc::unbounded_channel();
        Self { lines, written }
    }
}

impl LineNotices {
    /// What the contexts are opened with.
    #[must_use]
    pub fn sink(&self) -> Arc<dyn NoticeSink> {
        let lines = self.lines.clone();
        // An error says that the client is gone.
        Arc::new(move |session: &SessionId, notice: &Notice| {
            drop(lines.send(Some(notification(session, notice).to_string().into_bytes())));
        })
    }
}

/// Answers a client until its stream ends or `stop` is done, and closes all contexts then. Calls of one context run in the
/// order of their lines, those of different contexts side by side.
///
/// # Errors
/// A stream of the client cannot be read or written, or records of a context cannot be stored. The contexts are closed all the same.
pub async fn serve_lines(
    contexts: Contexts,
    notices: LineNotices,
    mut input: impl AsyncBufRead + Unpin,
    output: impl io::Write + Send + 'static,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let LineNotices { lines, written } = notices;
    let writer = tokio::task::spawn_blocking(move || write_lines(written, output));
    let mut client = Client {
        contexts,
        lines,
        turns: Turns::default(),
        running: JoinSet::new(),
        room: Arc::new(Semaphore::new(MAX_CALLS)),
    };
    let read = tokio::select! {
        read = client.read(&mut input) => read,
        () = stop => Ok(()),
    };
    while client.running.join_next().await.is_some() {}
    let unsaved = client.contexts.close_all().await.into_iter().next();
    // The writer may be gone with its stream.
    drop(client.lines.send(None));
    read.and(writer.await.unwrap_or(Ok(()))).and(unsaved.map_or(Ok(()), |error| Err(io::Error::other(error))))
}

/// What is known of the client.
struct Client {
    contexts: Contexts,
    lines: Lines,
    turns: Turns,
    running: JoinSet<()>,
    /// Room for more calls.
    room: Arc<Semaphore>,
}

impl Client {
    async fn read(&mut self, input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<()> {
        loop {
            match read_line(input, MAX_LINE).await? {
                Line::End => return Ok(()),
                Line::TooLong => self.write(&Rejected::too_long(MAX_LINE)),
                Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => {}
                Line::Whole(line) => match Call::read(&line) {
                    Ok(call) => self.begin(call).await,
                    Err(rejected) => self.write(&rejected),
                },
            }
        }
    }

    fn write(&self, rejected: &Rejected) {
        // An error says that the client is gone.
        drop(self.lines.send(Some(rejected.to_value().to_string().into_bytes())));
    }

    /// Runs a call when those of its context before it are done.
    async fn begin(&mut self, call: Call) {
        while self.running.try_join_next().is_some() {}
        let Ok(room) = Arc::clone(&self.room).acquire_owned().await else { return };
        let turn = self.turns.take(call.context().unwrap_or_default());
        let (contexts, lines) = (self.contexts.clone(), self.lines.clone());
        self.running.spawn(async move {
            let turn = turn.await;
            let Call { id, method, params } = call;
            let known = id.as_ref().unwrap_or(&Value::Null);
            let (mut answer, mut output) = (begin_answer(known), None);
            let outcome = match method.as_str() {
                "initialize" => initialized(&params).map(|said| {
                    answer.extend_from_slice(said.to_string().as_bytes());
                    answer
                }),
                _ => contexts.call_json(&method, params, answer).await.map(|called| {
                    let (answer, written) = called.into_parts();
                    output = Some(written);
                    answer
                }),
            };
            let answer = end_answer(known, outcome);
            if id.is_some() {
                drop(lines.send(Some(answer)));
            }
            drop((turn, room, output));
        });
    }
}

/// Says what this process speaks. A client that needs another protocol learns it here.
fn initialized(params: &Value) -> Result<Value, CallError> {
    let unknown = params
        .as_object()
        .and_then(|fields| fields.keys().find(|name| *name != "protocol" && *name != "client"));
    if let Some(name) = unknown {
        let message = format!("unknown field `{name}`, expected `protocol` or `client`");
        return Err(CallError::new(ErrorCode::InvalidInput, message));
    }
    if let Some(wanted) = params.get("protocol").filter(|wanted| **wanted != json!(PROTOCOL)) {
        let message = format!(
            "this program speaks protocol {PROTOCOL}, not {wanted}; install the version of the client that fits {}",
            env!("CARGO_PKG_VERSION")
        );
        return Err(CallError::new(ErrorCode::InvalidInput, message));
    }
    let operations: Vec<&str> = OPERATIONS.iter().map(|entry| entry.name).collect();
    Ok(json!({ "protocol": PROTOCOL, "version": env!("CARGO_PKG_VERSION"), "operations": operations }))
}

/// Writes on a thread of its own: a line is copied into the stream once.
fn write_lines(
    mut written: mpsc::UnboundedReceiver<Option<Vec<u8>>>,
    mut output: impl io::Write,
) -> io::Result<()> {
    while let Some(Some(mut line)) = written.blocking_recv() {
        line.push(b'\n');
        output.write_all(&line)?;
        output.flush()?;
    }
    Ok(())
}
