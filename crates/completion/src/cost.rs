//! The cost of requests: one rule for every place that sums them.

use serde::{Deserialize, Serialize};
use throughline_conversation::{CacheTtl, ModelUse, Usage};

use crate::model_info::Prices;

/// The prices of one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Multiples of the price of uncached input.
    pub multiples: Prices,
    /// US dollars for a million tokens of uncached input; `None`: unknown.
    pub dollars_per_million_input: Option<f64>,
    /// US dollars for one search of the web by the provider; `None`: unknown.
    pub dollars_per_search: Option<f64>,
}

impl Price {
    /// The price of a model that no table knows.
    pub const UNKNOWN: Self = Self {
        multiples: Prices {
            cache_read: 0.0,
            cache_write: 0.0,
            cache_write_hour: 0.0,
            output: 0.0,
            long: None,
        },
        dollars_per_million_input: None,
        dollars_per_search: None,
    };

    /// The price of requests whose markers ask for this TTL. A request has one for all, so that reported usage need not tell
    /// the rates apart.
    #[must_use]
    pub fn at(self, ttl: CacheTtl) -> Self {
        Self { multiples: self.multiples.at(ttl), ..self }
    }

    /// The price of a request with a prompt of this many tokens, and of each part of its usage.
    #[must_use]
    pub fn of_prompt(self, tokens: u64) -> Self {
        let Some(long) = self.multiples.long.filter(|long| long.applies(tokens)) else {
            return Self { multiples: Prices { long: None, ..self.multiples }, ..self };
        };
        let output = self.multiples.output * long.output / long.input;
        Self {
            multiples: Prices { output, long: None, ..self.multiples },
            dollars_per_million_input: self.dollars_per_million_input.map(|price| price * long.input),
            ..self
        }
    }

    /// US dollars for the usage of one request; `None` if the price of tokens is unknown. Searches without a known price
    /// count nothing.
    #[must_use]
    pub fn dollars(&self, usage: Usage) -> Option<f64> {
        let Self { multiples, dollars_per_million_input, .. } = self.of_prompt(usage.prompt());
        let units = usage.input as f64
            + usage.cache_read as f64 * multiples.cache_read
            + usage.cache_write as f64 * multiples.cache_write
            + usage.output as f64 * multiples.output;
        let searches = self.dollars_of_searches(usage).unwrap_or_default();
        dollars_per_million_input.map(|price| units * price / 1_000_000.0 + searches)
    }

    /// US dollars for the provider's searches in this usage; `None` if there are some and their price is unknown.
    #[must_use]
    pub fn dollars_of_searches(&self, usage: Usage) -> Option<f64> {
        if usage.searches == 0 {
            return Some(0.0);
        }
        self.dollars_per_search.map(|price| price * usage.searches as f64)
    }

    /// US dollars for the usage of a number of requests, and whether that is exact: of a sum it is not known which of its
    /// prompts were long, so that none of them is taken for one, and searches may have no known price. `None` if the price of
    /// tokens is unknown.
    #[must_use]
    pub fn dollars_of_sum(&self, requests: u64, usage: Usage) -> Option<(f64, bool)> {
        let unclear = requests > 1 && self.multiples.long.is_some_and(|long| long.applies(usage.prompt()));
        let price = if unclear { self.of_prompt(0) } else { *self };
        let exact = !unclear && self.dollars_of_searches(usage).is_some();
        price.dollars(usage).map(|dollars| (dollars, exact))
    }
}

/// A sum of money, as far as prices are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Dollars {
    /// Usage and price of every request are known.
    Exact(f64),
    /// A lower bound: of some requests the usage or the price is unknown.
    AtLeast(f64),
    /// No request has a known price.
    Unknown,
}

impl Dollars {
    /// The sum, if it is exact.
    #[must_use]
    pub fn exact(self) -> Option<f64> {
        match self {
            Self::Exact(dollars) => Some(dollars),
            Self::AtLeast(_) | Self::Unknown => None,
        }
    }

    /// The sum or its lower bound.
    #[must_use]
    pub fn at_least(self) -> Option<f64> {
        match self {
            Self::Exact(dollars) | Self::AtLeast(dollars) => Some(dollars),
            Self::Unknown => None,
        }
    }
}

/// Usage and cost of a number of requests, each at the price of its model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Requests whose answers belong to the session.
    pub requests: u64,
    /// All other requests: for summaries, for a rebuilt STATE, and those whose answers were cancelled or withdrawn.
    pub side_requests: u64,
    /// Usage that providers reported, of all requests together.
    pub usage: Usage,
    /// Requests whose usage the provider did not report.
    pub unreported: u64,
    /// Requests whose price is unknown.
    pub unpriced: u64,
    /// Requests that may cost more: only their sum is known and some may have long prompts, or their provider searched the
    /// web at an unknown price.
    pub unclear: u64,
    /// Requests that `dollars` does not cover, wholly or in part.
    incomplete: u64,
    dollars: f64,
}

impl Cost {
    /// Adds a request whose answer belongs to the session. `None`: the provider did not report its usage.
    pub fn add_request(&mut self, usage: Option<Usage>, price: &Price) {
        self.requests += 1;
        match usage {
            Some(usage) => self.add_reported(1, usage, price),
            None => self.add_unreported(1, price),
        }
    }

    /// Adds requests whose answers are no messages of the session.
    pub fn add_side_requests(&mut self, used: &ModelUse, price: &Price) {
        self.side_requests += used.requests.saturating_add(used.unreported);
        self.add_reported(used.requests, used.usage, price);
        self.add_unreported(used.unreported, price);
    }

    /// Adds another sum.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.side_requests += other.side_requests;
        self.usage = self.usage.plus(other.usage);
        self.unreported += other.unreported;
        self.unpriced += other.unpriced;
        self.unclear += other.unclear;
        self.incomplete += other.incomplete;
        self.dollars += other.dollars;
    }

    /// The sum in US dollars; exactly 0 without any request.
    #[must_use]
    pub fn dollars(&self) -> Dollars {
        match self.incomplete {
            0 => Dollars::Exact(self.dollars),
            _ if self.unpriced == self.all_requests() => Dollars::Unknown,
            _ => Dollars::AtLeast(self.dollars),
        }
    }

    /// Number of all requests.
    #[must_use]
    pub fn all_requests(&self) -> u64 {
        self.requests.saturating_add(self.side_requests)
    }

    /// Share of the input that came from the prompt cache, in percent; `None` before any input was reported.
    #[must_use]
    pub fn cached_percentage(&self) -> Option<u64> {
        self.usage.cache_read.saturating_mul(100).checked_div(self.usage.prompt())
    }

    fn add_reported(&mut self, requests: u64, usage: Usage, price: &Price) {
        self.usage = self.usage.plus(usage);
        match price.dollars_of_sum(requests, usage) {
            Some((dollars, exact)) => {
                self.dollars += dollars;
                let unclear = if exact { 0 } else { requests };
                self.unclear += unclear;
                self.incomplete += unclear;
            }
            None => self.add_unpriced(requests),
        }
    }

    fn add_unreported(&mut self, requests: u64, price: &Price) {
        self.unreported += requests;
        match price.dollars_per_million_input {
            // A free model costs nothing, however much it was used.
            Some(price) if price <= 0.0 => {}
            Some(_) => self.incomplete += requests,
            None => self.add_unpriced(requests),
        }
    }

    fn add_unpriced(&mut self, requests: u64) {
        self.unpriced += requests;
        self.incomplete += requests;
    }
}

#[cfg(test)]
mod tests;
