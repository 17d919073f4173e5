//! The policies that take part. To add one: return its settings here under a name.

use throughline_agent::{Recount, Settings};
use throughline_policies::{Economy, Estimator, Policy};

/// A policy that takes part.
#[derive(Debug, Clone)]
pub(crate) struct Entrant {
    pub(crate) name: String,
    pub(crate) policy: Policy,
    pub(crate) settings: Settings,
    /// Counts its tokens.
    pub(crate) estimator: Estimator,
}

/// Every policy for a window with this many tokens reserved for output; the default one with each setting of its dial.
pub(crate) fn entrants(window: u64, reserved: u64) -> Vec<Entrant> {
    let mut all = Vec::new();
    for policy in Policy::ALL {
        if policy == Policy::Throughline {
            let dial = Economy::ALL.map(|economy| (format!("{policy} {economy}"), economy));
            all.extend(dial.map(|(name, economy)| {
                entrant(name, policy, policy.settings_with(economy, window, reserved))
            }));
        } else {
            all.push(entrant(policy.to_string(), policy, policy.settings(window, reserved)));
        }
    }
    all
}

/// Settings that take part under a name.
pub(crate) fn entrant(name: String, policy: Policy, settings: Settings) -> Entrant {
    let estimator = policy.estimator().unwrap_or(Estimator::Script);
    // No recorded or generated answer counts tokens.
    Entrant { name, policy, settings: Settings { recount: Recount::Off, ..settings }, estimator }
}
