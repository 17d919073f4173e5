//! The cost of a request by cause.

use serde::Serialize;
use throughline_conversation::Usage;
use throughline_replay::ROUNDING;

use super::price::ModelPrice;

/// Tokens, and what they cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Spent {
    /// Tokens of the provider.
    pub tokens: u64,
    /// US dollars.
    pub dollars: f64,
}

impl Spent {
    fn add(&mut self, other: Self) {
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.dollars += other.dollars;
    }
}

/// The cost of requests by cause. The causes are disjoint: their sum is the whole cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Causes {
    /// Text that was sent for the first time.
    pub new_text: Spent,
    /// Text that was read from the prompt cache again.
    pub cache_reads: Spent,
    /// Text that was written again because the cache had expired while the session was idle.
    pub idle_restarts: Spent,
    /// Text that was written again though the cache had not expired: the prefix, the model or the cache's copy changed.
    pub prefix_changes: Spent,
    /// What the first request after a compaction wrote, and the recorded requests for summaries.
    pub compactions: Spent,
    /// What the model wrote, and what the provider has searched for it.
    pub output: Spent,
}

impl Causes {
    /// Names and values, in the order of reports.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Spent); 6] {
        [
            ("new text", self.new_text),
            ("re-reading from the cache", self.cache_reads),
            ("idle restarts", self.idle_restarts),
            ("prefix changes", self.prefix_changes),
            ("compactions", self.compactions),
            ("output", self.output),
        ]
    }

    /// Dollars of all causes.
    #[must_use]
    pub fn dollars(&self) -> f64 {
        self.named().iter().map(|(_, spent)| spent.dollars).sum()
    }

    /// Dollars of all causes but the output.
    #[must_use]
    pub fn input_dollars(&self) -> f64 {
        self.dollars() - self.output.dollars
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.new_text.add(other.new_text);
        self.cache_reads.add(other.cache_reads);
        self.idle_restarts.add(other.idle_restarts);
        self.prefix_changes.add(other.prefix_changes);
        self.compactions.add(other.compactions);
        self.output.add(other.output);
    }
}

/// A request as its causes are found.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestUse {
    pub(super) usage: Usage,
    /// Tokens of the cache write that were written for an hour.
    pub(super) hour_write: u64,
    /// Tokens of the prompt before; `None` for the first.
    pub(super) before: Option<u64>,
    /// Whether the agent had compacted since.
    pub(super) compacted: bool,
    /// Whether the cache had expired since.
    pub(super) cold: bool,
}

impl RequestUse {
    /// The request by cause.
    pub(super) fn causes(&self, price: &ModelPrice) -> Causes {
        let Usage { input, cache_read, cache_write, output, .. } = self.usage;
        let rest = input.saturating_add(cache_write);
        let written =
            price.dollars(Usage { cache_read: 0, output: 0, searches: 0, ..self.usage }, self.hour_write);
        let again = self.again(price);
        let part = |tokens: u64| Spent {
            tokens,
            dollars: if rest == 0 { 0.0 } else { written * tokens as f64 / rest as f64 },
        };
        let mut causes = Causes {
            new_text: part(rest - again),
            cache_reads: Spent { tokens: cache_read, dollars: price.reading(cache_read as f64) },
            output: Spent {
                tokens: output,
                dollars: price.units(output as f64 * price.price.multiples.output)
                    + price.searching(self.usage),
            },
            ..Causes::default()
        };
        let cause = match (self.compacted, self.cold) {
            (true, _) => &mut causes.compactions,
            (false, true) => &mut causes.idle_restarts,
            (false, false) => &mut causes.prefix_changes,
        };
        *cause = part(again);
        causes
    }

    /// The request for the summary of a compaction: all of it is for that.
    pub(super) fn summary(&self, price: &ModelPrice) -> Causes {
        let tokens = self.usage.prompt().saturating_add(self.usage.output);
        let dollars = price.dollars(self.usage, self.hour_write);
        Causes { compactions: Spent { tokens, dollars }, ..Causes::default() }
    }

    /// Tokens that were sent before and not read from the cache. After a compaction: all that were not read.
    fn again(&self, price: &ModelPrice) -> u64 {
        let rest = self.usage.input.saturating_add(self.usage.cache_write);
        let Some(before) = self.before else { return 0 };
        if self.compacted {
            return rest;
        }
        let fresh = self.usage.prompt().saturating_sub(before).min(rest);
        let again = rest - fresh;
        // What is read is a multiple of the cache's steps.
        if again <= price.rules.step_tokens.max(ROUNDING) { 0 } else { again }
    }
}
