//! An embedder as the user of a session.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{Event, EventSink};
use throughline_permission::{Approval, ApprovalRequest, Approver};
use throughline_session::{Attendance, NoUser, SubAgent, User};
use throughline_tools::Elicitor;

/// What answers and listens, as an embedder brings.
pub(super) struct FrontEnd {
    /// `None`: nothing can be asked.
    pub(super) approver: Option<Arc<dyn Approver>>,
    /// `None`: servers of tools can ask nothing.
    pub(super) elicitor: Option<Arc<dyn Elicitor>>,
    pub(super) events: Arc<dyn EventSink>,
}

#[async_trait]
impl User for FrontEnd {
    fn attendance(&self) -> Attendance {
        if self.approver.is_some() { Attendance::Attended } else { Attendance::Unattended }
    }

    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        match &self.approver {
            Some(approver) => approver.approve(request).await,
            None => NoUser.approve(request).await,
        }
    }

    fn elicitor(&self) -> Option<Arc<dyn Elicitor>> {
        self.elicitor.clone()
    }

    fn event(&self, event: Event, agent: Option<&SubAgent>) {
        if agent.is_none() {
            self.events.emit(event);
        }
    }
}

impl fmt::Debug for FrontEnd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("FrontEnd")
            .field("approver", &self.approver)
            .field("elicitor", &self.elicitor)
            .finish_non_exhaustive()
    }
}
