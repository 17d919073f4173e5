//! The role of a session that works for another one.

use std::collections::BTreeSet;
use std::sync::Arc;

use throughline_conversation::SessionId;
use throughline_stored::SpendingLimits;

/// What makes a session one of a sub-agent. Only another session makes it.
#[derive(Debug, Clone)]
pub struct AgentRole {
    /// The session that it works for.
    pub(crate) parent: SessionId,
    /// The user's session at the beginning of the chain of sub-agents.
    pub(crate) user_session: SessionId,
    /// The call that began it.
    pub(crate) call: String,
    /// Its kind.
    pub(crate) kind: String,
    /// 1: a user's own session has started it.
    pub(crate) depth: u64,
    /// The tools that it has; `None`: all.
    pub(crate) tools: Option<BTreeSet<String>>,
    /// The limits of the session that it works for.
    pub(crate) spending: Option<Arc<SpendingLimits>>,
}

impl AgentRole {
    /// Returns true if its kind has this tool.
    pub(crate) fn has(&self, tool: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.contains(tool))
    }
}
