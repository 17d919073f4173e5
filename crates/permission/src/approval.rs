//! The port that asks the user to approve a call.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::ToolCall;
use throughline_tools::Access;

/// A call that waits for the user's approval.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovalRequest {
    /// The call.
    pub call: ToolCall,
    /// What it does, and to what.
    pub access: Access,
    /// Why approval is needed, for the user.
    pub why: String,
    /// The rule that [`Approval::Always`] remembers, such as `shell(cargo test *)`. `None` if no rule
    /// can be remembered.
    pub rule: Option<String>,
}

/// The user's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Approval {
    /// This call may run.
    Once,
    /// This call may run, and from now on every call that the request's rule matches, in this project.
    Always,
    /// This call may run, and from now on every call that this rule of the user matches, in this project. The request names a
    /// rule, which the user edited. A rule that reaches too far or not far enough is not used: the request comes again and says
    /// why.
    AlwaysBy(String),
    /// This call may not run.
    Deny {
        /// What the user says about it; goes to the model.
        feedback: Option<String>,
    },
}

impl Approval {
    /// The denial of a user, who may say why. The model learns whose words these are: they could be taken for some of the program.
    #[must_use]
    pub fn denied(reason: Option<&str>) -> Self {
        let said = reason.map(str::trim).filter(|said| !said.is_empty());
        Self::Deny { feedback: said.map(|said| format!("The user declined it and says: {said}")) }
    }
}

/// Asks the user.
///
/// # Contract
/// - MUST answer every request, in any order; several may be open at once.
/// - MUST answer [`Approval::Deny`] at once if there is no user to ask.
/// - MUST withdraw the question when the future is dropped.
///
/// # When it fails
/// It denies a call that it cannot ask about, with feedback that says why.
#[async_trait]
pub trait Approver: Debug + Send + Sync {
    /// Asks whether the call may run.
    async fn approve(&self, request: &ApprovalRequest) -> Approval;
}

const _: Option<&dyn Approver> = None;
