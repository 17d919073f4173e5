//! What operations with a key have returned, for a caller that repeats them.

use std::collections::VecDeque;

use serde::Serialize;
use serde::de::DeserializeOwned;
use throughline_text::fingerprint;

/// Outcomes that are remembered. A worker repeats its last operations, not old ones.
const MAX_OUTCOMES: usize = 32;

/// Bytes of all of them. The body of a request is as long as its context.
const MAX_BYTES: usize = 1024 * 1024;

/// The newest outcomes of a context, as JSON: at most 32, and at most 1 MiB besides the newest one.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    newest_last: VecDeque<Outcome>,
    bytes: usize,
}

/// The key of an operation, and what the operation is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OperationKey {
    pub(crate) text: String,
    /// Fingerprint of the input; `None`: another one may have the same key.
    pub(crate) input: Option<u64>,
}

/// Operations that take what a model has said: it says something else when a worker that was killed asks it again.
const OF_MODEL: [&str; 5] = ["answer", "answer_stream", "refused", "summary", "no_summary"];

impl OperationKey {
    /// The key of an operation with this input.
    pub(crate) fn new(key: &str, operation: &str, input: &impl Serialize) -> Self {
        // What cannot be written as JSON has come as JSON.
        let input = || fingerprint(&serde_json::to_vec(input).unwrap_or_default());
        Self { text: key.to_owned(), input: (!OF_MODEL.contains(&operation)).then(input) }
    }
}

#[derive(Debug)]
struct Outcome {
    key: OperationKey,
    operation: &'static str,
    output: Vec<u8>,
}

impl Outcomes {
    /// Remembers what an operation has returned. An output that is no JSON is not remembered.
    pub(crate) fn note(&mut self, key: OperationKey, operation: &'static str, output: &impl Serialize) {
        let Ok(output) = serde_json::to_vec(output) else { return };
        self.bytes += output.len();
        self.newest_last.push_back(Outcome { key, operation, output });
        while self.newest_last.len() > MAX_OUTCOMES || (self.bytes > MAX_BYTES && self.newest_last.len() > 1)
        {
            let oldest = self.newest_last.pop_front();
            self.bytes -= oldest.map_or(0, |oldest| oldest.output.len());
        }
    }

    /// The operation that a key was used for.
    pub(crate) fn operation(&self, key: &str) -> Option<&'static str> {
        self.find(key).map(|found| found.operation)
    }

    /// Returns true if the operation with this key was given something else.
    pub(crate) fn has_other_input(&self, key: &OperationKey) -> bool {
        self.find(&key.text).is_some_and(|found| found.key.input != key.input)
    }

    /// What the operation with this key has returned. `T` is the output of that operation.
    pub(crate) fn output<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        serde_json::from_slice(&self.find(key)?.output).ok()
    }

    fn find(&self, key: &str) -> Option<&Outcome> {
        self.newest_last.iter().find(|outcome| outcome.key.text == key)
    }
}
