//! The user of a sub-agent: the same person, who sees which sub-agent asks.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_permission::{Approval, ApprovalRequest};
use throughline_tools::{RegistryError, ToolRegistry, layered};

use super::changes::AgentChanges;
use crate::permissions::Attendance;
use crate::user::User;

/// The user of one sub-agent.
#[derive(Debug)]
pub(super) struct AgentUser {
    pub(super) user: Arc<dyn User>,
    /// Its kind and title.
    pub(super) name: String,
    pub(super) changes: AgentChanges,
}

#[async_trait]
impl User for AgentUser {
    fn attendance(&self) -> Attendance {
        self.user.attendance()
    }

    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        let why = format!("{} (sub-agent {})", request.why, self.name);
        self.user.approve(&ApprovalRequest { why, ..request.clone() }).await
    }

    fn observe_tools(&self, tools: &ToolRegistry) -> Result<ToolRegistry, RegistryError> {
        layered(tools, self.changes.clone())
    }
}
