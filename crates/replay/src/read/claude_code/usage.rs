//! What the provider has reported for an answer.

use serde_json::Value;
use throughline_conversation::{Millis, Usage};

use super::super::content::{count, list, text_of};
use crate::session::{RequestTerms, UnshownAnswer};

/// The usage of a message; `None`: it has none.
pub(super) fn usage(message: &Value) -> Option<Usage> {
    used(message.get("usage")?)
}

/// Tokens of the cache write that were written for an hour.
pub(super) fn hour_write(usage: &Value) -> u64 {
    count(usage, &["cache_creation", "ephemeral_1h_input_tokens"])
}

/// How the request was sent.
pub(super) fn terms(usage: &Value) -> RequestTerms {
    let is = |name: &str, value: &str| text_of(usage, name) == Some(value);
    RequestTerms {
        fast: is("speed", "fast"),
        batch: is("service_tier", "batch"),
        us_only: is("inference_geo", "us"),
    }
}

/// What other models did for an answer, and what a compaction within it took: their tokens are not in the answer's own. `speaker` is
/// the model of the answer.
pub(super) fn iterations(message: &Value, speaker: Option<&str>, at: Option<Millis>) -> Vec<UnshownAnswer> {
    let id = text_of(message, "id").unwrap_or_default();
    let terms = message.get("usage").map(terms).unwrap_or_default();
    let all = message.get("usage").map_or(&[][..], |usage| list(usage, "iterations")).iter().enumerate();
    let apart = all.filter_map(|(place, one)| {
        let kind = text_of(one, "type").filter(|kind| matches!(*kind, "advisor_message" | "compaction"))?;
        Some(UnshownAnswer {
            answer: (!id.is_empty()).then(|| format!("{id} {kind} {place}")),
            model: text_of(one, "model").or(speaker).map(str::to_owned),
            usage: used(one)?,
            hour_write: hour_write(one),
            terms,
            answered_at: at,
            is_summary: kind == "compaction",
        })
    });
    apart.collect()
}

fn used(usage: &Value) -> Option<Usage> {
    let read = Usage {
        input: count(usage, &["input_tokens"]),
        cache_read: count(usage, &["cache_read_input_tokens"]),
        cache_write: count(usage, &["cache_creation_input_tokens"]),
        output: count(usage, &["output_tokens"]),
        searches: count(usage, &["server_tool_use", "web_search_requests"]),
    };
    (read.prompt() > 0).then_some(read)
}
