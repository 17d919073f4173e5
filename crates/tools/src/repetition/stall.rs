//! Requests in a row without progress.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use throughline_conversation::ToolCall;

use crate::output::ToolOutput;

/// What the calls of a request brought, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Gain {
    /// No call was run.
    #[default]
    NotRun,
    /// Calls of this turn with the answers that they had before, or an answer without calls.
    Known,
    /// Calls that failed, or repeated ones with new answers.
    Little,
    /// A new call that succeeded.
    New,
}

impl Gain {
    /// What it adds to the count, in halves of a request.
    fn weight(self) -> u64 {
        match self {
            Self::NotRun => 8,
            Self::Known => 2,
            Self::Little => 1,
            Self::New => 0,
        }
    }
}

/// Counts requests in a row without progress.
#[derive(Debug, Clone, Default)]
pub(super) struct StallCounter {
    limit: Option<u64>,
    /// The newest answer of each call of the turn, both as digests.
    answers: HashMap<u64, u64>,
    /// The best of the request whose calls are running.
    gain: Gain,
    /// Requests in a row without progress,
    requests: u64,
    /// and their weights, in halves of a request.
    halves: u64,
}

impl StallCounter {
    pub(super) fn new(limit: Option<u64>) -> Self {
        Self { limit, ..Self::default() }
    }

    /// An empty counter with the same limit.
    pub(super) fn restarted(&self) -> Self {
        Self::new(self.limit)
    }

    pub(super) fn requests(&self) -> u64 {
        self.requests
    }

    /// Returns true if this call was made before and half of the limit is used up.
    pub(super) fn refuses(&self, call: &ToolCall) -> bool {
        self.limit.is_some_and(|limit| self.halves >= limit.max(1))
            && self.answers.contains_key(&call_digest(call))
    }

    /// Returns true if the call was answered before, and otherwise.
    pub(super) fn note_output(&mut self, call: &ToolCall, output: &ToolOutput) -> bool {
        let answer = output_digest(output);
        let before = self.answers.insert(call_digest(call), answer);
        let gain = match before {
            Some(before) if before == answer => Gain::Known,
            None if !output.is_error => Gain::New,
            _ => Gain::Little,
        };
        self.gain = self.gain.max(gain);
        before.is_some_and(|before| before != answer)
    }

    /// Takes an answer that calls nothing: it brings as little as a repeated call.
    pub(super) fn note_no_call(&mut self) {
        self.gain = self.gain.max(Gain::Known);
    }

    pub(super) fn end_request(&mut self) {
        let gain = std::mem::take(&mut self.gain);
        if gain == Gain::New {
            (self.requests, self.halves) = (0, 0);
        } else {
            self.requests = self.requests.saturating_add(1);
            self.halves = self.halves.saturating_add(gain.weight());
        }
    }

    pub(super) fn stalled(&self) -> Option<u64> {
        let limit = self.limit?;
        (self.halves >= limit.saturating_mul(2)).then_some(self.requests)
    }
}

fn call_digest(call: &ToolCall) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&call.name, &call.input).hash(&mut hasher);
    hasher.finish()
}

fn output_digest(output: &ToolOutput) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&output.bytes, output.is_error).hash(&mut hasher);
    for image in &output.images {
        image.data.hash(&mut hasher);
    }
    hasher.finish()
}
