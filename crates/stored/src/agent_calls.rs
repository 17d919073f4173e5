//! Calls that start sub-agents, in the log of the session that made them.

use throughline_conversation::{ExchangeId, Message, Record, RecordBody, SessionId, ToolCall};

use crate::error::Result;
use crate::handle::SessionHandle;

/// The tool that starts sub-agents.
pub const AGENT_TOOL: &str = "agent";

/// Returns true if the call starts a sub-agent that works in the background.
fn is_background(call: &ToolCall) -> bool {
    call.name == AGENT_TOOL && call.input.get("background").is_some_and(|value| value == true)
}

impl SessionHandle {
    /// The sub-agents that calls of these turns started in the background. What they change is in logs of their own.
    pub(crate) async fn background_agents(
        &self,
        records: &[Record],
        turns: impl Fn(ExchangeId) -> bool,
    ) -> Result<Vec<SessionId>> {
        let said =
            records.iter().filter(|record| turns(record.exchange)).filter_map(|record| match &record.body {
                RecordBody::Message(said) => Some(&said.message),
                _ => None,
            });
        let calls = said.flat_map(Message::tool_calls).filter(|call| is_background(call));
        let calls: Vec<&str> = calls.map(|call| call.id.as_str()).collect();
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        let links = self.storage.agents_of(&self.session).await?;
        Ok(links
            .into_iter()
            .filter(|link| calls.contains(&link.call.as_str()))
            .map(|link| link.session)
            .collect())
    }
}
