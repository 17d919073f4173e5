//! The figures of one policy over one session: of the engine, or of a simulated peer.

use crate::bill::{Bill, BilledRequest, SentRequests};
use crate::costs::Costs;
use crate::recall::{Looked, Shares};

/// A request that is smaller than it would be by fewer tokens than this is no cut.
const SMALLEST_CUT: u64 = 1_000;

/// Parts of a request are rounded one by one.
pub const ROUNDING: u64 = 16;

/// Figures over all requests of a session.
#[derive(Debug, Clone)]
pub struct Figures {
    /// Tokens by what a cache that never expires does with them.
    pub costs: Costs,
    /// The same with the whole history in each request.
    pub full: Costs,
    /// At Anthropic's prices.
    pub anthropic: Bill,
    /// At OpenAI's prices.
    pub openai: Bill,
    /// Answers whose request no longer showed a name or a line that they use.
    pub refetches: u64,
    /// Files that were read again after their content had left.
    pub files_read_again: u64,
    /// Requests that could not read all of the request before from a cache that never expires.
    pub rewrites: u64,
    /// Rewrites that made the request smaller.
    pub cuts: u64,
    /// Cuts that were followed by the next before they had paid back, at Anthropic's prices.
    pub cuts_overtaken: u64,
    /// The requests themselves.
    pub sent: SentRequests,
    pub(crate) shares: Shares,
    /// What the newest cut has cost more than it has saved so far, and what each further request saves.
    unpaid: Option<(f64, f64)>,
    /// Tokens that the last request left in the cache.
    last: u64,
}

impl Default for Figures {
    fn default() -> Self {
        Self {
            costs: Costs::default(),
            full: Costs::default(),
            anthropic: Bill::anthropic(),
            openai: Bill::openai(),
            refetches: 0,
            files_read_again: 0,
            rewrites: 0,
            cuts: 0,
            cuts_overtaken: 0,
            sent: SentRequests::default(),
            shares: Shares::default(),
            unpaid: None,
            last: 0,
        }
    }
}

impl Figures {
    /// Adds a request, and what its answer needed.
    pub(crate) fn add(&mut self, request: &BilledRequest, looked: &Looked) {
        self.costs.add(request.warm);
        self.full.add(request.full);
        self.shares.add(looked);
        self.refetches += u64::from(looked.missed.needs_refetch());
        self.files_read_again += looked.missed.files;
        let request = BilledRequest { refetch: looked.missed.needs_refetch(), ..*request };
        let price = self.anthropic.add(&request);
        self.openai.add(&request);
        self.sent.push(request);
        self.judge_cut(&request, price);
        self.last = request.warm.read + request.warm.write;
    }

    fn judge_cut(&mut self, request: &BilledRequest, price: f64) {
        let rewrite = request.warm.read + ROUNDING < self.last;
        self.rewrites += u64::from(rewrite);
        let uncut = self.last + request.full.write;
        let saved = uncut.saturating_sub(request.warm.total());
        if !rewrite || saved < SMALLEST_CUT {
            if let Some((unpaid, saving)) = &mut self.unpaid {
                *unpaid -= *saving;
            }
            return;
        }
        self.cuts += 1;
        self.cuts_overtaken += u64::from(self.unpaid.is_some_and(|(unpaid, _)| unpaid > 0.0));
        let extra = price - self.anthropic.uncut(self.last, request.full.write, request.idle_ms);
        self.unpaid = Some((extra, self.anthropic.reading(saved)));
    }

    /// The mean share of names that were in the request; 1 when none were needed.
    #[must_use]
    pub fn names(&self) -> f64 {
        self.shares.names.share()
    }

    /// The mean share of lines of edits that were in the request; 1 when none were needed.
    #[must_use]
    pub fn lines(&self) -> f64 {
        self.shares.lines.share()
    }
}

#[cfg(test)]
mod tests;
