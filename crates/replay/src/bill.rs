//! What the requests of a session cost, at one provider's prices and with its clock.

use throughline_completion::{CacheRules, PrefixUse, Prices};
use throughline_conversation::LongPrompt;

/// A request as the bills see it. Tokens are a provider's.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct BilledRequest {
    /// Its use of a cache that never expires.
    pub(crate) warm: PrefixUse,
    /// The same request with the whole history in it.
    pub(crate) full: PrefixUse,
    /// Milliseconds since the request before.
    pub(crate) idle_ms: u64,
    /// Whether something that the answer uses had left.
    pub(crate) refetch: bool,
    /// A request for a summary that was sent directly before.
    pub(crate) summary: Option<SummaryUse>,
}

/// A request for a summary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SummaryUse {
    /// Its use of a cache that never expires.
    pub(crate) warm: PrefixUse,
    /// Tokens of the summary.
    pub(crate) output: u64,
}

impl SummaryUse {
    /// Both together: one summary may take several requests.
    pub(crate) fn with(self, other: Self) -> Self {
        let sum = |of: fn(&PrefixUse) -> u64| of(&self.warm).saturating_add(of(&other.warm));
        let warm = PrefixUse {
            read: sum(|split| split.read),
            write: sum(|split| split.write),
            uncached: sum(|split| split.uncached),
        };
        Self { warm, output: self.output.saturating_add(other.output) }
    }
}

/// The requests of a session under a policy, to be billed at any provider's prices.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SentRequests(Vec<BilledRequest>);

impl SentRequests {
    pub(crate) fn push(&mut self, request: BilledRequest) {
        self.0.push(request);
    }

    /// What they cost at these prices.
    #[must_use]
    pub fn bill(&self, prices: Prices, rules: CacheRules) -> Bill {
        let mut bill = Bill::new(prices, rules);
        for request in &self.0 {
            bill.add(request);
        }
        bill
    }

    /// The size of each request in a provider's tokens, in order.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|request| request.warm.total())
    }
}

/// Sums at one provider's prices, in tokens of uncached input.
#[derive(Debug, Clone, Copy)]
pub struct Bill {
    prices: Prices,
    rules: CacheRules,
    /// Cost with a cache that expires while the session is idle, requests for summaries included.
    pub cost: f64,
    /// The same with the whole history in each request.
    pub full: f64,
    /// Cost with a cache that never expires.
    pub cost_without_clock: f64,
    /// The same with the whole history in each request.
    pub full_without_clock: f64,
    /// Cost of a step for each answer whose request no longer showed what it uses.
    pub regret: f64,
    /// Requests that found the cache expired.
    pub restarts: u64,
    /// The part of the requests for summaries in `cost`.
    pub summaries: f64,
}

impl Bill {
    /// An empty bill.
    #[must_use]
    pub fn new(prices: Prices, rules: CacheRules) -> Self {
        Self {
            prices,
            rules,
            cost: 0.0,
            full: 0.0,
            cost_without_clock: 0.0,
            full_without_clock: 0.0,
            regret: 0.0,
            restarts: 0,
            summaries: 0.0,
        }
    }

    /// Anthropic's prices, and its cache of five minutes.
    #[must_use]
    pub fn anthropic() -> Self {
        Self::new(Prices::anthropic(), CacheRules::anthropic())
    }

    /// OpenAI's prices, and its cache of 30 minutes.
    #[must_use]
    pub fn openai() -> Self {
        Self::new(Prices::openai(), CacheRules::automatic())
    }

    /// Adds a request. Returns what it cost, with the request for a summary before it.
    pub(crate) fn add(&mut self, request: &BilledRequest) -> f64 {
        let cold = self.rules.is_cold_after(request.idle_ms);
        self.restarts += u64::from(cold);
        let timed = |split: PrefixUse, cold: bool| self.prices.input(if cold { split.cold() } else { split });
        // A summary that reads the session's prefix warms its front again for the request after it.
        let warmed = request.summary.is_some_and(|summary| summary.warm.read > 0);
        let own = timed(request.warm, cold && !warmed);
        let (mut summary, mut summary_without_clock) = (0.0, 0.0);
        if let Some(used) = request.summary {
            let factor = LongPrompt::output_factor(self.prices.long, used.warm.total());
            let output = self.prices.output * used.output as f64 * factor;
            summary = timed(used.warm, cold) + output;
            summary_without_clock = timed(used.warm, false) + output;
        }
        let full = timed(request.full, cold);
        let (own_warm, full_warm) = (timed(request.warm, false), timed(request.full, false));
        self.full += full;
        self.cost += own + summary;
        self.summaries += summary;
        self.cost_without_clock += own_warm + summary_without_clock;
        self.full_without_clock += full_warm;
        if request.refetch {
            self.regret += self.prices.refetch(request.warm.total());
        }
        own + summary
    }

    /// What a request would have cost that reads all of the one before and adds the rest.
    pub(crate) fn uncut(&self, read: u64, write: u64, idle_ms: u64) -> f64 {
        let split = PrefixUse { read, write, uncached: 0 };
        self.prices.input(if self.rules.is_cold_after(idle_ms) { split.cold() } else { split })
    }

    /// The price of reading this many tokens from the cache.
    pub(crate) fn reading(&self, tokens: u64) -> f64 {
        self.prices.cache_read * tokens as f64
    }

    /// Cost over that of the whole history, both with the clock.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        ratio(self.cost, self.full)
    }

    /// Cost over that of the whole history, both without the clock.
    #[must_use]
    pub fn ratio_without_clock(&self) -> f64 {
        ratio(self.cost_without_clock, self.full_without_clock)
    }

    /// Cost with regret over that of the whole history, both with the clock.
    #[must_use]
    pub fn ratio_with_regret(&self) -> f64 {
        ratio(self.cost + self.regret, self.full)
    }
}

/// A cost over that of the whole history; 1 when nothing was sent.
fn ratio(own: f64, full: f64) -> f64 {
    if full > 0.0 { own / full } else { 1.0 }
}

#[cfg(test)]
mod tests;
