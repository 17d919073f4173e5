//! Hooks at a question: they may answer it, and the user's hooks learn that the session waits.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_hooks::{HookEvent, HookPermission, Occasion};
use throughline_permission::{Approval, ApprovalRequest, Approver};
use throughline_tools::CancelFlag;

use super::{SessionHooks, lock};

/// Asks the hooks before the user.
#[derive(Debug)]
pub(crate) struct HookedApprover {
    pub(crate) hooks: Arc<SessionHooks>,
    pub(crate) user: Arc<dyn Approver>,
}

#[async_trait]
impl Approver for HookedApprover {
    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        if lock(&self.hooks.allowed).contains(&request.call.id) {
            return Approval::Once;
        }
        let hooks = &self.hooks;
        let occasion = Occasion::permission(&request.call, &request.why, &hooks.workspace);
        match hooks.fire(occasion, &CancelFlag::new()).await.permission {
            Some(HookPermission::Allow) => return Approval::Once,
            Some(HookPermission::Deny(why)) => {
                return Approval::Deny { feedback: Some(format!("A hook declined it: {why}")) };
            }
            Some(HookPermission::Ask(_)) | None => {}
        }
        if hooks.waits_for(HookEvent::Notification) {
            let (hooks, name) = (Arc::clone(hooks), request.call.name.clone());
            // The question does not wait for it.
            tokio::spawn(async move {
                let text = format!("Throughline needs your permission to use {name}");
                hooks.fire(Occasion::notification("permission_prompt", &text), &CancelFlag::new()).await;
            });
        }
        self.user.approve(request).await
    }
}
