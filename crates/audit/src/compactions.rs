//! The compactions of the agent that was recorded.

use serde::Serialize;
use throughline_conversation::Usage;
use throughline_replay::SUMMARY_TOKENS;

use super::request::AuditedRequest;

/// A compaction of the recorded agent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AuditedCompaction {
    /// The first request after it, from 1.
    pub request: u64,
    /// Tokens of the request before.
    pub before: u64,
    /// Tokens of the request after.
    pub after: u64,
    /// Dollars that the request after paid for what was not in the cache.
    pub written: f64,
    /// Dollars that later requests did not pay for reading what had left, until the next compaction.
    pub saved: f64,
    /// Estimated dollars of the request for the summary, which logs do not have: it reads the prompt before, and writes
    /// 2,000 tokens. It is in no sum. 0: the agent has taken a view of Throughline, and no model was asked.
    pub summary_estimate: f64,
}

/// The compactions, oldest first.
pub(super) fn compactions(requests: &[AuditedRequest]) -> Vec<AuditedCompaction> {
    let mut found: Vec<AuditedCompaction> = Vec::new();
    let mut last = 0_u64;
    for (place, request) in requests.iter().enumerate() {
        let prompt = request.usage.prompt();
        if request.compacted {
            let summary = Usage { cache_read: last, output: SUMMARY_TOKENS, ..Usage::default() };
            found.push(AuditedCompaction {
                request: place as u64 + 1,
                before: last,
                after: prompt,
                written: request.causes.compactions.dollars,
                saved: 0.0,
                summary_estimate: if request.unasked { 0.0 } else { request.price.dollars(summary, 0) },
            });
        }
        if let Some(newest) = found.last_mut() {
            newest.saved += request.price.reading(newest.before.saturating_sub(newest.after) as f64);
        }
        last = prompt;
    }
    found
}
