//! What policies would have cost, in dollars of the recorded models.

use serde::Serialize;
use throughline_replay::{CLAIRVOYANT, Format, PeerReport, PriceReport, SessionReport};

use super::price::ModelPrice;
use super::session::SessionAudit;

/// Whose policy it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PolicyKind {
    /// Run by the engine.
    Engine,
    /// Of another agent, simulated.
    Peer,
    /// No policy: it knows the future.
    Bound,
}

/// The policies over one session.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedSession {
    /// The place of the session in the report, from 0.
    pub place: usize,
    /// What each policy would have cost.
    pub costs: Vec<PolicyCost>,
    /// Tokens of each request under the engine's default policy.
    pub sizes: Vec<u64>,
}

/// What recorded sessions cost, to compare policies with.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Baseline {
    /// Dollars of the recorded input.
    pub recorded: f64,
    /// Compactions that were recorded.
    pub compactions: u64,
    /// Dollars of the input that policies are compared with: the recorded one, or that of the simulation of the same agent,
    /// where it is less. Recordings have text that no log shows, and losses of the cache that no simulation has.
    pub comparable: f64,
}

impl Baseline {
    pub(super) fn add(&mut self, session: &SessionAudit, costs: &[PolicyCost]) {
        let recorded = session.causes.input_dollars() - session.unshown_input;
        let same = match session.format {
            Format::ClaudeCode => "claude",
            Format::Codex => "codex",
            Format::OpenCode => "opencode",
            Format::Pi
            | Format::MiniSweAgent
            | Format::SweAgent
            | Format::CopilotCli
            | Format::GeminiCli
            | Format::Atif
            | Format::PydanticAi => "off",
        };
        let same = costs.iter().find(|cost| cost.policy == same && cost.failed_turns == 0);
        self.recorded += recorded;
        self.compactions += session.compactions.len() as u64;
        self.comparable += same.map_or(recorded, |cost| cost.input.min(recorded));
    }
}

/// What one policy would have cost over a number of sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PolicyCost {
    /// Its name.
    pub policy: String,
    /// Whose it is.
    pub kind: PolicyKind,
    /// Dollars of all input, with the clock.
    pub input: f64,
    /// Dollars of one more step for each answer that uses what its request no longer showed.
    pub regret: f64,
    /// Dollars of all input with the whole history in each request.
    pub full_history: f64,
    /// Requests.
    pub requests: u64,
    /// Compactions, where the engine counts them; cuts otherwise.
    pub compactions: u64,
    /// Turns that failed: their requests are missing.
    pub failed_turns: u64,
}

impl PolicyCost {
    /// Of a replay through the engine.
    #[must_use]
    pub fn of_engine(report: &SessionReport, price: &ModelPrice) -> Self {
        Self {
            requests: report.requests,
            compactions: report.compactions,
            failed_turns: report.failed_turns,
            ..Self::of(&report.policy, PolicyKind::Engine, &report.prices, price)
        }
    }

    /// Of a simulated peer.
    #[must_use]
    pub fn of_peer(report: &PeerReport, price: &ModelPrice) -> Self {
        let kind = if report.peer == CLAIRVOYANT { PolicyKind::Bound } else { PolicyKind::Peer };
        Self {
            requests: report.requests,
            compactions: report.prices.cuts,
            ..Self::of(report.peer, kind, &report.prices, price)
        }
    }

    fn of(policy: &str, kind: PolicyKind, prices: &PriceReport, price: &ModelPrice) -> Self {
        let bill = prices.sent.bill(price.price.multiples, price.rules);
        Self {
            policy: policy.to_owned(),
            kind,
            input: price.units(bill.cost),
            regret: price.units(bill.regret),
            full_history: price.units(bill.full),
            requests: 0,
            compactions: 0,
            failed_turns: 0,
        }
    }

    /// Dollars of input and regret.
    #[must_use]
    pub fn dollars(&self) -> f64 {
        self.input + self.regret
    }

    /// Sums by policy, in the order in which they came.
    pub(super) fn merged(costs: Vec<Self>) -> Vec<Self> {
        let mut sums: Vec<Self> = Vec::new();
        for cost in costs {
            match sums.iter_mut().find(|sum| sum.policy == cost.policy && sum.kind == cost.kind) {
                Some(sum) => {
                    sum.input += cost.input;
                    sum.regret += cost.regret;
                    sum.full_history += cost.full_history;
                    sum.requests += cost.requests;
                    sum.compactions += cost.compactions;
                    sum.failed_turns += cost.failed_turns;
                }
                None => sums.push(cost),
            }
        }
        sums
    }
}
