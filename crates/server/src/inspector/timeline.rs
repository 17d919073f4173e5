//! The window of a session over time: one point for each request.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_completion::Price;
use throughline_conversation::{
    MessageRecord, Millis, Receipt, Record, RecordBody, Seq, Source, Usage, WindowFigures,
};
use throughline_providers::models::ModelTable;

use super::prices::Prices;

/// From this many milliseconds on, a pause between two requests is an idle gap: providers store a prompt cache for five
/// minutes unless they are asked for more.
pub(crate) const IDLE_GAP: i64 = 5 * 60_000;

/// A request in the course of a session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "BudgetPoint")]
pub(crate) struct RequestPoint {
    /// Its number, from 1.
    pub(crate) request: u64,
    /// Its turn.
    pub(crate) turn: u64,
    /// The record of its receipt.
    #[schemars(with = "u64")]
    pub(crate) record: Seq,
    /// When its answer was stored.
    #[schemars(with = "i64")]
    pub(crate) at_ms: Millis,
    /// The model.
    pub(crate) model: String,
    /// The window by component, in tokens.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub(crate) window: WindowFigures,
    /// What the provider reported; without a report, what was predicted.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub(crate) usage: Usage,
    /// The provider reported the usage.
    pub(crate) is_reported: bool,
    /// The output is counted from the text of the answer: the file has only the first count of a stream, or none.
    pub(crate) is_output_estimated: bool,
    /// Tokens that the compaction before it took out of the request; `None`: nothing was compacted.
    pub(crate) compacted: Option<u64>,
    /// Milliseconds from the answer before it to its asking, if they are an idle gap.
    pub(crate) idle_ms: Option<i64>,
    /// Why it missed the cache; `None`: it did not, or that is not known.
    pub(crate) miss: Option<String>,
    /// Dollars for what it sent again because of that; `None`: it did not miss, or the price is not known.
    pub(crate) missed_dollars: Option<f64>,
    /// Milliseconds from its newest message to the whole answer; `None`: the log does not tell.
    pub(crate) took_ms: Option<i64>,
    /// The tools that its answer called, in order.
    pub(crate) calls: Vec<String>,
    /// What it cost; `None`: the price or the usage is not known.
    pub(crate) dollars: Option<f64>,
}

/// A cache that a request has missed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LostCache {
    /// The request.
    pub(crate) request: u64,
    /// Why, in a few words.
    pub(crate) cause: String,
    /// Milliseconds of the idle gap before it; `None`: it had no gap before it.
    pub(crate) idle_ms: Option<i64>,
    /// Dollars for what was sent again; `None`: the price is not known.
    pub(crate) dollars: Option<f64>,
}

impl RequestPoint {
    /// The cache that it has missed; `None`: none, or that is not known.
    pub(crate) fn lost_cache(&self) -> Option<LostCache> {
        Some(LostCache {
            request: self.request,
            cause: self.miss.clone()?,
            idle_ms: self.idle_ms,
            dollars: self.missed_dollars,
        })
    }
}

/// The answer to a request that showed the log up to a record: the next message of the model.
pub(super) fn answer_after(records: &[Record], upto: Seq) -> Option<(&Record, &MessageRecord)> {
    let place = records.partition_point(|record| record.seq <= upto);
    // Between a request and its answer are few records, none of them a message of somebody else.
    let next = records.get(place..)?.iter().find_map(|record| match &record.body {
        RecordBody::Message(message) => Some((record, message)),
        _ => None,
    })?;
    matches!(next.1.source, Source::Model(_)).then_some(next)
}

/// When the newest message of a request was made.
fn sent_at(records: &[Record], upto: Seq) -> Option<Millis> {
    let place = records.partition_point(|record| record.seq <= upto);
    records.get(place.checked_sub(1)?).map(|record| record.at)
}

/// Dollars for what a request sent again because it missed the cache.
fn missed_dollars(receipt: &Receipt, price: Price) -> Option<f64> {
    let (used, miss) = (receipt.reported?, receipt.cache_miss()?);
    let missed = miss.warm.saturating_sub(miss.read);
    let again = missed.min(used.cache_write);
    let uncached = (missed - again).min(used.input);
    price.of_prompt(used.prompt()).dollars(Usage { input: uncached, cache_write: again, ..Usage::default() })
}

/// The requests of a log, oldest first.
#[must_use]
pub(crate) fn timeline(records: &[Record], table: &ModelTable) -> Vec<RequestPoint> {
    let (mut points, mut prices) = (Vec::new(), Prices::new(table));
    let (mut before, mut idle) = (None::<Millis>, None);
    for record in records {
        prices.take(&record.body);
        match &record.body {
            // Before the first request there is no cache.
            RecordBody::Message(message) if message.source == Source::User && !points.is_empty() => {
                let pause = before.map_or(0, |before| record.at.0.saturating_sub(before.0));
                idle = idle.or((pause >= IDLE_GAP).then_some(pause));
            }
            RecordBody::Receipt(receipt) => {
                let price = prices.of(&receipt.model);
                let answer = answer_after(records, receipt.upto);
                let sent = sent_at(records, receipt.upto);
                let took = answer.zip(sent).map(|((record, _), sent)| record.at.0.saturating_sub(sent.0));
                points.push(RequestPoint {
                    request: receipt.request,
                    turn: record.exchange.0,
                    record: record.seq,
                    at_ms: record.at,
                    model: receipt.model.clone(),
                    window: receipt.window,
                    usage: receipt.reported.unwrap_or(receipt.predicted),
                    is_reported: receipt.reported.is_some(),
                    is_output_estimated: false,
                    compacted: receipt
                        .compaction
                        .as_ref()
                        .map(|made| made.before_tokens.saturating_sub(made.after_tokens)),
                    idle_ms: idle.take(),
                    miss: receipt.cache_miss().map(|miss| miss.cause()),
                    missed_dollars: missed_dollars(receipt, price),
                    took_ms: took.filter(|took| *took >= 0),
                    calls: answer.map_or_else(Vec::new, |(_, said)| {
                        said.message.tool_calls().map(|call| call.name.clone()).collect()
                    }),
                    dollars: receipt.reported.and_then(|used| price.dollars(used)),
                });
            }
            _ => {}
        }
        before = Some(record.at);
    }
    points
}
