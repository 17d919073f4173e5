//! The audit of a number of sessions.

use serde::Serialize;
use throughline_conversation::Usage;

use super::advice::{Advice, advice};
use super::causes::Causes;
use super::mergeable::MergeableSteps;
use super::policies::{Baseline, PolicyCost, SimulatedSession};
use super::session::{AvoidableCost, SessionAudit, is_none};
use super::tools::{ToolCost, merged};

/// Sums over all sessions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct AuditTotals {
    /// Requests.
    pub requests: u64,
    /// Answers that are in more than one session, each time but the first.
    pub copied: u64,
    /// Answers that are in no turn, and were paid.
    pub unshown: u64,
    /// Requests whose input is an estimate.
    pub estimated_inputs: u64,
    /// Answers whose tokens are counted from their text.
    pub estimated_outputs: u64,
    /// Requests to models whose price is not known.
    pub unpriced_requests: u64,
    /// Requests in fast mode, which are counted at the standard price.
    #[serde(skip_serializing_if = "is_none")]
    pub other_price_requests: u64,
    /// Tokens.
    pub usage: Usage,
    /// Dollars.
    pub dollars: f64,
    /// The tokens of all requests by cause, and the dollars of those with a known price.
    pub causes: Causes,
    /// What a warm cache would have saved.
    pub avoidable: AvoidableCost,
    /// Requests that could have been one with the request before.
    pub mergeable: MergeableSteps,
    /// The cost by tool, the dearest first.
    pub tools: Vec<ToolCost>,
    /// Compactions of the recorded agents.
    pub compactions: u64,
}

/// An audit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditReport {
    /// Sums.
    pub totals: AuditTotals,
    /// The sessions, in the order in which they were given.
    pub sessions: Vec<SessionAudit>,
    /// What the sessions cost that the policies were run over.
    pub baseline: Baseline,
    /// Every policy over the sessions whose price is known.
    pub policies: Vec<PolicyCost>,
    /// What would save most; `None`: nothing stands out.
    pub advice: Option<Advice>,
}

impl AuditTotals {
    /// Returns true if no request has a known price.
    pub(super) fn has_no_price(&self) -> bool {
        self.requests > 0 && self.unpriced_requests == self.requests
    }
}

impl AuditReport {
    /// The report of these sessions, and of the policies that were run over some of them.
    #[must_use]
    pub fn of(mut sessions: Vec<SessionAudit>, simulated: Vec<SimulatedSession>) -> Self {
        let mut totals = AuditTotals::default();
        for session in &sessions {
            totals.requests += session.requests;
            totals.copied += session.copied;
            totals.unshown += session.unshown;
            totals.estimated_inputs += session.estimated_inputs;
            totals.estimated_outputs += session.estimated_outputs;
            totals.unpriced_requests += session.unpriced_requests;
            totals.other_price_requests += session.other_price_requests;
            totals.usage = totals.usage.plus(session.usage);
            totals.dollars += session.dollars;
            totals.causes.add(&session.causes);
            totals.avoidable.idle_restarts += session.avoidable.idle_restarts;
            totals.avoidable.prefix_changes += session.avoidable.prefix_changes;
            totals.mergeable.add(session.mergeable);
            totals.compactions += session.compactions.len() as u64;
        }
        totals.tools = merged(sessions.iter().flat_map(|session| session.tools.iter().cloned()));
        let mut baseline = Baseline::default();
        let mut costs = Vec::new();
        for run in simulated {
            if let Some(session) = sessions.get_mut(run.place) {
                baseline.add(session, &run.costs);
                session.engine_sizes = run.sizes;
                costs.extend(run.costs);
            }
        }
        let policies = PolicyCost::merged(costs);
        let advice = advice(&totals, &sessions, &baseline, &policies);
        Self { totals, sessions, baseline, policies, advice }
    }
}
