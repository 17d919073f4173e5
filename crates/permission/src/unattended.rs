//! The approver of a session without a user.

use async_trait::async_trait;

use crate::approval::{Approval, ApprovalRequest, Approver};

/// Denies every call that needs approval, and names the rule that would allow it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unattended;

#[async_trait]
impl Approver for Unattended {
    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        let rule = request.rule.as_deref().unwrap_or(&request.call.name);
        let feedback = format!(
            "This session has no user to ask. Continue without it where you can, and say in your answer what it was needed for. \
             The user can allow it with the rule {rule:?} in `allow` of [permissions], or allow everything with \
             --mode yolo."
        );
        Approval::Deny { feedback: Some(feedback) }
    }
}
