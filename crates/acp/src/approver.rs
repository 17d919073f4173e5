//! Asks the client whether a call may run.

use std::path::Path;
use std::sync::Arc;

use agent_client_protocol::v1::schema::{
    NoticeSeverity, PermissionOption, PermissionOptionKind, RequestPermissionOutcome,
    RequestPermissionRequest, SessionUpdate, ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields,
};
use async_trait::async_trait;
use throughline_agent::Event;
use throughline_conversation::ToolCall;
use throughline_permission::{Approval, ApprovalRequest};
use throughline_session::{Attendance, SubAgent, User};
use throughline_text::plain;
use throughline_tools::{Effect, Elicitor, RegistryError, ToolRegistry};

use crate::calls::{asked_diffs, diff_content, kind, locations, shown_text, text_content, title};
use crate::link::Link;
use crate::observed_tools::observed_tools;

const ONCE: &str = "once";
const ALWAYS: &str = "always";
const DENY: &str = "deny";

/// A file that a new content replaces is shown up to this size in bytes.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Asks by a request of the protocol. A client that cancels, that is gone, or that answers with anything else has denied the
/// call.
#[derive(Debug)]
pub(crate) struct EditorUser {
    pub(crate) link: Arc<Link>,
}

#[async_trait]
impl User for EditorUser {
    fn attendance(&self) -> Attendance {
        Attendance::Attended
    }

    fn observe_tools(&self, tools: &ToolRegistry) -> Result<ToolRegistry, RegistryError> {
        observed_tools(tools, &self.link)
    }

    fn elicitor(&self) -> Option<Arc<dyn Elicitor>> {
        let link: Arc<dyn Elicitor> = Arc::clone(&self.link) as _;
        self.link.editor.elicitations().map(|_| link)
    }

    fn event(&self, event: Event, agent: Option<&SubAgent>) {
        // What a sub-agent does is shown as the output of its call.
        if let (Event::Notice(text), None) = (&event, agent) {
            self.link.notice(NoticeSeverity::Info, text);
        }
    }

    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        let question = self.question(request).await;
        let answer = self.link.editor.ask(question).await;
        let approval = match answer {
            Ok(RequestPermissionOutcome::Selected(selected)) => match &*selected.option_id.0 {
                ONCE => Approval::Once,
                ALWAYS if request.rule.is_some() => Approval::Always,
                _ => Approval::Deny { feedback: None },
            },
            Ok(_) => Approval::Deny { feedback: None },
            Err(error) => {
                if self.link.editor.connection.is_incoming_closed() {
                    // The turn ends: the model's next answer would have no reader.
                    self.link.cancel();
                }
                Approval::Deny { feedback: Some(format!("The user could not be asked: {}.", error.message)) }
            }
        };
        if !matches!(approval, Approval::Deny { .. }) {
            self.status(&request.call, ToolCallStatus::InProgress);
        }
        approval
    }
}

impl EditorUser {
    async fn question(&self, request: &ApprovalRequest) -> RequestPermissionRequest {
        let ApprovalRequest { call, access, why, rule } = request;
        let workspace = &self.link.workspace;
        let diffs = asked_diffs(call, workspace, current(call, workspace).await);
        let command = access.subject.as_ref().filter(|_| access.effect == Effect::Command);
        let content = std::iter::once(shown_text(plain(why)))
            .chain(command.map(|command| text_content(&plain(command))))
            .chain(diff_content(diffs))
            .collect::<Vec<_>>();
        let fields = ToolCallUpdateFields::new()
            .title(title(call))
            .kind(kind(call, Some(access)))
            .status(ToolCallStatus::Pending)
            .locations(locations(call, Some(access), workspace))
            .raw_input(call.input.clone())
            .content(content);
        let option = |id: &str, name: String, kind| PermissionOption::new(id.to_owned(), name, kind);
        let mut options = vec![option(ONCE, "Allow once".to_owned(), PermissionOptionKind::AllowOnce)];
        options.extend(rule.as_ref().map(|rule| {
            option(ALWAYS, format!("Always allow {}", plain(rule)), PermissionOptionKind::AllowAlways)
        }));
        options.push(option(DENY, "Reject".to_owned(), PermissionOptionKind::RejectOnce));
        RequestPermissionRequest::new(self.link.id(), ToolCallUpdate::new(call.id.clone(), fields), options)
    }

    fn status(&self, call: &ToolCall, status: ToolCallStatus) {
        let fields = ToolCallUpdateFields::new().status(status);
        self.link.update(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(call.id.clone(), fields)));
    }
}

/// The content of the file that a call replaces as a whole; `None`: it cannot be shown, or there is no such file.
async fn current(call: &ToolCall, workspace: &Path) -> Option<String> {
    call.input.get("content")?;
    let file = workspace.join(call.input.get("path")?.as_str()?);
    tokio::fs::metadata(&file).await.ok().filter(|data| data.is_file() && data.len() <= MAX_FILE_BYTES)?;
    tokio::fs::read_to_string(&file).await.ok()
}
