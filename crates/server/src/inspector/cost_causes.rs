//! What a session has cost, by cause. The causes do not overlap, so they add up to the whole.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use throughline_completion::Dollars;
use throughline_conversation::{Receipt, Record, RecordBody, Usage};
use throughline_providers::models::ModelTable;

use super::prices::Prices;
use super::session_figures::dollars_of;

/// Requests that share a cause, and what it cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CauseCost {
    /// The cause in a few words.
    pub(crate) cause: String,
    /// Requests with it.
    pub(crate) requests: u64,
    /// Tokens because of it.
    pub(crate) tokens: u64,
    /// Dollars because of it, as far as prices are known.
    pub(crate) dollars: f64,
    /// Requests whose price is not known.
    pub(crate) unpriced: u64,
    /// The number of the request that paid most for it, or had the most tokens where prices are not known. `null`: no request of a turn
    /// did.
    pub(crate) dearest: Option<u64>,
}

impl CauseCost {
    /// What it cost: a lower bound where prices are missing.
    pub(crate) fn known(&self) -> Dollars {
        let is_known = self.unpriced < self.requests || self.dollars > 0.0;
        dollars_of(is_known.then_some(self.dollars), self.unpriced == 0)
    }
}

/// The parts of the cost of a log's requests, the dearest first.
#[must_use]
pub(crate) fn cost_causes(records: &[Record], table: &ModelTable) -> Vec<CauseCost> {
    let mut causes: BTreeMap<String, CauseCost> = BTreeMap::new();
    let mut dearest: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    let mut add = |cause: &str, usage: Usage, requests: u64, dollars: Option<f64>, request: Option<u64>| {
        let tokens = usage.prompt().saturating_add(usage.output);
        if tokens == 0 && usage.searches == 0 {
            return;
        }
        let most = dearest.entry(cause.to_owned()).or_default();
        let entry = causes.entry(cause.to_owned()).or_default();
        entry.requests = entry.requests.saturating_add(requests);
        entry.tokens = entry.tokens.saturating_add(tokens);
        match dollars {
            Some(dollars) => entry.dollars += dollars,
            None => entry.unpriced = entry.unpriced.saturating_add(requests),
        }
        let paid = (dollars.unwrap_or_default(), tokens);
        if let Some(request) = request
            && (entry.dearest.is_none() || paid > *most)
        {
            (*most, entry.dearest) = (paid, Some(request));
        }
    };
    let mut prices = Prices::new(table);
    for record in records {
        prices.take(&record.body);
        match &record.body {
            RecordBody::Receipt(receipt) => {
                let prompt = receipt.reported.map(|used| used.prompt()).unwrap_or_default();
                let price = prices.of(&receipt.model).of_prompt(prompt);
                for (cause, usage) in parts(receipt) {
                    add(&cause, usage, 1, price.dollars(usage), Some(receipt.request));
                }
            }
            RecordBody::Spent(used) => {
                let price = prices.of_origin(&used.origin);
                let dollars = price.dollars_of_sum(used.requests, used.usage).map(|(dollars, _)| dollars);
                add("summaries and stopped answers", used.usage, used.requests, dollars, None);
            }
            _ => {}
        }
    }
    let mut causes: Vec<CauseCost> =
        causes.into_iter().map(|(cause, cost)| CauseCost { cause, ..cost }).collect();
    causes.sort_by(|one, other| other.dollars.total_cmp(&one.dollars).then(other.tokens.cmp(&one.tokens)));
    causes
}

/// What a request used, by cause.
fn parts(receipt: &Receipt) -> Vec<(String, Usage)> {
    let Some(used) = receipt.reported else { return Vec::new() };
    let (mut written, mut plain) = (used.cache_write, used.input);
    let mut parts = Vec::new();
    if let Some(miss) = receipt.cache_miss() {
        let missed = miss.warm.saturating_sub(miss.read);
        let again = missed.min(written);
        let uncached = (missed - again).min(plain);
        (written, plain) = (written - again, plain - uncached);
        let usage = Usage { input: uncached, cache_write: again, ..Usage::default() };
        parts.push((format!("sent again: {}", miss.cause()), usage));
    }
    parts.push(("new input".to_owned(), Usage { input: plain, cache_write: written, ..Usage::default() }));
    let read = Usage { cache_read: used.cache_read, ..Usage::default() };
    parts.push(("read from the cache".to_owned(), read));
    parts.push(("output".to_owned(), Usage { output: used.output, ..Usage::default() }));
    parts.push(("web searches".to_owned(), Usage { searches: used.searches, ..Usage::default() }));
    parts
}
