//! Asks the user on the screen whether a call may run.

use async_trait::async_trait;
use throughline_permission::{Approval, ApprovalRequest, Approver};
use throughline_tui::Show;
use tokio::sync::oneshot;

use super::screen::Screen;

/// Asks on the screen. A closed screen counts as a denial.
#[derive(Debug, Clone)]
pub(super) struct ScreenApprover(pub(super) Screen);

#[async_trait]
impl Approver for ScreenApprover {
    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        let (reply, answer) = oneshot::channel();
        self.0.show(Show::Approval { request: request.clone(), reply });
        answer.await.unwrap_or(Approval::Deny { feedback: None })
    }
}
