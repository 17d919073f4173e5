//! Guards each tool with a permission decision.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::{Either, select};
use futures_util::lock::Mutex;
use throughline_conversation::ToolCall;
use throughline_text::error_chain;
use throughline_tools::{
    Access, Effect, FileGuard, NO_OTHER_WAY, RegistryError, TargetError, Tool, ToolContext, ToolLayer,
    ToolOutput, ToolRegistry, layered, resolve_target,
};

use crate::approval::{Approval, ApprovalRequest, Approver};
use crate::decision::Decision;
use crate::permissions::Permissions;

/// Wraps each tool of a registry so that it runs only calls that the permissions allow. The order of the tools is the same.
/// Approval is requested for one call at a time, even if calls run concurrently; a cancelled call withdraws its question.
///
/// # Errors
/// [`RegistryError`] when a tool changed its definition since it was registered.
pub fn guarded(
    registry: &ToolRegistry,
    permissions: &Arc<Permissions>,
    approver: &Arc<dyn Approver>,
) -> Result<ToolRegistry, RegistryError> {
    let guard =
        Guard { permissions: Arc::clone(permissions), approver: Arc::clone(approver), queue: Mutex::new(()) };
    layered(registry, guard)
}

#[derive(Debug)]
struct Guard {
    permissions: Arc<Permissions>,
    approver: Arc<dyn Approver>,
    /// Locked while a question is open.
    queue: Mutex<()>,
}

#[async_trait]
impl ToolLayer for Guard {
    async fn call(&self, tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let access = tool.access(call);
        let check = pin!(self.decide(tool, call, &access, context));
        let stopped = pin!(context.cancel.cancelled());
        // A cancelled call withdraws its question, and a late approval must not run it. Cancellation is polled first:
        // otherwise the next waiting question would be asked when this one is withdrawn.
        let decided = match select(stopped, check).await {
            Either::Left(_) => {
                let text = format!("The call of {} was not run: the turn was stopped first.", call.name);
                return ToolOutput::error(text);
            }
            Either::Right((Err(refused), _)) => return refused,
            Either::Right((Ok(decided), _)) => decided,
        };
        self.permissions.grant_folder(&access, real_path(decided.as_ref()));
        let hidden = self.permissions.hidden_files(call, &access, real_path(decided.as_ref()));
        let files =
            hidden.map(|hidden| Arc::new(hidden) as Arc<dyn FileGuard>).or_else(|| context.files.clone());
        // The tool opens the path that was decided about, even if the path of the call leads elsewhere by now.
        let context = ToolContext { files, target: decided, ..context.clone() };
        tool.call(call, &context).await
    }
}

impl Guard {
    /// Checks that the call may run. Returns where its path leads, if it has one, by which it was decided. The error is
    /// the call's output for the model.
    async fn decide(
        &self,
        tool: &dyn Tool,
        call: &ToolCall,
        access: &Access,
        context: &ToolContext,
    ) -> Result<Option<Target>, ToolOutput> {
        let decide = || {
            let target = target(access, &context.workspace);
            (self.permissions.decide_at(call, access, real_path(target.as_ref())), target)
        };
        let settled = |(decision, target): (Decision, Option<Target>)| match decision {
            Decision::Allow { .. } => ControlFlow::Break(Ok(target)),
            Decision::Deny { because } => ControlFlow::Break(Err(refused(call, &because))),
            Decision::Ask { why, rule } => ControlFlow::Continue((why, rule, target)),
        };
        if let ControlFlow::Break(settled) = settled(decide()) {
            return settled;
        }
        let _turn = self.queue.lock().await;
        // The answer to the previous question may have settled this one.
        let (why, rule, target) = match settled(decide()) {
            ControlFlow::Break(settled) => return settled,
            ControlFlow::Continue(question) => question,
        };
        // A call that cannot succeed is not put to the user.
        tool.check(call, &ToolContext { target: target.clone(), ..context.clone() }).await?;
        let mut request = ApprovalRequest { call: call.clone(), access: access.clone(), why, rule };
        loop {
            match self.approver.approve(&request).await {
                Approval::Once => return Ok(target),
                Approval::Always => {
                    if let Some(rule) = &request.rule {
                        self.remember(rule).await;
                    }
                    return Ok(target);
                }
                Approval::AlwaysBy(text) => {
                    let real = real_path(target.as_ref());
                    match self.permissions.check_edited(&text, call, access, real) {
                        Ok(rule) => {
                            self.remember(&rule).await;
                            return Ok(target);
                        }
                        Err(why) => request.why = format!("the rule {text} is not used: {why}"),
                    }
                }
                Approval::Deny { feedback } => return Err(denied(call, &request.why, feedback.as_deref())),
            }
        }
    }

    /// Remembers a rule. It applies to this session even if it cannot be saved.
    async fn remember(&self, rule: &str) {
        if let Err(error) = self.permissions.remember(rule).await {
            let text = format!("the rule {rule:?} applies to this session only: {}", error_chain(&error));
            self.permissions.report_problem(text);
        }
    }
}

fn refused(call: &ToolCall, because: &str) -> ToolOutput {
    let name = &call.name;
    let because = because.trim_end_matches('.');
    ToolOutput::error(format!("The call of {name} was not run: {because}. {NO_OTHER_WAY}."))
}

fn denied(call: &ToolCall, why: &str, feedback: Option<&str>) -> ToolOutput {
    let name = &call.name;
    let text = match feedback.map(str::trim).filter(|text| !text.is_empty()) {
        Some(feedback) => {
            format!("The call of {name} was not run; it needs the user's consent ({why}). {feedback}")
        }
        None => format!(
            "The user declined this call of {name}; it was not run. {NO_OTHER_WAY}: continue without it, or ask what is wanted \
             instead."
        ),
    };
    ToolOutput::error(text)
}

/// Where the path of a call leads.
type Target = Result<PathBuf, TargetError>;

/// Where the path of a call leads; `None` if it has no path. A path that leads nowhere is reported by the tool.
fn target(access: &Access, workspace: &Path) -> Option<Target> {
    let path = access.subject.as_deref()?;
    matches!(access.effect, Effect::Read | Effect::Edit).then(|| resolve_target(workspace, path))
}

fn real_path(target: Option<&Target>) -> Option<&Path> {
    target?.as_deref().ok()
}

#[cfg(test)]
mod tests;
