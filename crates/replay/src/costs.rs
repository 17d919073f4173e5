//! What requests cost, by what a prompt cache does with them.

use serde::Serialize;
use throughline_completion::PrefixUse;
use throughline_conversation::Components;

/// Sums over requests. Tokens are a provider's: the counter's figures times the factor that was learnt.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Costs {
    /// Requests.
    pub requests: u64,
    /// Tokens read from the cache.
    pub read: u64,
    /// Tokens written to it.
    pub write: u64,
    /// Tokens that are neither.
    pub uncached: u64,
    /// Largest request in tokens.
    pub peak: u64,
}

impl Costs {
    /// Adds a request.
    pub fn add(&mut self, split: PrefixUse) {
        self.requests += 1;
        self.read = self.read.saturating_add(split.read);
        self.write = self.write.saturating_add(split.write);
        self.uncached = self.uncached.saturating_add(split.uncached);
        self.peak = self.peak.max(split.total());
    }

    /// All tokens of all requests.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.read.saturating_add(self.write).saturating_add(self.uncached)
    }

    /// Mean size of a request in tokens; 0 without requests.
    #[must_use]
    pub fn mean(&self) -> u64 {
        self.tokens().checked_div(self.requests).unwrap_or_default()
    }
}

/// A part of the requests: how large it is on average, and at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Spread {
    /// Mean tokens of a request.
    pub mean: u64,
    /// Tokens of the request that had most of it.
    pub peak: u64,
}

/// Sums by component.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ByComponent {
    requests: u64,
    sum: Components,
    peak: Components,
}

impl ByComponent {
    /// Adds a request.
    pub(crate) fn add(&mut self, part: Components) {
        self.requests += 1;
        let places = [
            (&mut self.sum.system, &mut self.peak.system, part.system),
            (&mut self.sum.skills, &mut self.peak.skills, part.skills),
            (&mut self.sum.tools, &mut self.peak.tools, part.tools),
            (&mut self.sum.conversation, &mut self.peak.conversation, part.conversation),
        ];
        for (sum, peak, tokens) in places {
            *sum = sum.saturating_add(tokens);
            *peak = tokens.max(*peak);
        }
    }

    /// Mean and peak of the part that `pick` takes.
    pub(crate) fn spread(&self, pick: impl Fn(&Components) -> u64) -> Spread {
        let mean = pick(&self.sum).checked_div(self.requests).unwrap_or_default();
        Spread { mean, peak: pick(&self.peak) }
    }
}

#[cfg(test)]
mod tests;
