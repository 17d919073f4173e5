//! The one thing that would have saved most.

use serde::Serialize;

use super::policies::{Baseline, PolicyCost, PolicyKind};
use super::session::SessionAudit;
use super::totals::AuditTotals;

/// A saving below this share of the whole cost stands out from nothing.
const WORTHWHILE: f64 = 0.01;

/// What a recommendation is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AdviceKind {
    /// Another context policy of the engine, by its name.
    Policy(String),
    /// Pauses that the prompt cache does not survive.
    IdleRestarts,
    /// Changes of what is in front of the prompt.
    PrefixChanges,
    /// Independent reads that are asked for one by one.
    MergeableSteps,
    /// Files that are read again while they are in view, the dearest of them.
    NeedlessReads(String),
}

/// A recommendation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    /// What it is about.
    pub kind: AdviceKind,
    /// Dollars that it would have saved.
    pub saves: f64,
    /// Dollars that were paid for what it is about.
    pub of: f64,
    /// The recommendation in one sentence.
    pub sentence: String,
}

/// The largest saving.
pub(super) fn advice(
    totals: &AuditTotals,
    sessions: &[SessionAudit],
    baseline: &Baseline,
    policies: &[PolicyCost],
) -> Option<Advice> {
    let all = [
        policy(baseline.comparable, policies),
        idle(totals),
        prefix(totals),
        merged(totals),
        reads(sessions),
    ];
    let worthwhile = |advice: &Advice| advice.saves > WORTHWHILE * totals.dollars;
    all.into_iter().flatten().filter(worthwhile).max_by(|a, b| a.saves.total_cmp(&b.saves))
}

fn policy(without: f64, policies: &[PolicyCost]) -> Option<Advice> {
    let whole = |cost: &&PolicyCost| cost.kind == PolicyKind::Engine && cost.failed_turns == 0;
    let best = policies.iter().filter(whole).min_by(|a, b| a.dollars().total_cmp(&b.dollars()))?;
    let saves = without - best.dollars();
    let name = &best.policy;
    let sentence = format!(
        "Policy {name} would have cost ${:.2} of input instead of ${without:.2}, {:.0} % less, of which ${:.2} is for what has to be fetched again.",
        best.dollars(),
        100.0 * saves / without,
        best.regret,
    );
    Some(Advice { kind: AdviceKind::Policy(name.clone()), saves, of: without, sentence })
}

fn idle(totals: &AuditTotals) -> Option<Advice> {
    let (saves, of) = (totals.avoidable.idle_restarts, totals.causes.idle_restarts.dollars);
    let sentence = format!(
        "Compact before a pause that the prompt cache does not survive: idle restarts cost ${of:.2}, of which a warm cache would have saved ${saves:.2}."
    );
    Some(Advice { kind: AdviceKind::IdleRestarts, saves, of, sentence })
}

fn prefix(totals: &AuditTotals) -> Option<Advice> {
    let (saves, of) = (totals.avoidable.prefix_changes, totals.causes.prefix_changes.dollars);
    let sentence = format!(
        "Leave the front of the prompt unchanged within a session: changed prefixes cost ${of:.2}, of which a warm cache would have saved ${saves:.2}."
    );
    Some(Advice { kind: AdviceKind::PrefixChanges, saves, of, sentence })
}

fn merged(totals: &AuditTotals) -> Option<Advice> {
    let (saves, of) = (totals.mergeable.dollars, totals.causes.cache_reads.dollars);
    let sentence = format!(
        "Ask for independent reads and searches in one answer: {} requests could have been one with the request before, for ${saves:.2} \
         of cache reads.",
        totals.mergeable.requests,
    );
    Some(Advice { kind: AdviceKind::MergeableSteps, saves, of, sentence })
}

fn reads(sessions: &[SessionAudit]) -> Option<Advice> {
    let reads = || sessions.iter().flat_map(|session| &session.repeated_reads);
    let dearest = reads().max_by(|a, b| a.needless_dollars.total_cmp(&b.needless_dollars))?;
    let saves: f64 = reads().map(|read| read.needless_dollars).sum();
    let of: f64 = reads().map(|read| read.dollars).sum();
    let sentence = format!(
        "Do not read a file again that is still in view: needless reads cost ${saves:.2}, most of it for {}.",
        dearest.path
    );
    Some(Advice { kind: AdviceKind::NeedlessReads(dearest.path.clone()), saves, of, sentence })
}
