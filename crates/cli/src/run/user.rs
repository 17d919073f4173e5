//! The user of a run: nothing can be asked, and what sub-agents do is printed.

use std::sync::Arc;

use throughline::ports::{Approval, ApprovalRequest, Event, async_trait};
use throughline_session::{Attendance, NoUser, SubAgent, User};

use super::report::Report;

/// Prints events that the sink of the turn does not get.
#[derive(Debug)]
pub(super) struct RunUser(pub(super) Arc<Report>);

#[async_trait]
impl User for RunUser {
    fn attendance(&self) -> Attendance {
        NoUser.attendance()
    }

    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        NoUser.approve(request).await
    }

    fn event(&self, event: Event, agent: Option<&SubAgent>) {
        self.0.event_of(&event, agent);
    }
}
