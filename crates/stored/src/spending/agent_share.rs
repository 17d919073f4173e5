//! What a sub-agent at work has spent of the limits of the session that it works for.

use std::sync::Arc;

use throughline_agent::SpendingError;
use throughline_completion::{Cost, Price};
use throughline_conversation::ModelUse;

use super::{SpendingLimits, at_least};

/// The share of one sub-agent. Dropping it ends the count: the session has recorded the cost by then, or is about to.
#[derive(Debug)]
pub(super) struct AgentShare {
    parent: Arc<SpendingLimits>,
    number: u64,
}

impl AgentShare {
    pub(super) fn of(parent: &Arc<SpendingLimits>) -> Self {
        let mut spent = parent.spent();
        let number = spent.agents.last_key_value().map_or(0, |(last, _)| last + 1);
        spent.agents.insert(number, Cost::default());
        drop(spent);
        Self { parent: Arc::clone(parent), number }
    }

    /// Fails if a request of this price would pass a limit of the session, or of those that it works for. The limit of a day is
    /// the sub-agent's own, too.
    pub(super) fn check(&self, next: f64) -> Result<(), SpendingError> {
        self.parent.check(&self.parent.spent(), 0.0, next)?;
        self.parent.share.as_ref().map_or(Ok(()), |share| share.check(next))
    }

    pub(super) fn record(&self, used: &ModelUse, price: &Price) {
        if let Some(cost) = self.parent.spent().agents.get_mut(&self.number) {
            let before = at_least(cost);
            cost.add_side_requests(used, price);
            self.parent.storage.day_cost.add_at_work(at_least(cost) - before);
        }
    }
}

impl Drop for AgentShare {
    fn drop(&mut self) {
        if let Some(cost) = self.parent.spent().agents.remove(&self.number) {
            self.parent.storage.day_cost.end_work(at_least(&cost));
        }
    }
}
