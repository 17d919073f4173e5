//! What stands around every call of a session's tools.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::ToolCall;
use throughline_permission::{Approver, Permissions, guarded};
use throughline_tools::{
    Elicitor, RegistryError, Tool, ToolContext, ToolLayer, ToolOutput, ToolRegistry, layered,
};

use crate::hooks::{HookLayer, HookedApprover, SessionHooks};
use crate::user::{AskedUser, User};

/// What stands around every call, the outermost first: the user's view of it, the hooks, and the permissions.
#[derive(Debug)]
pub(crate) struct CallLayers {
    pub(crate) permissions: Arc<Permissions>,
    pub(crate) user: Arc<dyn User>,
    pub(crate) hooks: Option<Arc<SessionHooks>>,
}

impl CallLayers {
    pub(crate) fn new(
        permissions: &Arc<Permissions>,
        user: &Arc<dyn User>,
        hooks: Option<&Arc<SessionHooks>>,
    ) -> Self {
        Self { permissions: Arc::clone(permissions), user: Arc::clone(user), hooks: hooks.cloned() }
    }

    /// The tools with all layers around their calls.
    pub(crate) fn wrap(&self, tools: &ToolRegistry) -> Result<ToolRegistry, RegistryError> {
        let answered = match self.user.elicitor() {
            Some(elicitor) => &layered(tools, AnsweringUser(elicitor))?,
            None => tools,
        };
        let user: Arc<dyn Approver> = Arc::new(AskedUser(Arc::clone(&self.user)));
        let Some(hooks) = &self.hooks else {
            return self.user.observe_tools(&guarded(answered, &self.permissions, &user)?);
        };
        let approver = HookedApprover { hooks: Arc::clone(hooks), user: Arc::clone(&user) };
        let is_attended = self.user.attendance().is_attended();
        let guarded = guarded(answered, &self.permissions, &(Arc::new(approver) as Arc<dyn Approver>))?;
        self.user
            .observe_tools(&layered(&guarded, HookLayer { hooks: Arc::clone(hooks), user, is_attended })?)
    }
}

/// Lets calls ask the user.
#[derive(Debug)]
struct AnsweringUser(Arc<dyn Elicitor>);

#[async_trait]
impl ToolLayer for AnsweringUser {
    async fn call(&self, tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let context = ToolContext { elicitor: Some(Arc::clone(&self.0)), ..context.clone() };
        tool.call(call, &context).await
    }
}
