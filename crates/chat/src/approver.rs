//! Asks the user on the screen whether a call may run.

use std::path::PathBuf;

use async_trait::async_trait;
use serde_json::Value;
use throughline_agent::{Event, EventSink as _};
use throughline_conversation::Message;
use throughline_permission::{Approval, ApprovalRequest};
use throughline_session::{Attendance, User};
use throughline_stored::InputHistory;
use throughline_text::error_chain;
use throughline_tools::{RegistryError, ToolRegistry};
use throughline_tui::{EditExcerpt, Show};
use tokio::sync::oneshot;

use super::observed_tools::observed_tools;
use super::screen::Screen;
use super::setup::{Attaching, attacher};

/// Lines before and after a change that are shown with it.
const AROUND: usize = 3;
/// Larger files are not read for a question, in bytes.
const MAX_FILE_BYTES: u64 = 2_000_000;

/// Asks on the screen. A closed screen counts as a denial.
#[derive(Debug, Clone)]
pub(super) struct ScreenUser {
    pub(super) screen: Screen,
    /// Where relative paths of calls begin.
    pub(super) workspace: PathBuf,
    /// The input for later sessions.
    pub(super) inputs: InputHistory,
    pub(super) attaching: Attaching,
}

#[async_trait]
impl User for ScreenUser {
    fn attendance(&self) -> Attendance {
        Attendance::Attended
    }

    fn observe_tools(&self, tools: &ToolRegistry) -> Result<ToolRegistry, RegistryError> {
        observed_tools(tools, &self.screen)
    }

    fn event(&self, event: Event) {
        self.screen.emit(event);
    }

    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        let (reply, answer) = oneshot::channel();
        let excerpt = self.excerpt(request).await.map(Box::new);
        self.screen.show(Show::Approval { request: request.clone(), excerpt, reply });
        answer.await.unwrap_or(Approval::Deny { feedback: None })
    }

    async fn said(&self) -> Vec<Message> {
        let (reply, taken) = oneshot::channel();
        self.screen.show(Show::TakeQueued { reply });
        let texts = taken.await.unwrap_or_default();
        for text in &texts {
            if let Err(error) = self.inputs.record(text) {
                self.screen.notice(format!(
                    "This input cannot be recorded for later sessions: {}.",
                    error_chain(&error)
                ));
            }
        }
        let files = attacher(&self.attaching);
        let mut messages = Vec::new();
        for text in texts {
            let mut message = Message::user(&text);
            if let Some(files) = &files {
                files.attach(&mut message, &text, &self.screen).await;
            }
            messages.push(message);
        }
        messages
    }
}

impl ScreenUser {
    /// What a call changes, in its place in the file; `None` if the file cannot be read, or the change is of another kind.
    async fn excerpt(&self, request: &ApprovalRequest) -> Option<EditExcerpt> {
        let input = &request.call.input;
        let file = self.workspace.join(input.get("path")?.as_str()?);
        let size = tokio::fs::metadata(&file).await.ok().filter(std::fs::Metadata::is_file)?.len();
        if size > MAX_FILE_BYTES {
            return None;
        }
        let content = tokio::fs::read_to_string(&file).await.ok()?;
        match request.call.name.as_str() {
            "edit_file" => edited(&content, input),
            "write_file" => {
                let new = input.get("content")?.as_str()?.to_owned();
                Some(EditExcerpt { first_line: 1, old: content, new })
            }
            _ => None,
        }
    }
}

/// The lines around the first place of an edit's text. `None` if the text is not in the file.
fn edited(content: &str, input: &Value) -> Option<EditExcerpt> {
    let text = |key: &str| input.get(key).and_then(Value::as_str);
    let (old, new) = (text("old_string").filter(|old| !old.is_empty())?, text("new_string")?);
    let at = content.find(old)?;
    let (before, rest) = content.split_at_checked(at)?;
    let after = rest.get(old.len()..)?;
    let from = start_of_lines(before, AROUND);
    let upto = end_of_lines(after, AROUND);
    let (lead, trail) = (before.get(from..)?, after.get(..upto)?);
    let first_line = before.get(..from)?.matches('\n').count() + 1;
    Some(EditExcerpt { first_line, old: format!("{lead}{old}{trail}"), new: format!("{lead}{new}{trail}") })
}

/// Where the line begins that is this many lines before the end of a text.
fn start_of_lines(text: &str, lines: usize) -> usize {
    text.rmatch_indices('\n').nth(lines).map_or(0, |(at, _)| at + 1)
}

/// Where the line ends that is this many lines behind the start of a text.
fn end_of_lines(text: &str, lines: usize) -> usize {
    text.match_indices('\n').nth(lines).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests;
