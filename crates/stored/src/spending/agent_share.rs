//! What a sub-agent at work has spent and reserved of the limits of the session that it works for.

use std::sync::Arc;

use throughline_agent::SpendingError;
use throughline_completion::{Cost, Price};
use throughline_conversation::ModelUse;

use super::{SpendingLimits, at_least};

/// What a sub-agent at work has cost.
#[derive(Debug, Default)]
pub(super) struct AgentSpent {
    pub(super) cost: Cost,
    /// What its requests under way are expected to cost, and those of sub-agents that work for it, in US dollars.
    pub(super) reserved: f64,
}

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
        spent.agents.insert(number, AgentSpent::default());
        drop(spent);
        Self { parent: Arc::clone(parent), number }
    }

    /// Fails if a request of this price would pass a limit of the session, or of those that it works for; else reserves an amount
    /// for it there. `day`: what all sessions have cost in the last 24 hours.
    pub(super) fn reserve(&self, day: f64, next: f64, reserved: f64) -> Result<(), SpendingError> {
        let mut spent = self.parent.spent();
        self.parent.check(&spent, day, next)?;
        // Under the same lock, or two sub-agents would be allowed what is left for one.
        if let Some(share) = &self.parent.share {
            share.reserve(day, next, reserved)?;
        }
        if let Some(own) = spent.agents.get_mut(&self.number) {
            own.reserved += reserved;
        }
        Ok(())
    }

    /// Ends a reservation.
    pub(super) fn release(&self, reserved: f64) {
        if reserved <= 0.0 {
            return;
        }
        if let Some(own) = self.parent.spent().agents.get_mut(&self.number) {
            own.reserved = (own.reserved - reserved).max(0.0);
        }
        if let Some(share) = &self.parent.share {
            share.release(reserved);
        }
    }

    pub(super) fn record(&self, used: &ModelUse, price: &Price) {
        if let Some(AgentSpent { cost, .. }) = self.parent.spent().agents.get_mut(&self.number) {
            let before = at_least(cost);
            cost.add_side_requests(used, price);
            self.parent.storage.day_cost.add_at_work(at_least(cost) - before);
        }
    }
}

impl Drop for AgentShare {
    fn drop(&mut self) {
        if let Some(agent) = self.parent.spent().agents.remove(&self.number) {
            self.parent.storage.day_cost.end_work(at_least(&agent.cost));
        }
    }
}
