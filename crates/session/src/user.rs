//! The port of a front end: who a session works for.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{Event, EventSink, UserMessages};
use throughline_conversation::Message;
use throughline_permission::{Approval, ApprovalRequest, Approver, Unattended};
use throughline_tools::{Elicitor, RegistryError, ToolRegistry};

use crate::agents::sub_agent::SubAgent;
use crate::permissions::Attendance;

/// The user of a session, or the program that stands between.
///
/// # Contract
/// - MUST answer [`Attendance::Attended`] only if a person can answer: the prompt says so, and the default mode asks.
/// - MUST answer every request for approval, in any order; several may be open at once. MUST deny at once if there is no
///   person to ask, and MUST withdraw the question when the future is dropped.
/// - MUST return a tool for each tool that it is given, with the same definition.
/// - MUST return each message of [`said`](Self::said) once, and not wait for the user there.
/// - MUST NOT block in [`event`](Self::event): the turn waits.
///
/// # When it fails
/// It denies a call that it cannot ask about, with feedback that says why. A failure to wrap the tools fails the opening of the
/// session; nothing has been sent then.
#[async_trait]
pub trait User: Debug + Send + Sync {
    /// Who answers questions: a person, or nothing.
    fn attendance(&self) -> Attendance;

    /// Asks whether a call may run that the permissions do not decide.
    async fn approve(&self, request: &ApprovalRequest) -> Approval;

    /// Wraps the tools, for example to show their calls. The wrapper is outermost: it also sees why a call was denied.
    ///
    /// # Errors
    /// A tool cannot be registered.
    fn observe_tools(&self, tools: &ToolRegistry) -> Result<ToolRegistry, RegistryError> {
        Ok(tools.clone())
    }

    /// Asks what the server of a tool wants to know while a call runs. `None`: such questions cannot be shown. The same one each
    /// time: a question of a server that serves several users is for one of them.
    fn elicitor(&self) -> Option<Arc<dyn Elicitor>> {
        None
    }

    /// Takes what the user said while the turn runs, the oldest first: it is added to the turn behind the results of the calls.
    async fn said(&self) -> Vec<Message> {
        Vec::new()
    }

    /// Receives an event that no sink of a call receives: of a sub-agent, or with `None` of the session itself.
    fn event(&self, _event: Event, _agent: Option<&SubAgent>) {}
}

const _: Option<&dyn User> = None;

/// A session without a person: what the permissions would ask is denied.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoUser;

#[async_trait]
impl User for NoUser {
    fn attendance(&self) -> Attendance {
        Attendance::Unattended
    }

    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        Unattended.approve(request).await
    }
}

/// A user as the permissions ask it.
#[derive(Debug)]
pub(crate) struct AskedUser(pub(crate) Arc<dyn User>);

#[async_trait]
impl Approver for AskedUser {
    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        self.0.approve(request).await
    }
}

#[async_trait]
impl UserMessages for AskedUser {
    async fn take(&self) -> Vec<Message> {
        self.0.said().await
    }
}

/// A user as the receiver of events.
#[derive(Debug)]
pub(crate) struct UserSink(pub(crate) Arc<dyn User>);

impl EventSink for UserSink {
    fn emit(&self, event: Event) {
        self.0.event(event, None);
    }
}
