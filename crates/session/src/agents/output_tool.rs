//! The tool that reads of sub-agents in the background.

use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use throughline_tools::{Access, CANCELLED, Effect, Tool, ToolContext, ToolOutput, arguments};

use super::background::BackgroundAgents;
use super::background_agent::AgentEnd;

/// Its name.
pub(super) const NAME: &str = "agent_output";

/// Longest wait of a call, in seconds.
const MAX_WAIT: u64 = 600;

/// `agent_output`: the state of a sub-agent in the background, or its report.
#[derive(Debug)]
pub(super) struct AgentOutputTool {
    agents: BackgroundAgents,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    agent: u64,
    #[serde(default)]
    wait_seconds: u64,
    #[serde(default)]
    stop: bool,
}

impl AgentOutputTool {
    pub(super) fn new(agents: BackgroundAgents) -> Self {
        Self { agents }
    }
}

#[async_trait]
impl Tool for AgentOutputTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: NAME.to_owned(),
            description: include_str!("../files/agent_output.md").trim_end().to_owned(),
            input_schema: json!({
                "type": "object",
                "properties": {
                    "agent": { "type": "integer", "description": "Its number." },
                    "wait_seconds": { "type": "integer", "minimum": 0, "maximum": MAX_WAIT },
                    "stop": { "type": "boolean" }
                },
                "required": ["agent"],
                "additionalProperties": false
            }),
            origin: ToolOrigin::Builtin,
        }
    }

    /// It reaches only sub-agents that the session itself started.
    fn access(&self, _call: &ToolCall) -> Access {
        Access::unnamed(Effect::Read)
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let Arguments { agent: number, wait_seconds, stop } =
            match arguments(call, &self.definition().input_schema) {
                Ok(wanted) => wanted,
                Err(output) => return output,
            };
        let Some(agent) = self.agents.get(number) else { return self.unknown(number) };
        let most = Duration::from_secs(if stop { MAX_WAIT } else { wait_seconds.min(MAX_WAIT) });
        let ended = async {
            match stop {
                true => agent.stop(AgentEnd::StoppedByModel).await,
                false => agent.wait().await,
            }
        };
        if !most.is_zero() {
            tokio::select! {
                _ = tokio::time::timeout(most, ended) => {}
                () = context.cancel.cancelled() => return ToolOutput::error(CANCELLED),
            }
        }
        agent.read(number)
    }
}

impl AgentOutputTool {
    fn unknown(&self, number: u64) -> ToolOutput {
        let known = self.agents.list().into_iter().map(|info| {
            format!("{} ({}: {}; {})", info.number, info.kind, info.title, info.ending.unwrap_or("works"))
        });
        let known: Vec<String> = known.collect();
        ToolOutput::error(match known.as_slice() {
            [] => format!(
                "There is no sub-agent {number} in the background. Start one with agent and background: true."
            ),
            known => format!("There is no sub-agent {number}. There are: {}.", known.join(", ")),
        })
    }
}
