//! Logs the standard error of a server; it never reaches the terminal.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;
use tokio::task::JoinHandle;

use crate::limits;
use crate::redact::Redactor;

/// Time to wait for the remaining output of a program that has exited.
const DRAIN: Duration = Duration::from_millis(250);

/// Reads standard error to its end, because a program whose output is not read blocks.
#[derive(Debug)]
pub(crate) struct Stderr {
    reader: JoinHandle<()>,
    last: Arc<Mutex<String>>,
}

impl Stderr {
    pub(crate) fn follow(mut errors: ChildStderr, server: String, redactor: Redactor) -> Self {
        let last = Arc::new(Mutex::new(String::new()));
        let written = Arc::clone(&last);
        let reader = tokio::spawn(async move {
            let mut log = LineLog { server, redactor, line: Vec::new(), left: limits::STDERR, last: written };
            let mut buffer = vec![0; 8 * 1024];
            while let Ok(count @ 1..) = errors.read(&mut buffer).await {
                log.add(buffer.get(..count).unwrap_or_default());
            }
            log.end_line();
        });
        Self { reader, last }
    }

    /// The last line after the program has exited, without secrets, if it wrote any.
    pub(crate) async fn last_line(self) -> Option<String> {
        let _ = tokio::time::timeout(DRAIN, self.reader).await;
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        (!last.is_empty()).then(|| last.clone())
    }
}

struct LineLog {
    server: String,
    redactor: Redactor,
    line: Vec<u8>,
    /// Number of bytes that may still be logged.
    left: usize,
    last: Arc<Mutex<String>>,
}

impl LineLog {
    /// Maximum bytes of a line; the rest is dropped.
    const LINE: usize = 8 * 1024;

    fn add(&mut self, bytes: &[u8]) {
        if self.left == 0 {
            return;
        }
        self.left = self.left.saturating_sub(bytes.len());
        for byte in bytes {
            match byte {
                b'\n' => self.end_line(),
                _ if self.line.len() < Self::LINE => self.line.push(*byte),
                _ => {}
            }
        }
        if self.left == 0 {
            tracing::debug!(server = self.server, "the log limit is reached; further output is not logged");
        }
    }

    fn end_line(&mut self) {
        let line = self.redactor.line(&String::from_utf8_lossy(&self.line));
        self.line.clear();
        if line.is_empty() {
            return;
        }
        tracing::debug!(server = self.server, "{line}");
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }
}
