//! The tool that gives a task to a sub-agent.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use throughline_instructions::AgentKind;
use throughline_stored::AGENT_TOOL;
use throughline_tools::{Access, CANCELLED, CancelFlag, Effect, Tool, ToolContext, ToolOutput, arguments};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinError;

use super::AgentStarter;
use super::background::BackgroundAgents;
use super::background_agent::BackgroundAgent;
use super::changes::AgentChanges;
use super::events::AgentEvents;
use super::output_tool;
use super::run::{AgentTask, run};
use super::user::AgentUser;
use crate::agent_kinds::SessionKinds;

/// `agent`: starts a sub-agent and returns its report, or starts one in the background.
#[derive(Debug)]
pub(super) struct AgentTool {
    starter: Arc<AgentStarter>,
    kinds: SessionKinds,
    agents: BackgroundAgents,
    permits: Arc<Semaphore>,
    /// Sub-agents at the same time.
    most: u64,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    agent: String,
    title: String,
    prompt: String,
    #[serde(default)]
    background: bool,
}

impl AgentTool {
    /// `most`: sub-agents at the same time.
    pub(super) fn new(
        starter: AgentStarter,
        kinds: SessionKinds,
        agents: BackgroundAgents,
        most: u64,
    ) -> Self {
        let permits = usize::try_from(most).unwrap_or(1).clamp(1, Semaphore::MAX_PERMITS);
        let permits = Arc::new(Semaphore::new(permits));
        Self { starter: Arc::new(starter), kinds, agents, permits, most }
    }

    /// The task of a call.
    fn task(&self, kind: &AgentKind, wanted: Arguments, call: &ToolCall, context: &ToolContext) -> AgentTask {
        let Arguments { title, prompt, background, .. } = wanted;
        let changes = if background { AgentChanges::default() } else { AgentChanges::of(context) };
        let output = context.output.clone().filter(|_| !background);
        let user = AgentUser::new(&self.starter.user, format!("{}: {title}", kind.name), &changes);
        let events = Arc::new(AgentEvents::new(user.clone(), output, &call.id));
        let (kind, call) = (kind.clone(), call.id.clone());
        AgentTask { kind, title, prompt, call, user, changes, events, opened: None }
    }

    /// Starts a sub-agent that works while the turn continues. Returns when its session is open.
    async fn start(&self, mut task: AgentTask, context: &ToolContext) -> ToolOutput {
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else {
            return ToolOutput::error(format!(
                "{} sub-agents work already, which is the limit of agents.running. Wait for one: {} with wait_seconds.",
                self.most,
                output_tool::NAME
            ));
        };
        let (opened, is_open) = oneshot::channel();
        task.opened = Some(opened);
        let agent =
            BackgroundAgent::new(&task.kind.name, &task.title, &task.call, Some(Arc::clone(&task.events)));
        let (number, agent) = self.agents.add(agent);
        let (starter, working) = (Arc::clone(&self.starter), Arc::clone(&agent));
        tokio::spawn(async move {
            let _permit = permit;
            let work = tokio::spawn(run(Arc::clone(&starter), task, working.cancel.clone()));
            let output = work.await.unwrap_or_else(|error| broken(&error));
            working.end(number, output, starter.user.as_ref());
        });
        let opened = tokio::select! {
            opened = is_open => opened.ok(),
            () = context.cancel.cancelled() => {
                agent.close();
                self.agents.remove(number);
                return ToolOutput::error(CANCELLED);
            }
        };
        match opened {
            Some(()) => ToolOutput::text(agent.begun_text(number)),
            None => {
                agent.wait().await;
                self.agents.remove(number);
                agent.take_output().unwrap_or_else(|| ToolOutput::error("The sub-agent broke down."))
            }
        }
    }
}

#[async_trait]
impl Tool for AgentTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: AGENT_TOOL.to_owned(),
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
                    "prompt": { "type": "string", "description": "The task, with all that is needed to do it." },
                    "background": { "type": "boolean", "description": "Return at once; it works while you continue." }
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
        let is_background = wanted.background;
        let task = self.task(kind, wanted, call, context);
        if is_background {
            return self.start(task, context).await;
        }
        let _permit = tokio::select! {
            permit = Arc::clone(&self.permits).acquire_owned() => permit,
            () = context.cancel.cancelled() => return ToolOutput::error(CANCELLED),
        };
        // In a task of its own, so that a cancelled sub-agent stores its end after this call is dropped.
        let stop = StopOnDrop(CancelFlag::new());
        let mut work = tokio::spawn(run(Arc::clone(&self.starter), task, stop.0.clone()));
        let done = tokio::select! {
            done = &mut work => done,
            () = context.cancel.cancelled() => {
                stop.0.cancel();
                work.await
            }
        };
        done.unwrap_or_else(|error| broken(&error))
    }
}

/// The output of a sub-agent whose task has panicked.
fn broken(error: &JoinError) -> ToolOutput {
    ToolOutput::error(format!("The sub-agent broke down: {error}."))
}

/// Stops the sub-agent with the call.
struct StopOnDrop(CancelFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
