//! Asks the user on the screen whether a call may run.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{Event, EventSink as _};
use throughline_conversation::Message;
use throughline_permission::{Approval, ApprovalRequest, Permissions};
use throughline_session::{Attendance, SubAgent, User};
use throughline_tools::{Elicitor, RegistryError, ToolRegistry};
use throughline_tui::Show;
use tokio::sync::oneshot;

use super::excerpt::excerpt;
use super::observed_tools::observed_tools;
use super::screen::Screen;
use super::setup::{Attaching, attacher};

/// The answer, with whose words a reason is.
fn attributed(answer: Approval) -> Approval {
    match answer {
        Approval::Deny { feedback } => Approval::denied(feedback.as_deref()),
        answer => answer,
    }
}

/// Asks on the screen. A closed screen counts as a denial.
#[derive(Debug, Clone)]
pub(super) struct ScreenUser {
    pub(super) screen: Screen,
    /// Where relative paths of calls begin.
    pub(super) workspace: PathBuf,
    pub(super) permissions: Arc<Permissions>,
    pub(super) attaching: Attaching,
    pub(super) elicitor: Arc<dyn Elicitor>,
}

#[async_trait]
impl User for ScreenUser {
    fn attendance(&self) -> Attendance {
        Attendance::Attended
    }

    fn observe_tools(&self, tools: &ToolRegistry) -> Result<ToolRegistry, RegistryError> {
        observed_tools(tools, &self.screen, &self.workspace, &self.permissions)
    }

    fn event(&self, event: Event, agent: Option<&SubAgent>) {
        // What a sub-agent does is shown as the output of its call.
        if agent.is_none() {
            self.screen.emit(event);
        }
    }

    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        let (reply, answer) = oneshot::channel();
        let excerpt = excerpt(&self.workspace, &request.call.name, &request.call.input).await.map(Box::new);
        self.screen.show(Show::Approval { request: request.clone(), excerpt, reply });
        attributed(answer.await.unwrap_or(Approval::Deny { feedback: None }))
    }

    fn elicitor(&self) -> Option<Arc<dyn Elicitor>> {
        Some(Arc::clone(&self.elicitor))
    }

    async fn said(&self) -> Vec<Message> {
        let (reply, taken) = oneshot::channel();
        self.screen.show(Show::TakeQueued { reply });
        let texts = taken.await.unwrap_or_default();
        let files = attacher(&self.attaching);
        let mut messages = Vec::new();
        for text in texts {
            let mut message = Message::user(&text);
            if let Some(files) = &files {
                let notices = files.attach(&mut message, &text).await;
                notices.into_iter().for_each(|text| self.screen.notice(text));
            }
            messages.push(message);
        }
        messages
    }
}

#[cfg(test)]
mod tests;
