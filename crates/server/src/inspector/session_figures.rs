//! What a session amounts to: one function for the list, the head, the cards, the API and the report.

use throughline_completion::{Cost, Dollars, Price};
use throughline_conversation::{Record, RecordBody, Usage};
use throughline_providers::models::ModelTable;

use super::prices::Prices;
use super::timeline::RequestPoint;
use super::turn_rows::TurnRow;

/// Requests that no turn shows: they were paid, too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SideRequests {
    pub(crate) count: u64,
    /// What they are, after their number.
    pub(crate) what: &'static str,
    pub(crate) dollars: Dollars,
}

/// The figures of a session.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SessionFigures {
    pub(crate) turns: u64,
    /// All requests but those of a stored session that are in no turn.
    pub(crate) requests: u64,
    pub(crate) calls: u64,
    /// Tokens of all requests.
    pub(crate) usage: Usage,
    /// Dollars of all requests.
    pub(crate) dollars: Dollars,
    /// Requests whose price is not known, and their models, sorted.
    pub(crate) unpriced: u64,
    pub(crate) unpriced_models: Vec<String>,
    /// Requests whose usage the provider did not report, and whose cost is not known for that.
    pub(crate) unreported: u64,
    /// `None`: every request is in a turn.
    pub(crate) side: Option<SideRequests>,
    /// Milliseconds from the words of the user to the answers, without idle gaps.
    pub(crate) took_ms: i64,
    /// Milliseconds of all idle gaps, within turns and between them.
    pub(crate) idle_ms: i64,
    /// Dollars that all would have cost more without a cache. Negative: writing to it cost more than reading from it saved.
    /// `None`: no price is known.
    pub(crate) cache_saved: Option<f64>,
}

impl SessionFigures {
    /// The figures of a stored session.
    pub(crate) fn of_log(
        records: &[Record],
        points: &[RequestPoint],
        turns: &[TurnRow],
        table: &ModelTable,
    ) -> Self {
        let (mut all, mut side) = (Cost::default(), Cost::default());
        let (mut prices, mut unpriced_models, mut cache_saved) = (Prices::new(table), Vec::new(), None);
        for record in records {
            prices.take(&record.body);
            let (price, model, usage) = match &record.body {
                RecordBody::Receipt(receipt) => {
                    let price = prices.of(&receipt.model);
                    all.add_request(receipt.reported, &price);
                    (price, &receipt.model, receipt.reported)
                }
                RecordBody::Spent(used) => {
                    let price = prices.of_origin(&used.origin);
                    all.add_side_requests(used, &price);
                    side.add_side_requests(used, &price);
                    (price, &used.origin.model, None)
                }
                _ => continue,
            };
            if price.dollars_per_million_input.is_none() {
                unpriced_models.push(model.clone());
            }
            add(&mut cache_saved, usage.and_then(|usage| saved_of(price, usage, price.dollars(usage)?)));
        }
        unpriced_models.sort();
        unpriced_models.dedup();
        Self {
            turns: turns.len() as u64,
            requests: all.requests,
            calls: calls_of(turns),
            usage: all.usage,
            dollars: all.dollars(),
            unpriced: all.unpriced,
            unpriced_models,
            unreported: all.unreported,
            side: (side.side_requests > 0).then(|| SideRequests {
                count: side.side_requests,
                what: "for summaries and stopped answers",
                dollars: side.dollars(),
            }),
            took_ms: took_of(turns),
            idle_ms: idle_of(points),
            cache_saved,
        }
    }
}

/// Calls of all turns.
pub(crate) fn calls_of(turns: &[TurnRow]) -> u64 {
    turns.iter().map(|turn| turn.calls).sum()
}

/// Milliseconds of all turns, without idle gaps.
pub(crate) fn took_of(turns: &[TurnRow]) -> i64 {
    turns.iter().filter_map(|turn| turn.took_ms).sum()
}

/// Milliseconds of all idle gaps.
pub(crate) fn idle_of(points: &[RequestPoint]) -> i64 {
    points.iter().filter_map(|point| point.idle_ms).sum()
}

/// What a request that cost these dollars would have cost more without a cache; `None`: the price is not known.
pub(crate) fn saved_of(price: Price, usage: Usage, dollars: f64) -> Option<f64> {
    let uncached = Usage { input: usage.prompt(), cache_read: 0, cache_write: 0, ..usage };
    price.dollars(uncached).map(|uncached| uncached - dollars)
}

/// Adds to a sum what is known.
pub(crate) fn add(sum: &mut Option<f64>, one: Option<f64>) {
    if let Some(one) = one {
        *sum = Some(sum.unwrap_or_default() + one);
    }
}

/// The sum of what requests have cost; unknown where nothing is known.
pub(crate) fn sum_of(all: impl IntoIterator<Item = Option<f64>>) -> Dollars {
    let (mut sum, mut unknown) = (None, false);
    for one in all {
        unknown |= one.is_none();
        add(&mut sum, one);
    }
    dollars_of(sum, !unknown)
}

/// The sum of sums: a lower bound unless each is exact, and unknown where nothing is known.
pub(crate) fn total(all: impl IntoIterator<Item = Dollars>) -> Dollars {
    let (mut sum, mut is_exact) = (None, true);
    for one in all {
        is_exact &= one.exact().is_some();
        add(&mut sum, one.at_least());
    }
    dollars_of(sum, is_exact)
}

/// A sum that is exact or a lower bound.
pub(crate) fn dollars_of(sum: Option<f64>, is_exact: bool) -> Dollars {
    match sum {
        None => Dollars::Unknown,
        Some(sum) if is_exact => Dollars::Exact(sum),
        Some(sum) => Dollars::AtLeast(sum),
    }
}
