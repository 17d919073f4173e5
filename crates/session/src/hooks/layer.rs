//! Hooks around the calls of tools.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use async_trait::async_trait;
use throughline_conversation::ToolCall;
use throughline_hooks::{HookAnswer, HookEvent, HookPermission, Occasion, own_input};
use throughline_permission::{Approval, ApprovalRequest, Approver};
use throughline_tools::{CANCELLED, NO_OTHER_WAY, Tool, ToolContext, ToolLayer, ToolOutput};

use super::followed::FollowedChanges;
use super::{SessionHooks, lock, tagged};

/// Runs hooks before and after each call. They decide before the permissions do; a rule that denies a call still denies it.
#[derive(Debug)]
pub(crate) struct HookLayer {
    pub(crate) hooks: Arc<SessionHooks>,
    pub(crate) user: Arc<dyn Approver>,
    /// The user can be asked.
    pub(crate) is_attended: bool,
}

#[async_trait]
impl ToolLayer for HookLayer {
    async fn call(&self, tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let (hooks, workspace) = (&self.hooks, &context.workspace);
        hooks.continued.store(0, Ordering::Relaxed);
        let before = match hooks.waits_for(HookEvent::PreToolUse) {
            true => hooks.fire(Occasion::before_tool(call, workspace), &context.cancel).await,
            false => HookAnswer::default(),
        };
        if context.cancel.is_cancelled() {
            return ToolOutput::error(CANCELLED);
        }
        let call = match &before.input {
            Some(changed) => &ToolCall { input: own_input(&call.name, changed, workspace), ..call.clone() },
            None => call,
        };
        if let Err(refused) = self.decide(tool, call, &before, context).await {
            return refused;
        }
        let began = Instant::now();
        let event_ends = [HookEvent::PostToolUse, HookEvent::PostToolUseFailure];
        let scope = hooks.files.get().filter(|_| event_ends.into_iter().any(|event| hooks.waits_for(event)));
        let followed = scope.map(|scope| FollowedChanges::new(scope, context));
        let output = match &followed {
            Some(followed) => tool.call(call, &followed.context(context)).await,
            None => tool.call(call, context).await,
        };
        lock(&hooks.allowed).remove(&call.id);
        let event = if output.is_error { HookEvent::PostToolUseFailure } else { HookEvent::PostToolUse };
        let after = match hooks.waits_for(event) && !context.cancel.is_cancelled() {
            true => {
                let text = output.to_text();
                let occasion = Occasion::after_tool(call, workspace, &text, output.is_error, began.elapsed());
                hooks.fire(occasion, &context.cancel).await
            }
            false => HookAnswer::default(),
        };
        self.stop(&after, context);
        let mut output = completed(output, event, &before, after);
        if let Some(followed) = followed {
            for text in followed.follow(&mut output).await {
                output.bytes.extend(format!("\n{text}").into_bytes());
            }
        }
        output
    }
}

impl HookLayer {
    /// Decides about a call by what the hooks say before it. The error is the call's output.
    async fn decide(
        &self,
        tool: &dyn Tool,
        call: &ToolCall,
        said: &HookAnswer,
        context: &ToolContext,
    ) -> Result<(), ToolOutput> {
        if let Some(why) = self.stop(said, context) {
            let text = format!("The call of {} was not run: a hook ended the turn: {why}", call.name);
            return Err(ToolOutput::error(text));
        }
        match &said.permission {
            None => {}
            Some(HookPermission::Deny(why)) => return Err(refused(call, why)),
            Some(HookPermission::Allow) => self.allow(call),
            Some(HookPermission::Ask(why)) => {
                if !self.is_attended {
                    return Err(unasked(call, why));
                }
                let access = tool.access(call);
                let request = ApprovalRequest { call: call.clone(), access, why: why.clone(), rule: None };
                match self.user.approve(&request).await {
                    Approval::Deny { feedback } => {
                        return Err(refused(call, feedback.as_deref().unwrap_or("the user declined it")));
                    }
                    _ => self.allow(call),
                }
            }
        }
        Ok(())
    }

    fn allow(&self, call: &ToolCall) {
        lock(&self.hooks.allowed).insert(call.id.clone());
    }

    /// Ends the turn if a hook wants that. Returns the reason if it does.
    fn stop<'a>(&self, said: &'a HookAnswer, context: &ToolContext) -> Option<&'a str> {
        let why = said.stop.as_deref()?;
        self.hooks.hooks.say([format!("a hook ended the turn: {why}")]);
        lock(&self.hooks.stop).get_or_insert_with(|| why.to_owned());
        context.cancel.cancel();
        Some(why)
    }
}

fn refused(call: &ToolCall, why: &str) -> ToolOutput {
    let name = &call.name;
    ToolOutput::error(format!("The call of {name} was not run; a hook declined it: {why}\n{NO_OTHER_WAY}."))
}

/// The output of a call that a hook wants to be asked about where there is no user.
fn unasked(call: &ToolCall, why: &str) -> ToolOutput {
    let (name, why) = (&call.name, why.trim().trim_end_matches('.'));
    ToolOutput::error(format!(
        "The call of {name} was not run: a hook asks for the user's consent ({why}), and this session has no user. {NO_OTHER_WAY}; \
         say in your answer what it was needed for."
    ))
}

/// The output with what the hooks say about the call.
fn completed(output: ToolOutput, event: HookEvent, before: &HookAnswer, after: HookAnswer) -> ToolOutput {
    let mut output = output;
    if let Some(text) = after.output {
        output.bytes = text.into_bytes();
    }
    let said = before.context_text().map(|text| tagged(HookEvent::PreToolUse, &text));
    let later: Vec<String> = after.block.into_iter().chain(after.context).collect();
    let later = (!later.is_empty()).then(|| tagged(event, &later.join("\n")));
    for text in said.into_iter().chain(later) {
        output.bytes.extend(format!("\n{text}").into_bytes());
    }
    output
}
