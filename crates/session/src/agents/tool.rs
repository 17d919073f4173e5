//! The tool that gives a task to a sub-agent.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use throughline_tools::{Access, CANCELLED, CancelFlag, Effect, Tool, ToolContext, ToolOutput, arguments};
use tokio::sync::Semaphore;

use super::AgentStarter;
use super::changes::AgentChanges;
use super::events::AgentEvents;
use super::run::{AgentTask, run};
use crate::agent_kinds::SessionKinds;

/// Its name.
pub(crate) const NAME: &str = "agent";

/// `agent`: starts a sub-agent and returns its report.
#[derive(Debug)]
pub(super) struct AgentTool {
    starter: Arc<AgentStarter>,
    kinds: SessionKinds,
    permits: Arc<Semaphore>,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    agent: String,
    title: String,
    prompt: String,
}

impl AgentTool {
    pub(super) fn new(starter: AgentStarter, kinds: SessionKinds, permits: Arc<Semaphore>) -> Self {
        Self { starter: Arc::new(starter), kinds, permits }
    }
}

#[async_trait]
impl Tool for AgentTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: NAME.to_owned(),
            description: format!(
                "{}\n{}",
                include_str!("../files/agent_tool.md").trim_end(),
                self.kinds.lines()
            ),
            input_schema: json!({
                "type": "object",
                "properties": {
                    "agent": { "type": "string", "enum": self.kinds.names(), "description": "The kind of sub-agent." },
                    "title": { "type": "string", "description": "The task in three to six words, for the user." },
                    "prompt": { "type": "string", "description": "The task, with all that is needed to do it." }
                },
                "required": ["agent", "title", "prompt"],
                "additionalProperties": false
            }),
            origin: ToolOrigin::Builtin,
        }
    }

    /// Starting one changes nothing: each of its calls is decided about by itself.
    fn access(&self, _call: &ToolCall) -> Access {
        Access::unnamed(Effect::Read)
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &self.definition().input_schema) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        let Some(kind) = self.kinds.get(&wanted.agent) else {
            let names = self.kinds.names().join(", ");
            return ToolOutput::error(format!(
                "There is no sub-agent {:?}. There are: {names}.",
                wanted.agent
            ));
        };
        if wanted.prompt.trim().is_empty() {
            return ToolOutput::error("The prompt is empty. Write what the sub-agent should do.");
        }
        let _permit = tokio::select! {
            permit = Arc::clone(&self.permits).acquire_owned() => permit,
            () = context.cancel.cancelled() => return ToolOutput::error(CANCELLED),
        };
        let task = AgentTask {
            kind: kind.clone(),
            title: wanted.title,
            prompt: wanted.prompt,
            call: call.id.clone(),
            changes: AgentChanges::of(context),
            events: AgentEvents::new(context.output.clone(), &call.id),
        };
        // In a task of its own, so that a cancelled sub-agent stores its end after this call is dropped.
        let stop = StopOnDrop(CancelFlag::new());
        let work = tokio::spawn(run(Arc::clone(&self.starter), task, stop.0.clone()));
        tokio::pin!(work);
        let cancelled = async {
            context.cancel.cancelled().await;
            stop.0.cancel();
            std::future::pending::<()>().await;
        };
        tokio::select! {
            done = &mut work => done.unwrap_or_else(|error| ToolOutput::error(format!("The sub-agent broke down: {error}."))),
            () = cancelled => ToolOutput::error(CANCELLED),
        }
    }
}

/// Stops the sub-agent with the call.
struct StopOnDrop(CancelFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
