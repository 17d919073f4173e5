//! The user of a sub-agent: the same person, who sees which sub-agent asks and works.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use throughline_agent::Event;
use throughline_permission::{Approval, ApprovalRequest};
use throughline_tools::{Elicitor, RegistryError, ToolRegistry, layered};

use super::changes::AgentChanges;
use super::sub_agent::SubAgent;
use crate::permissions::Attendance;
use crate::user::User;

/// The user of one sub-agent.
#[derive(Debug, Clone)]
pub(super) struct AgentUser {
    user: Arc<dyn User>,
    /// Its kind and title.
    name: String,
    changes: AgentChanges,
    /// Not set until its session is open.
    agent: Arc<OnceLock<SubAgent>>,
}

impl AgentUser {
    /// `name`: the kind and the title, for questions.
    pub(super) fn new(user: &Arc<dyn User>, name: String, changes: &AgentChanges) -> Self {
        Self { user: Arc::clone(user), name, changes: changes.clone(), agent: Arc::default() }
    }

    /// The sub-agent; `None` until its session is open.
    pub(super) fn agent(&self) -> Option<&SubAgent> {
        self.agent.get()
    }

    /// From now on its events are those of this sub-agent.
    pub(super) fn begin(&self, agent: SubAgent) {
        let _ = self.agent.set(agent);
    }
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

    fn elicitor(&self) -> Option<Arc<dyn Elicitor>> {
        self.user.elicitor()
    }

    fn event(&self, event: Event, agent: Option<&SubAgent>) {
        // Those of its own sub-agents have their names already.
        if let Some(agent) = agent.or(self.agent.get()) {
            self.user.event(event, Some(agent));
        }
    }
}
