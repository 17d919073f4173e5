//! The decision in front of each tool.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::{Either, select};
use futures_util::lock::Mutex;
use throughline_conversation::{ToolCall, ToolDefinition};
use throughline_text::error_chain;
use throughline_tools::{
    Access, CANCELLED, Effect, RegistryError, Tool, ToolContext, ToolOutput, ToolRegistry,
};

use crate::{Approval, ApprovalRequest, Approver, Decision, Permissions};

/// The same tools in the same order, each of which runs only what the permissions allow. What has to be asked is asked
/// one question at a time, in whatever order the calls run; a call that is stopped takes its question with it.
///
/// # Errors
/// [`RegistryError`] when a tool changed its definition since it was registered.
pub fn guarded(
    registry: &ToolRegistry,
    permissions: &Arc<Permissions>,
    approver: &Arc<dyn Approver>,
) -> Result<ToolRegistry, RegistryError> {
    let queue = Arc::new(Mutex::new(()));
    let mut all = ToolRegistry::new();
    for tool in registry.names().filter_map(|name| registry.get(name)) {
        all.register(Arc::new(Guarded {
            tool,
            permissions: Arc::clone(permissions),
            approver: Arc::clone(approver),
            queue: Arc::clone(&queue),
        }))?;
    }
    Ok(all)
}

#[derive(Debug)]
struct Guarded {
    tool: Arc<dyn Tool>,
    permissions: Arc<Permissions>,
    approver: Arc<dyn Approver>,
    /// Held while a question is open.
    queue: Arc<Mutex<()>>,
}

#[async_trait]
impl Tool for Guarded {
    fn definition(&self) -> ToolDefinition {
        self.tool.definition()
    }

    fn access(&self, call: &ToolCall) -> Access {
        self.tool.access(call)
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let access = self.tool.access(call);
        let pass = pin!(self.pass(call, &access, context));
        let stopped = pin!(context.cancel.cancelled());
        // A call that is stopped takes its question with it: no late yes may run it. The stop is looked at first, or the
        // question that waits behind this one would be asked when this one goes.
        match select(stopped, pass).await {
            Either::Left(_) => return ToolOutput::error(CANCELLED),
            Either::Right((Ok(()), _)) => {}
            Either::Right((Err(refused), _)) => return refused,
        }
        let real = real_place(&access, &context.workspace);
        match self.permissions.hiding(call, &access, real.as_deref()) {
            None => self.tool.call(call, context).await,
            Some(hiding) => {
                let context = ToolContext { files: Some(Arc::new(hiding)), ..context.clone() };
                self.tool.call(call, &context).await
            }
        }
    }
}

impl Guarded {
    /// Whether the call may run, or what the model reads instead.
    async fn pass(&self, call: &ToolCall, access: &Access, context: &ToolContext) -> Result<(), ToolOutput> {
        let decide = || {
            let real = real_place(access, &context.workspace);
            self.permissions.decide_at(call, access, real.as_deref())
        };
        let settled = |decision: &Decision| match decision {
            Decision::Allow { .. } => Some(Ok(())),
            Decision::Deny { because } => Some(Err(refused(call, because))),
            Decision::Ask { .. } => None,
        };
        if let Some(settled) = settled(&decide()) {
            return settled;
        }
        let _turn = self.queue.lock().await;
        // The answer to the question before may have settled this one.
        let decision = decide();
        if let Some(settled) = settled(&decision) {
            return settled;
        }
        let Decision::Ask { why, rule } = decision else { return Ok(()) };
        let request = ApprovalRequest { call: call.clone(), access: access.clone(), why, rule };
        match self.approver.approve(&request).await {
            Approval::Once => Ok(()),
            Approval::Always => {
                if let Some(rule) = &request.rule
                    && let Err(error) = self.permissions.remember(rule).await
                {
                    let text =
                        format!("the rule {rule:?} holds for this session only: {}", error_chain(&error));
                    self.permissions.complain(text);
                }
                Ok(())
            }
            Approval::Deny { feedback } => Err(denied(call, &request.why, feedback.as_deref())),
        }
    }
}

fn refused(call: &ToolCall, because: &str) -> ToolOutput {
    let name = &call.name;
    ToolOutput::error(format!(
        "The call of {name} was not run: {because}. Do not try to reach the same in another way."
    ))
}

fn denied(call: &ToolCall, why: &str, feedback: Option<&str>) -> ToolOutput {
    let name = &call.name;
    let text = match feedback.map(str::trim).filter(|text| !text.is_empty()) {
        Some(feedback) => {
            format!("The call of {name} was not run; it needs the user's consent ({why}). {feedback}")
        }
        None => format!(
            "The user does not want this call of {name}; it was not run. Do not try to reach the same in another way: \
             go on without it, or ask what is wanted instead."
        ),
    };
    ToolOutput::error(text)
}

/// Where the path of a call really leads, with links followed; its last parts need not exist. `None` when it names no path
/// or cannot be known: then the tool itself will say so.
fn real_place(access: &Access, workspace: &Path) -> Option<PathBuf> {
    if !matches!(access.effect, Effect::Read | Effect::Edit) {
        return None;
    }
    let wanted = workspace.join(access.subject.as_deref()?);
    let (mut there, mut missing) = (wanted.as_path(), Vec::new());
    loop {
        if let Ok(real) = there.canonicalize() {
            return Some(missing.iter().rev().fold(real, |path: PathBuf, name| path.join(name)));
        }
        missing.push(there.file_name()?.to_owned());
        there = there.parent()?;
    }
}

#[cfg(test)]
mod tests;
