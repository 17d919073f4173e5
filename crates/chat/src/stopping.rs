//! Ends sub-agents in the background before an undo.

use throughline_conversation::{ExchangeId, GroupStatus, RecordBody};
use throughline_text::error_chain;

use super::driver::Driver;

impl Driver {
    /// Ends the sub-agents in the background that this turn or a later one has started: what they change is about to be undone.
    /// `None`: the last turn.
    pub(super) async fn stop_agents_since(&self, turn: Option<ExchangeId>) {
        let Some(live) = &self.live else { return };
        let agents = &live.session.agents;
        if agents.list().iter().all(|agent| agent.ending.is_some()) {
            return;
        }
        let groups = live.session.agent.view().groups();
        let records = match self.setup.data.records(&live.session.info.id).await {
            Ok(records) => records,
            Err(error) => return self.setup.screen.problem(error_chain(&error)),
        };
        let said = records.iter().filter_map(|record| match &record.body {
            RecordBody::Message(said) => Some((record.exchange, &said.message)),
            _ => None,
        });
        let is_live = |turn: ExchangeId| groups.status(turn) == GroupStatus::Live;
        let last = said.clone().map(|(turn, _)| turn).filter(|turn| is_live(*turn)).max();
        let Some(first) = turn.or(last) else { return };
        let calls = said.filter(|(turn, _)| *turn >= first).flat_map(|(_, message)| message.tool_calls());
        let calls: Vec<&str> = calls.map(|call| call.id.as_str()).collect();
        agents.stop_started_by(&calls).await;
    }
}
