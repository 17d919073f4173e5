//! The price of a model, as an audit needs it.

use throughline_completion::{CacheRules, Price};
use throughline_conversation::{RequestTerms, Usage};

/// What a model's requests cost, and how long its provider's cache lives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelPrice {
    /// Its price; without dollars nothing of its requests is in a sum.
    pub price: Price,
    /// The rules of its cache.
    pub rules: CacheRules,
}

/// What tokens of a batch cost, as a part of the price. Anthropic documentation, "Pricing", section "Batch processing", read 2026-12-01.
const BATCH: f64 = 0.5;

/// What tokens of all kinds cost where a request goes to servers in the US only, as a multiple of the price. Models before Claude Opus 4.6
/// and Sonnet 4.6 refuse such a request. Anthropic documentation, "Pricing" and "Data residency", read 2026-12-01.
const US_ONLY: f64 = 1.1;

impl ModelPrice {
    /// The price of a request that was sent so. The price of the faster mode is not known: it differs by model.
    pub(super) fn of_terms(self, terms: RequestTerms) -> Self {
        let batch = if terms.batch { BATCH } else { 1.0 };
        let place = if terms.us_only { US_ONLY } else { 1.0 };
        let dollars = self.price.dollars_per_million_input.map(|dollars| dollars * batch * place);
        Self { price: Price { dollars_per_million_input: dollars, ..self.price }, ..self }
    }

    /// The price of a request with a prompt of this many tokens, and of each part of it.
    pub(super) fn of_prompt(self, tokens: u64) -> Self {
        Self { price: self.price.of_prompt(tokens), ..self }
    }

    /// Returns true if the price in dollars is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.price.dollars_per_million_input.is_some()
    }

    /// Dollars for this usage, of which `hour_write` tokens were written to the cache for an hour; 0 for an unknown price.
    pub(crate) fn dollars(&self, usage: Usage, hour_write: u64) -> f64 {
        let multiples = self.price.multiples;
        let hour =
            hour_write.min(usage.cache_write) as f64 * (multiples.cache_write_hour - multiples.cache_write);
        self.price.dollars(usage).unwrap_or_default() + self.units(hour)
    }

    /// Dollars for this many tokens of uncached input; 0 for an unknown price.
    pub(crate) fn units(&self, tokens: f64) -> f64 {
        self.price.dollars_per_million_input.unwrap_or_default() * tokens / 1_000_000.0
    }

    /// Dollars for the provider's searches of the web; 0 for an unknown price.
    pub(crate) fn searching(&self, usage: Usage) -> f64 {
        let known = self.is_known().then(|| self.price.dollars_of_searches(usage));
        known.flatten().unwrap_or_default()
    }

    /// Dollars for reading this many tokens from the cache.
    pub(crate) fn reading(&self, tokens: f64) -> f64 {
        self.units(tokens * self.price.multiples.cache_read)
    }
}
