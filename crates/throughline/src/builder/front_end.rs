//! An embedder as the user of a session.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{Event, EventSink};
use throughline_permission::{Approval, ApprovalRequest, Approver};
use throughline_session::{Attendance, NoUser, SubAgent, User};

/// The approver and the listener that an embedder brings.
pub(super) struct FrontEnd {
    /// `None`: nothing can be asked.
    pub(super) approver: Option<Arc<dyn Approver>>,
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

    fn event(&self, event: Event, agent: Option<&SubAgent>) {
        if agent.is_none() {
            self.events.emit(event);
        }
    }
}

impl fmt::Debug for FrontEnd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("FrontEnd").field("approver", &self.approver).finish_non_exhaustive()
    }
}
