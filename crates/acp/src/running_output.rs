//! The output of a command while it runs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agent_client_protocol::v1::schema::{SessionUpdate, ToolCallUpdate, ToolCallUpdateFields};
use throughline_tools::OutputSink;

use crate::calls::text_content;
use crate::link::Link;

/// Maximum bytes that are shown: the newest.
const SHOWN: usize = 8 * 1024;

/// Time between two updates of a call.
const PAUSE: Duration = Duration::from_millis(250);

/// Shows the newest output of a call, at most so often. The result of the call has all of it.
#[derive(Debug)]
pub(crate) struct RunningOutput {
    link: Arc<Link>,
    state: Mutex<OutputState>,
}

#[derive(Debug, Default)]
struct OutputState {
    newest: Vec<u8>,
    /// When it was shown last.
    shown: Option<Instant>,
}

impl RunningOutput {
    pub(crate) fn new(link: Arc<Link>) -> Self {
        Self { link, state: Mutex::default() }
    }

    /// Takes a part, and returns the text to show; `None`: it was shown just now.
    fn take(&self, part: &[u8], now: Instant) -> Option<String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.newest.extend_from_slice(part);
        let surplus = state.newest.len().saturating_sub(SHOWN);
        state.newest.drain(..surplus);
        if state.shown.is_some_and(|shown| now.saturating_duration_since(shown) < PAUSE) {
            return None;
        }
        state.shown = Some(now);
        Some(String::from_utf8_lossy(&state.newest).into_owned())
    }
}

impl OutputSink for RunningOutput {
    fn output(&self, call_id: &str, part: &[u8]) {
        let Some(text) = self.take(part, Instant::now()) else { return };
        let fields = ToolCallUpdateFields::new().content(vec![text_content(&text)]);
        self.link.update(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(call_id.to_owned(), fields)));
    }
}
