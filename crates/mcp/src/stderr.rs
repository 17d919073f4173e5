//! What a server writes to its error output: for the log, never for the terminal.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;
use tokio::task::JoinHandle;

use crate::bounds;
use crate::redact::Redactor;

/// How long the last words of an ended program may take to come.
const DRAIN: Duration = Duration::from_millis(250);

/// A reader of the error output. It reads to the end whatever happens: a program whose output nobody takes stops.
#[derive(Debug)]
pub(crate) struct Stderr {
    reader: JoinHandle<()>,
    last: Arc<Mutex<String>>,
}

impl Stderr {
    pub(crate) fn follow(mut errors: ChildStderr, server: String, redactor: Redactor) -> Self {
        let last = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&last);
        let reader = tokio::spawn(async move {
            let mut log = Log { server, redactor, line: Vec::new(), left: bounds::STDERR, last: kept };
            let mut buffer = vec![0; 8 * 1024];
            while let Ok(count @ 1..) = errors.read(&mut buffer).await {
                log.take(buffer.get(..count).unwrap_or_default());
            }
            log.end_line();
        });
        Self { reader, last }
    }

    /// The last line, once the program has ended, without secrets. `None`: there was none.
    pub(crate) async fn last_words(self) -> Option<String> {
        let _ = tokio::time::timeout(DRAIN, self.reader).await;
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        (!last.is_empty()).then(|| last.clone())
    }
}

struct Log {
    server: String,
    redactor: Redactor,
    line: Vec<u8>,
    /// Bytes that are still logged.
    left: usize,
    last: Arc<Mutex<String>>,
}

impl Log {
    /// The longest line; the rest of a longer one is thrown away.
    const LINE: usize = 8 * 1024;

    fn take(&mut self, bytes: &[u8]) {
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
            tracing::debug!(server = self.server, "what it writes from here on is not logged");
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
