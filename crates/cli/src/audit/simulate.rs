//! Runs every policy over a recorded session, as `throughline replay` does.

use std::sync::Arc;

use anyhow::Context as _;
use throughline_policies::{Economy, Estimator, Policy};
use throughline_replay::audit::{ModelPrice, PolicyCost, SimulatedSession, front_tokens};
use throughline_replay::{PeerOptions, RecordedSession, ReplayOptions, Stores, replay, replay_peers};

use crate::replay::{policy_name, settings};

/// Agents do not fill larger windows by default, even where the model has one.
const USUAL_WINDOW: u64 = 200_000;

/// How policies are run over a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Simulation {
    pub(super) window: u64,
    pub(super) max_output: u64,
    /// Tokens of system prompt and tool schemas, where recorded usage does not show them.
    pub(super) overhead: u64,
    pub(super) price: ModelPrice,
}

/// The window of a model as agents use it, and at least what the recording used.
pub(super) fn usual_window(window: u64, peak: u64, max_output: u64) -> u64 {
    window.min(USUAL_WINDOW).max(peak.saturating_add(max_output))
}

impl Simulation {
    /// What each policy would have cost. `place` is that of the session in the report.
    pub(super) async fn run(
        &self,
        recorded: RecordedSession,
        place: usize,
    ) -> anyhow::Result<SimulatedSession> {
        let session = Arc::new(recorded);
        let counter = Estimator::Script.counter();
        let overhead = front_tokens(&session, counter.as_ref()).unwrap_or(self.overhead);
        let (mut costs, mut sizes) = (Vec::new(), Vec::new());
        for (policy, economy) in policies() {
            let options = ReplayOptions {
                window: self.window,
                settings: settings(policy, economy, self.window, self.max_output),
                policy: policy_name(policy, economy),
                counter: Arc::clone(&counter),
                estimator: Estimator::Script.name().to_owned(),
                overhead,
                check: None,
                clock: true,
                stores: Stores::default(),
                session: None,
            };
            let report = replay(&session, &options)
                .await
                .with_context(|| format!("could not replay {}", session.file.display()))?;
            if (policy, economy) == (Policy::default(), Economy::default()) {
                sizes = report.prices.sent.sizes().collect();
            }
            costs.push(PolicyCost::of_engine(&report, &self.price));
        }
        let options =
            PeerOptions { window: self.window, max_output: self.max_output, overhead, counter, clock: true };
        let peers = replay_peers(&session, &options);
        costs.extend(peers.iter().map(|report| PolicyCost::of_peer(report, &self.price)));
        Ok(SimulatedSession { place, costs, sizes })
    }
}

/// Every policy, that of the house with every setting of its dial.
fn policies() -> impl Iterator<Item = (Policy, Economy)> {
    let own = Economy::ALL.into_iter().map(|economy| (Policy::Throughline, economy));
    let others = Policy::ALL.into_iter().filter(|policy| *policy != Policy::Throughline);
    own.chain(others.map(|policy| (policy, Economy::default())))
}
