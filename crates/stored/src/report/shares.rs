//! The cached share and the cost of each component of the window.

use serde::Serialize;
use throughline_completion::Price;
use throughline_connect::dollars_figure;
use throughline_conversation::{Components, Usage};

/// The name of the component that messages and results are.
pub(super) const CONVERSATION: &str = "conversation";

/// A component of the window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComponentShare {
    /// Its name.
    pub name: &'static str,
    /// Its tokens now.
    pub tokens: u64,
    /// Tokens of it that the newest request read from the cache.
    pub cached: u64,
    /// Dollars of it in the newest request; `None`: the price is not known.
    pub dollars: Option<f64>,
}

/// What the newest request was to the provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Paid {
    pub(super) usage: Usage,
    pub(super) price: Price,
}

/// The components in the order of a request. A provider reads its prefix from the cache, writes what follows to it, and
/// takes the rest uncached; tokens that came after the newest request were not sent yet and cost nothing.
pub(super) fn shares(used: Components, paid: Option<&Paid>) -> Vec<ComponentShare> {
    let usage = paid.map(|paid| paid.usage).unwrap_or_default();
    let price = paid.map(|paid| paid.price.of_prompt(usage.prompt()));
    let (mut read, mut written, mut plain) = (usage.cache_read, usage.cache_write, usage.input);
    let parts = [
        ("tools", used.tools),
        ("system prompt", used.system),
        ("skills", used.skills),
        (CONVERSATION, used.conversation),
    ];
    let share = |(name, tokens): (&'static str, u64)| {
        let mut left = tokens;
        let cached = taken(&mut left, &mut read);
        let cache_write = taken(&mut left, &mut written);
        let input = taken(&mut left, &mut plain);
        let part = Usage { input, cache_read: cached, cache_write, output: 0, searches: 0 };
        let dollars = price.and_then(|price| price.dollars(part)).map(dollars_figure);
        ComponentShare { name, tokens, cached, dollars }
    };
    parts.into_iter().map(share).collect()
}

/// Subtracts the smaller of both from both.
fn taken(wanted: &mut u64, there: &mut u64) -> u64 {
    let taken = (*wanted).min(*there);
    *wanted -= taken;
    *there -= taken;
    taken
}

#[cfg(test)]
mod tests;
