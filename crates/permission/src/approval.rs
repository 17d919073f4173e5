//! The port to the user, who says whether a call may run.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::ToolCall;
use throughline_tools::Access;

/// A call that waits for a word of the user.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovalRequest {
    /// The call.
    pub call: ToolCall,
    /// What it does, and to what.
    pub access: Access,
    /// Why it is asked, in words for the user.
    pub why: String,
    /// The rule that [`Approval::Always`] remembers, such as `shell(cargo test *)`. `None`: it cannot be remembered.
    pub rule: Option<String>,
}

/// What the user says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Approval {
    /// This call may run.
    Once,
    /// This call may run, and from now on every call that the request's rule matches, in this project.
    Always,
    /// It may not. What the user says about it goes to the model.
    Deny {
        /// What to do instead.
        feedback: Option<String>,
    },
}

/// Asks the user.
///
/// # Contract
/// - MUST answer every request, in any order; several may wait at once.
/// - MUST answer [`Approval::Deny`] when nobody is there to ask, and at once.
/// - MUST take a dropped future as the end of the question.
///
/// # When it fails
/// It does not; a question that cannot be asked is denied, with feedback that says why.
#[async_trait]
pub trait Approver: Debug + Send + Sync {
    /// Asks whether the call may run.
    async fn approve(&self, request: &ApprovalRequest) -> Approval;
}

const _: Option<&dyn Approver> = None;
