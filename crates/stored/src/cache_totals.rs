//! What the prompt cache did in a session: misses by their causes, and how good the predictions were.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use throughline_conversation::Receipt;
use throughline_text::group_thousands;

/// Counts of a session's requests. Displayed by [`CacheTotals::line`].
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheTotals {
    /// Requests with a report of the provider.
    pub requests: u64,
    /// Requests that read less than the request before left in the cache, by cause.
    pub misses: BTreeMap<String, u64>,
    /// Requests that read what was predicted.
    pub predicted: u64,
    /// The provider has reported some use of a cache.
    pub is_reported: bool,
}

impl CacheTotals {
    pub(crate) fn add(&mut self, receipt: &Receipt) {
        let Some(reported) = receipt.reported else { return };
        self.requests += 1;
        self.is_reported |= reported.cache_read > 0 || reported.cache_write > 0;
        self.predicted += u64::from(receipt.predicted_cache_read() == Some(true));
        if let Some(miss) = receipt.cache_miss() {
            *self.misses.entry(miss.cause()).or_default() += 1;
        }
    }

    /// Requests that missed the cache, for whatever cause.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.misses.values().sum()
    }

    /// Misses by their causes and the share of right predictions, for a person. `None`: the provider reports no cache.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let right = (self.predicted * 100).checked_div(self.requests).filter(|_| self.is_reported)?;
        let missed = match self.missed() {
            0 => format!("none of {} requests missed the cache", group_thousands(self.requests)),
            missed => {
                let mut causes: Vec<(u64, &String)> =
                    self.misses.iter().map(|(cause, count)| (*count, cause)).collect();
                causes.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
                let causes: Vec<String> = causes
                    .into_iter()
                    .map(|(count, cause)| format!("{} {cause}", group_thousands(count)))
                    .collect();
                let (missed, all) = (group_thousands(missed), group_thousands(self.requests));
                format!("{missed} of {all} requests missed the cache: {}", causes.join(", "))
            }
        };
        Some(format!("{missed}; {right}% predicted"))
    }

    /// The same for a program; `null` if the provider reports no cache.
    #[must_use]
    pub fn json(&self) -> Value {
        if !self.is_reported {
            return Value::Null;
        }
        let misses: Vec<Value> =
            self.misses.iter().map(|(cause, count)| json!({"cause": cause, "requests": count})).collect();
        json!({"requests": self.requests, "missed": self.missed(), "misses": misses, "predicted": self.predicted})
    }
}
