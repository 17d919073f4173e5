//! If a compaction pays, by the model's prices and the clock of its prompt cache.
//!
//! A prompt cache that has expired is written again in any case, so a compaction then costs less than nothing. While it is
//! warm, a compaction is like buying instead of renting: it is done once the price paid for old content since the last
//! one reaches a share of its own price, when the model has finished a piece of work.

use std::collections::BTreeMap;

use throughline_conversation::{LongPrompt, PriceTerms, PriceVerdict, Receipt, Usage};
use throughline_ledger::StepKind;

/// The numbers of decisions by price.
#[derive(Debug, Clone, PartialEq)]
pub struct PricePolicy {
    /// A compaction is paid for when this part of what was paid for old content since the last one reaches its price: at 10,
    /// a tenth. Higher values compact less often.
    pub patience: f64,
    /// What was paid for old content, as a multiple of the price, from which a compaction waits no longer for the end of a
    /// piece of work.
    pub overdue: f64,
    /// Factor of the regret when the prompt cache has expired.
    pub cold_regret: f64,
    /// Expected number of later steps that need what a compaction after this kind of step loses.
    pub needed_later: BTreeMap<StepKind, f64>,
    /// What is expected while many files were read and not changed.
    pub unchanged_reads: UnchangedReads,
    /// Kinds of steps after which a piece of work is done.
    pub done_after: Vec<StepKind>,
    /// A compaction that would leave out fewer tokens is not considered.
    pub smallest_gain: u64,
    /// The same for the first compaction of a session.
    pub smallest_first_gain: u64,
    /// Tokens by which a request is expected to grow until something is needed again.
    pub growth: u64,
    /// Residue before the first compaction, in tokens.
    pub first_residue: f64,
    /// Factor by which a compaction corrects the residue, 0 to 1.
    pub learning: f64,
}

/// Files that were read and not changed yet. A model that reads many files before the first edit edits them next, often after
/// an answer of the user, and quotes their lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnchangedReads {
    /// From this many files on.
    pub least: u64,
    /// Read by this many of the newest messages of the model.
    pub within: usize,
    /// Expected number of later steps that need them; what the newest step lets expect counts where it is more.
    pub needed_later: f64,
}

/// What decisions by price remember of a session.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PriceState {
    /// Paid for old content since the last compaction, in token-equivalents.
    pub paid: f64,
    /// Tokens that a compaction leaves next to the fixed front and the newest turn.
    pub residue: f64,
}

/// Prices of the model that decisions need, in token-equivalents: multiples of the price of one uncached token of input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RequestPrices {
    /// A token read from the prompt cache.
    pub read: f64,
    /// A token written to it.
    pub write: f64,
    /// One more step that fetches something again, besides reading its request.
    pub refetch: f64,
    /// A token of output.
    pub output: f64,
    /// What a request with a long prompt costs more.
    pub long: Option<LongPrompt>,
}

impl RequestPrices {
    /// The tokens of a request, each counted by how much more it costs in a prompt of this length.
    #[must_use]
    pub fn weighted(&self, tokens: u64) -> f64 {
        tokens as f64 * LongPrompt::input_factor(self.long, tokens)
    }

    /// The price of what requests have used, none of them with a long prompt.
    #[must_use]
    pub fn of(&self, usage: &Usage) -> f64 {
        usage.input as f64
            + self.read * usage.cache_read as f64
            + self.write * usage.cache_write as f64
            + self.output * usage.output as f64
    }
}

/// The request that is about to be sent. Sizes are in tokens.
#[derive(Debug, Clone, Copy)]
pub struct PricedRequest {
    /// The whole request.
    pub tokens: u64,
    /// The part of it that is expected to be read from the prompt cache.
    pub cached: u64,
    /// System prompt and tools.
    pub front: u64,
    /// The newest turn: the last message of the model, the results of its calls, and what the user wrote after it.
    pub newest: u64,
    /// What it follows.
    pub follows: StepKind,
    /// Files that [`UnchangedReads::within`] its newest messages were read and not changed.
    pub unchanged_files: u64,
    /// How long the session was idle, in milliseconds; `None`: not known.
    pub idle_ms: Option<u64>,
    /// The prompt cache has expired.
    pub cold: bool,
    /// The session was not compacted yet.
    pub first: bool,
    /// The summary that a model may write; `None`: it is written by rule.
    pub summary: Option<PricedSummary>,
}

/// A summary that a model may write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PricedSummary {
    /// Its price in token-equivalents.
    pub price: f64,
    /// How long it takes, in steps of the session; 0 while that is not known.
    pub steps: f64,
    /// Whether it may be written by rule instead, for nothing.
    pub is_optional: bool,
}

impl PriceState {
    /// The state of a session before its first request.
    #[must_use]
    pub fn new(policy: &PricePolicy) -> Self {
        Self { paid: 0.0, residue: policy.first_residue }
    }

    /// The state after an answered request with this receipt; `None` while no request was decided about.
    #[must_use]
    pub fn answered(state: Option<Self>, receipt: &Receipt) -> Option<Self> {
        let decided = |terms: &PriceTerms| Self { paid: terms.paid, residue: terms.residue };
        let state = receipt.price.as_ref().map(decided).or(state);
        if receipt.compaction.is_some() { state.map(Self::compacted) } else { state }
    }

    /// The state after a compaction.
    fn compacted(self) -> Self {
        Self { paid: 0.0, ..self }
    }
}

impl PricePolicy {
    fn smallest_gain_of(&self, request: &PricedRequest) -> u64 {
        if request.first { self.smallest_first_gain } else { self.smallest_gain }
    }

    /// The residue after a compaction that left `left` tokens next to the front and the newest turn.
    #[must_use]
    pub fn learned(&self, residue: f64, left: u64) -> f64 {
        residue + self.learning * (left as f64 - residue)
    }
}

/// The files that were read and not changed, if they are enough to count, and how often what leaves is needed later.
fn needed_later(policy: &PricePolicy, request: &PricedRequest) -> (u64, f64) {
    let unchanged = policy.unchanged_reads;
    let files = if request.unchanged_files >= unchanged.least { request.unchanged_files } else { 0 };
    let needed = policy.needed_later.get(&request.follows).copied().unwrap_or_default();
    (files, if files > 0 { needed.max(unchanged.needed_later) } else { needed })
}

/// Decides if the view is compacted before the request, and gives all terms of the decision.
#[must_use]
pub fn decide_by_price(
    policy: &PricePolicy,
    prices: RequestPrices,
    state: PriceState,
    request: &PricedRequest,
) -> PriceTerms {
    let RequestPrices { read, write, refetch, .. } = prices;
    let tokens = request.tokens;
    let left = request.front.saturating_add(state.residue.max(0.0) as u64);
    let left = left.saturating_add(request.newest).min(tokens);
    // What is cached of the front stays so.
    let input = |tokens: u64, cached: u64| {
        let cached = cached.min(tokens);
        (read * cached as f64 + write * (tokens - cached) as f64)
            * LongPrompt::input_factor(prices.long, tokens)
    };
    let moved = input(left, request.cached.min(request.front)) - input(tokens, request.cached);
    let (unchanged_files, needed) = needed_later(policy, request);
    let needed_again = needed * if request.cold { policy.cold_regret } else { 1.0 };
    let regret = (read * prices.weighted(left.saturating_add(policy.growth)) + refetch) * needed_again;
    let saving = read * (prices.weighted(tokens) - prices.weighted(left));
    let paid = state.paid + saving;
    let verdict = |summary: f64| {
        let price = moved + summary + regret;
        if tokens - left <= policy.smallest_gain_of(request) {
            PriceVerdict::Lean
        } else if paid / policy.patience < price {
            PriceVerdict::NotPaid
        } else if request.cold || policy.done_after.contains(&request.follows) {
            PriceVerdict::Compacts
        } else if paid >= policy.overdue * price {
            PriceVerdict::Overdue
        } else {
            PriceVerdict::Waits
        }
    };
    // A better summary saves at most what would be fetched again, and the time of those steps.
    let asked = request.summary.filter(|asked| {
        let saves = asked.price <= regret && asked.steps <= needed;
        !asked.is_optional || (saves && verdict(asked.price).compacts())
    });
    let summary = asked.map_or(0.0, |asked| asked.price);
    let (cost, verdict) = (moved + summary, verdict(summary));
    PriceTerms {
        verdict,
        follows: request.follows.phrase().to_owned(),
        idle_ms: request.idle_ms,
        cold: request.cold,
        request: tokens,
        left,
        cost,
        regret,
        unchanged_files,
        summary,
        by_model: asked.is_some(),
        saving,
        paid,
        residue: state.residue,
    }
}

#[cfg(test)]
mod tests;
