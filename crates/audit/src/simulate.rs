//! Runs every policy over a recorded session, as `throughline replay` does.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use thiserror::Error;
use throughline_conversation::TokenCounter;
use throughline_policies::{Economy, Estimator, Policy};
use throughline_replay::{
    PeerOptions, RecordedSession, ReplayError, ReplayOptions, SessionNeeds, Stores, TokenScale,
    replay_needing, replay_peers_needing,
};
use tokio::task::{JoinError, JoinHandle};

use crate::policies::{PolicyCost, SimulatedSession};
use crate::price::ModelPrice;
use crate::session::front_tokens;

/// Agents do not fill larger windows by default, even where the model has one.
const USUAL_WINDOW: u64 = 200_000;

/// Why policies could not be run over a session.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// The engine failed.
    #[error("could not replay {}", file.display())]
    Replay {
        /// The recording.
        file: PathBuf,
        /// What failed.
        source: ReplayError,
    },
    /// A simulation ended early.
    #[error("a simulation ended early")]
    Ended(#[from] JoinError),
}

/// How policies are run over a session.
#[derive(Debug, Clone, Copy)]
pub struct Simulation {
    /// The context window of the policies, in tokens.
    pub window: u64,
    /// Tokens of it that are reserved for output.
    pub max_output: u64,
    /// Tokens of system prompt and tool schemas, where recorded usage does not show them.
    pub overhead: u64,
    /// The price of the recorded model.
    pub price: ModelPrice,
}

/// The window of a model as agents use it, and at least what the recording used.
#[must_use]
pub fn usual_window(window: u64, peak: u64, max_output: u64) -> u64 {
    window.min(USUAL_WINDOW).max(peak.saturating_add(max_output))
}

impl Simulation {
    /// The number of calls of `done` for a session.
    #[must_use]
    pub fn parts() -> u64 {
        policies().count() as u64 + 1
    }

    /// What each policy would have cost. Policies run side by side, one on each processor, and are reported in their order.
    /// `place` is that of the session in the report; `done` is called after each policy and after the peers.
    ///
    /// # Errors
    /// The engine fails on the recording.
    pub async fn run(
        &self,
        recorded: RecordedSession,
        place: usize,
        done: impl Fn(),
    ) -> Result<SimulatedSession, SimulationError> {
        let session = Arc::new(recorded);
        let counter = Estimator::Script.counter();
        let overhead = front_tokens(&session, counter.as_ref()).unwrap_or(self.overhead);
        let run = Run { simulation: *self, needs: SessionNeeds::of(&session), session, counter, overhead };
        let peers = std::iter::once(Part::Peers);
        let parts = peers.chain(policies().map(|(policy, economy)| Part::Engine(policy, economy)));
        let mut running = stream::iter(parts).map(|part| run.spawn(part)).buffered(processors());
        let (mut costs, mut of_peers, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(ended) = running.next().await {
            match ended?? {
                Outcome::Peers(costs) => of_peers = costs,
                Outcome::Engine { cost, sizes: of_requests } => {
                    costs.push(cost);
                    sizes.extend(of_requests.into_iter().flatten());
                }
            }
            done();
        }
        costs.extend(of_peers);
        Ok(SimulatedSession { place, costs, sizes })
    }
}

/// How many simulations run at a time.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// One of the simulations of a session. The peers are run in one go: they share what is counted of the session.
#[derive(Debug, Clone, Copy)]
enum Part {
    Peers,
    Engine(Policy, Economy),
}

/// What came of it.
enum Outcome {
    Peers(Vec<PolicyCost>),
    /// `sizes` only of the default policy.
    Engine {
        cost: PolicyCost,
        sizes: Option<Vec<u64>>,
    },
}

/// What all simulations of a session share.
#[derive(Debug, Clone)]
struct Run {
    simulation: Simulation,
    session: Arc<RecordedSession>,
    needs: SessionNeeds,
    counter: Arc<dyn TokenCounter>,
    overhead: u64,
}

impl Run {
    fn spawn(&self, part: Part) -> JoinHandle<Result<Outcome, SimulationError>> {
        let run = self.clone();
        match part {
            Part::Peers => tokio::task::spawn_blocking(move || Ok(run.peers())),
            Part::Engine(policy, economy) => tokio::spawn(async move { run.engine(policy, economy).await }),
        }
    }

    fn peers(&self) -> Outcome {
        let Simulation { window, max_output, price, .. } = self.simulation;
        let counter = Arc::clone(&self.counter);
        let options = PeerOptions {
            window,
            scale: TokenScale::Provider,
            max_output,
            overhead: self.overhead,
            counter,
            clock: true,
        };
        let peers = replay_peers_needing(&self.session, &self.needs, &options);
        Outcome::Peers(peers.iter().map(|report| PolicyCost::of_peer(report, &price)).collect())
    }

    async fn engine(&self, policy: Policy, economy: Economy) -> Result<Outcome, SimulationError> {
        let Simulation { window, max_output, price, .. } = self.simulation;
        let options = ReplayOptions {
            window,
            settings: policy.settings_with(economy, window, max_output),
            policy: policy.name_with(economy),
            counter: Arc::clone(&self.counter),
            scale: TokenScale::Provider,
            estimator: Estimator::Script.name().to_owned(),
            overhead: self.overhead,
            check: None,
            clock: true,
            stores: Stores::default(),
            session: None,
        };
        let replayed = replay_needing(&self.session, self.needs.clone(), &options).await;
        let report = replayed.map_err(|source| {
            let file = self.session.file.clone();
            SimulationError::Replay { file, source }
        })?;
        let is_default = (policy, economy) == (Policy::default(), Economy::default());
        let sizes = is_default.then(|| report.prices.sent.sizes().collect());
        Ok(Outcome::Engine { cost: PolicyCost::of_engine(&report, &price), sizes })
    }
}

/// Every policy, that of the house with every setting of its dial.
fn policies() -> impl Iterator<Item = (Policy, Economy)> {
    let own = Economy::ALL.into_iter().map(|economy| (Policy::Throughline, economy));
    let others = Policy::ALL.into_iter().filter(|policy| *policy != Policy::Throughline);
    own.chain(others.map(|policy| (policy, Economy::default())))
}
