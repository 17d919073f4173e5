//! Runs the strategy chain, with a circuit breaker that stops repeated failures.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use throughline_conversation::{Degradation, EntryKind, TokenCounter, View, Violation};
use throughline_text::group_thousands;

use crate::draft::Draft;
use crate::fraction::fraction_of;
use crate::goal::{CompactionJob, Goal};
use crate::outcome::{CompactResult, Compacted, CompactionError};
use crate::plan::Plan;
use crate::policy::CompactionPolicy;
use crate::strategies::DropExchanges;
use crate::strategy::{Strategy, StrategyError};
use crate::summarizer::Summarizer;

/// Compacts views: runs strategies in order until the aim is reached, and checks the result.
#[derive(Debug)]
pub struct Compactor {
    policy: CompactionPolicy,
    strategies: Vec<Arc<dyn Strategy>>,
    failures: AtomicU32,
}

impl Compactor {
    /// Creates a compactor of the policy's chain, followed by the last resort. Without a summarizer, summaries are extractive.
    #[must_use]
    pub fn new(policy: CompactionPolicy, summarizer: Option<Arc<dyn Summarizer>>) -> Self {
        let mut strategies = policy.chain.strategies(summarizer);
        strategies.push(Arc::new(DropExchanges));
        Self::with_strategies(policy, strategies)
    }

    /// These strategies alone, in place of the policy's chain.
    #[must_use]
    pub fn with_strategies(policy: CompactionPolicy, strategies: Vec<Arc<dyn Strategy>>) -> Self {
        Self { policy, strategies, failures: AtomicU32::new(0) }
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> &CompactionPolicy {
        &self.policy
    }

    /// Returns true if the chain has cuts to make that do not wait for a full window: they are made in batches, at a new
    /// user message (`fresh`) or when enough has come together.
    #[must_use]
    pub fn batch_due(&self, view: &View, fresh: bool) -> bool {
        self.policy.chain.batch_due(view, fresh)
    }

    /// Returns true if a compaction asks a model for a summary.
    #[must_use]
    pub fn asks_model(&self) -> bool {
        self.strategies.iter().any(|strategy| strategy.follows_instructions())
    }

    /// Returns true while the circuit breaker refuses deep compactions.
    #[must_use]
    pub fn breaker_open(&self) -> bool {
        self.policy.max_failures > 0 && self.failures.load(Ordering::Relaxed) >= self.policy.max_failures
    }

    /// Lets deep compactions be tried again.
    pub fn reset_breaker(&self) {
        self.failures.store(0, Ordering::Relaxed);
    }

    /// Compacts the job's view. The caller applies the outcome. Dropping the future is harmless.
    ///
    /// # Errors
    /// [`CompactionError`]: nothing has changed but the count of failures. A deep compaction of a view that is
    /// at its target already is refused without being counted.
    pub async fn compact(&self, job: &CompactionJob<'_>) -> Result<Compacted, CompactionError> {
        let plan = Plan::new(job, &self.policy);
        let deep = job.goal == Goal::Deep;
        let before = job.view.tokens();
        if deep && self.breaker_open() {
            return Err(CompactionError::BreakerOpen { failures: self.failures.load(Ordering::Relaxed) });
        }
        if before <= plan.aim {
            return Err(CompactionError::NothingToGain { before, after: before });
        }
        let outcome = self.run(job, &plan).await;
        match &outcome {
            Ok(_) => self.reset_breaker(),
            Err(_) if deep => {
                self.failures.fetch_add(1, Ordering::Relaxed);
            }
            Err(_) => {}
        }
        outcome
    }

    async fn run(&self, job: &CompactionJob<'_>, plan: &Plan<'_>) -> Result<Compacted, CompactionError> {
        let before = job.view.tokens();
        let mut draft = Draft::new(job);
        let mut log = Log::default();
        for strategy in self.order(job) {
            let enough = if strategy.last_resort() { plan.limit } else { plan.aim };
            if draft.tokens() > enough {
                attempt(strategy.as_ref(), &mut draft, plan, &mut log).await;
            }
        }
        let after = draft.tokens();
        let fits = match job.goal {
            Goal::Deep => {
                before.saturating_sub(after) >= fraction_of(before, self.policy.minimum_gain).max(1)
            }
            Goal::Requested => after < before,
            Goal::MustFit(allowed) => after <= allowed && after < before,
        };
        if !fits {
            return Err(match (job.goal, log.invalid, log.failed) {
                (_, Some(violations), _) => CompactionError::Invalid(violations),
                (Goal::Deep | Goal::Requested, None, Some(cause)) => CompactionError::Failed(cause),
                (Goal::MustFit(allowed), None, _) if after > allowed => CompactionError::DoesNotFit {
                    smallest: after,
                    allowed,
                    what: largest(draft.view(), job.counter),
                },
                _ => CompactionError::NothingToGain { before, after },
            });
        }
        Ok(finish(job, draft, log))
    }

    /// The strategies in the order in which they are tried. With instructions of the user those that follow them come first:
    /// behind the others they might find nothing left to do.
    fn order<'s>(&'s self, job: &CompactionJob<'_>) -> impl Iterator<Item = &'s Arc<dyn Strategy>> {
        let instructed = job.goal == Goal::Requested
            && job.instructions.is_some_and(|instructions| !instructions.trim().is_empty());
        let first = move |strategy: &&Arc<dyn Strategy>| instructed && strategy.follows_instructions();
        let rest = move |strategy: &&Arc<dyn Strategy>| !first(strategy);
        self.strategies.iter().filter(first).chain(self.strategies.iter().filter(rest))
    }
}

/// Events while the strategies ran.
#[derive(Debug, Default)]
struct Log {
    ran: Vec<String>,
    degraded: Vec<Degradation>,
    invalid: Option<Vec<Violation>>,
    /// Cause of the first strategy that failed.
    failed: Option<String>,
}

/// Runs one strategy. The draft is rolled back when it failed, broke a rule, or gained nothing.
async fn attempt(strategy: &dyn Strategy, draft: &mut Draft<'_>, plan: &Plan<'_>, log: &mut Log) {
    let saved = draft.clone();
    let done = match strategy.apply(draft, plan).await {
        Ok(()) => draft.settle().map_err(StrategyError::from),
        Err(error) => Err(error),
    };
    log.degraded.extend(draft.take_degraded());
    let new = new_violations(plan.job.view, draft.view());
    let failed = match done {
        Err(error) => {
            log.failed.get_or_insert_with(|| error.cause());
            Some(error.to_string())
        }
        Ok(()) if !new.is_empty() => {
            let text = new.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            log.invalid = Some(new);
            Some(format!("it would make the conversation invalid: {text}"))
        }
        Ok(()) => None,
    };
    if let Some(cause) = failed {
        tracing::debug!(strategy = strategy.name(), cause, "a strategy was undone");
        let (subsystem, fallback) = (format!("strategy {}", strategy.name()), "the next strategy".to_owned());
        log.degraded.push(Degradation { subsystem, fallback, cause });
        *draft = saved;
    } else if draft.tokens() >= saved.tokens() {
        *draft = saved;
    } else {
        tracing::debug!(
            strategy = strategy.name(),
            before = saved.tokens(),
            after = draft.tokens(),
            "shrunk"
        );
        log.ran.push(strategy.name().to_owned());
    }
}

fn finish(job: &CompactionJob<'_>, draft: Draft<'_>, log: Log) -> Compacted {
    let edit = draft.edit(job.reason.clone(), log.ran.clone());
    let view = draft.view().clone();
    let result = CompactResult::of(job.view, &view, log.ran);
    let notes = draft.notes().to_vec();
    Compacted { edit, view, keep: draft.into_kept(), result, degraded: log.degraded, notes }
}

/// Rules that the new view breaks and the old one does not. A view in the middle of a step is not yet valid, which is
/// no fault of the compaction.
fn new_violations(old: &View, new: &View) -> Vec<Violation> {
    let mut known: Vec<String> = old.violations().iter().map(without_place).collect();
    let mut found = new.violations();
    found.retain(|violation| {
        let name = without_place(violation);
        match known.iter().position(|old| *old == name) {
            Some(at) => {
                known.swap_remove(at);
                false
            }
            None => true,
        }
    });
    found
}

/// A violation without the index of its message, which an edit moves.
fn without_place(violation: &Violation) -> String {
    let text = violation.to_string();
    text.split_once(": ").map_or_else(|| text.clone(), |(_, rule)| rule.to_owned())
}

/// What takes the most room in a view, in words: its largest entry, or the pinned texts.
fn largest(view: &View, counter: &dyn TokenCounter) -> String {
    let Some(entry) = view.entries().iter().max_by_key(|entry| entry.tokens) else {
        return "there is no message".to_owned();
    };
    let pinned = view.groups().pinned_texts().map(|pinned| counter.text(&pinned.text)).sum::<u64>();
    if pinned.saturating_mul(2) > entry.tokens {
        return format!("the pinned texts have {} tokens; unpin some of them", group_thousands(pinned));
    }
    let what = match entry.kind {
        EntryKind::User => "the last request of the user",
        EntryKind::Assistant => "the last message of the model",
        EntryKind::Results => "the last tool results",
        EntryKind::Summary => "the summary",
        EntryKind::Notice => "a notice of the engine",
    };
    format!("{} tokens are in {what} alone", group_thousands(entry.tokens))
}

#[cfg(test)]
mod tests;
