//! How much of a session the model sees.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use throughline_conversation::View;

use crate::handle::{SessionHandle, SessionWriter};

/// The size of a session's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ViewSize {
    /// Messages in view.
    pub messages: u64,
    /// Tokens of the conversation.
    pub tokens: u64,
}

impl SessionHandle {
    /// The size of the session's present view, in the tokens of its report. Without a report, as before the first request, they are
    /// those of the counter.
    pub async fn view_size(&self, writer: &SessionWriter<'_>, view: &View) -> ViewSize {
        let tokens = match writer {
            SessionWriter::Agent(agent, _) => agent.budget().window_figures().used.conversation,
            SessionWriter::Handle => {
                self.next_window().await.map_or_else(|_| view.tokens(), |window| window.used.conversation)
            }
        };
        ViewSize { messages: view.entries().len() as u64, tokens }
    }
}
