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
    /// Dollars of the request for the summary, where the log has its usage. They are in the sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<f64>,
    /// Estimated dollars of the request for the summary, where the log does not have it: it reads the prompt before, and writes
    /// 2,000 tokens. It is in no sum. 0: the log has it, or the agent has taken a view of Throughline, and no model was asked.
    pub summary_estimate: f64,
}

/// The compactions, oldest first.
pub(super) fn compactions(requests: &[AuditedRequest]) -> Vec<AuditedCompaction> {
    let mut found: Vec<AuditedCompaction> = Vec::new();
    let mut last = 0_u64;
    for (place, request) in requests.iter().enumerate() {
        let prompt = request.usage.prompt();
        if request.compacted {
            let estimated = Usage { cache_read: last, output: SUMMARY_TOKENS, ..Usage::default() };
            let is_estimated = request.summaries.is_none() && !request.unasked;
            found.push(AuditedCompaction {
                request: place as u64 + 1,
                before: last,
                after: prompt,
                written: request.causes.compactions.dollars,
                saved: 0.0,
                summary: request.summaries,
                summary_estimate: if is_estimated { request.price.dollars(estimated, 0) } else { 0.0 },
            });
        }
        if let Some(newest) = found.last_mut() {
            newest.saved += request.price.reading(newest.before.saturating_sub(newest.after) as f64);
        }
        last = prompt;
    }
    found
}
