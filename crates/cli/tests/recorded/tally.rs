//! The table of an API: fed, exact, and deviations by their reasons.

use std::collections::BTreeMap;

use crate::exchange::{Exchange, Kind};
use crate::explained::reason;

/// Longest deviation that is printed, in characters.
const SHOWN: usize = 700;

/// What became of all exchanges of an API.
#[derive(Debug)]
pub(crate) struct Tally {
    kind: Kind,
    stages: BTreeMap<&'static str, Stage>,
    unexplained: Vec<String>,
}

/// Counts of one way through which the exchanges went.
#[derive(Debug, Default)]
struct Stage {
    fed: usize,
    exact: usize,
    reasons: BTreeMap<&'static str, usize>,
    unexplained: usize,
}

impl Tally {
    pub(crate) fn new(kind: Kind) -> Self {
        Self { kind, stages: BTreeMap::new(), unexplained: Vec::new() }
    }

    /// Counts an exchange with its deviations.
    pub(crate) fn add(&mut self, stage: &'static str, exchange: &Exchange, deviations: &[String]) {
        let counts = self.stages.entry(stage).or_default();
        counts.fed += 1;
        counts.exact += usize::from(deviations.is_empty());
        let mut reasons: Vec<_> = deviations.iter().map(|deviation| reason(deviation)).collect();
        for (deviation, _) in deviations.iter().zip(&reasons).filter(|(_, reason)| reason.is_none()) {
            let text: String = deviation.chars().take(SHOWN).collect();
            self.unexplained.push(format!("{stage} {}: {text}", exchange.name));
        }
        reasons.sort_unstable();
        reasons.dedup();
        for reason in reasons {
            match reason {
                Some(reason) => *counts.reasons.entry(reason).or_default() += 1,
                None => counts.unexplained += 1,
            }
        }
    }

    pub(crate) fn unexplained(&self) -> &[String] {
        &self.unexplained
    }

    pub(crate) fn print(&self) {
        for (stage, counts) in &self.stages {
            let Stage { fed, exact, unexplained, .. } = counts;
            println!(
                "{:<10} {stage:<8} fed {fed:>4}  exact {exact:>4}  unexplained {unexplained:>3}",
                self.kind.name()
            );
            for (reason, count) in &counts.reasons {
                println!("{:>26} {count:>4}  {reason}", "");
            }
        }
    }
}
