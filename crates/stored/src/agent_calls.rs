//! Calls that start sub-agents, in the log of the session that made them.

use throughline_conversation::{Message, Record, RecordBody, SessionId, ToolCall};

use crate::cut_off_calls::cut_off_calls;
use crate::error::Result;
use crate::storage::Storage;

/// The tool that starts sub-agents.
pub const AGENT_TOOL: &str = "agent";

/// Returns true if the call starts a sub-agent that works in the background.
fn is_background(call: &ToolCall) -> bool {
    call.name == AGENT_TOOL && call.input.get("background").is_some_and(|value| value == true)
}

impl Storage {
    /// The sub-agents of calls in these records, whose changes are in logs of their own: those in the background, and those
    /// whose call was cut off.
    pub(crate) async fn separate_agents(
        &self,
        session: &SessionId,
        records: &[&Record],
    ) -> Result<Vec<SessionId>> {
        let said = records.iter().filter_map(|record| match &record.body {
            RecordBody::Message(said) => Some(&said.message),
            _ => None,
        });
        let mut calls: Vec<&ToolCall> =
            said.flat_map(Message::tool_calls).filter(|call| is_background(call)).collect();
        let cut_off = cut_off_calls(records.iter().copied());
        calls.extend(cut_off.into_iter().filter(|call| call.name == AGENT_TOOL));
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        let links = self.agents_of(session).await?;
        let is_one = |link: &str| calls.iter().any(|call| call.id == link);
        Ok(links.into_iter().filter(|link| is_one(&link.call)).map(|link| link.session).collect())
    }
}
