//! Requests that could have been saved: read-only calls that need nothing that the step before has shown first.

use std::collections::HashSet;

use serde::Serialize;
use throughline_conversation::ToolCall;
use throughline_ledger::StepKind;
use throughline_replay::{RecordedSession, RecordedStep};

use super::request::AuditedRequest;

/// Requests whose calls the answer before could have asked for, too.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct MergeableSteps {
    /// Requests.
    pub requests: u64,
    /// Dollars for reading their prompts from the cache. What they added is paid in any case.
    pub dollars: f64,
}

impl MergeableSteps {
    pub(super) fn add(&mut self, other: Self) {
        self.requests += other.requests;
        self.dollars += other.dollars;
    }
}

/// Finds them. A step can be merged with the read-only steps right before it, if it is read-only itself and no word of its calls was
/// shown by their results first. It is an upper bound: a model may choose a file by what it has just read.
pub(super) fn mergeable(session: &RecordedSession, requests: &[AuditedRequest]) -> MergeableSteps {
    let mut found = MergeableSteps::default();
    let mut requests = requests.iter();
    let mut known = Words::default();
    for turn in &session.turns {
        known.read(&turn.user.text());
        // Words that the results of the open steps have shown first. `None`: the step before is not read-only.
        let mut shown: Option<Words> = None;
        for (step, request) in turn.steps.iter().zip(requests.by_ref()) {
            let is_read_only = is_read_only(step);
            match &shown {
                Some(shown) if is_read_only && request.counted && !shown.has_word_of(step) => {
                    found.requests += 1;
                    found.dollars += request.causes.cache_reads.dollars;
                }
                _ => {
                    known.0.extend(shown.take().unwrap_or_default().0);
                }
            }
            known.read(&step.assistant.text());
            step.assistant.tool_calls().for_each(|call| known.read(&call.input.to_string()));
            let mut results = Words::default();
            step.results.iter().for_each(|result| results.read(&result.content));
            if is_read_only {
                results.0.retain(|word| !known.0.contains(word));
                shown.get_or_insert_default().0.extend(results.0);
            } else {
                known.0.extend(results.0);
            }
        }
        known.0.extend(shown.unwrap_or_default().0);
    }
    found
}

/// Returns true if the step has calls and each of them reads or searches.
fn is_read_only(step: &RecordedStep) -> bool {
    let result = |call: &ToolCall| step.results.iter().find(|result| result.call_id == call.id);
    let reads =
        |call: &ToolCall| matches!(StepKind::of_call(call, result(call)), StepKind::Read | StepKind::Search);
    let mut calls = step.assistant.tool_calls().peekable();
    calls.peek().is_some() && calls.all(reads)
}

/// Words of texts: names, parts of paths, and numbers such as those of lines.
#[derive(Debug, Default)]
struct Words(HashSet<String>);

impl Words {
    fn read(&mut self, text: &str) {
        for word in words(text) {
            if !self.0.contains(word) {
                self.0.insert(word.to_owned());
            }
        }
    }

    fn has_word_of(&self, step: &RecordedStep) -> bool {
        step.assistant
            .tool_calls()
            .any(|call| words(&call.input.to_string()).any(|word| self.0.contains(word)))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|one: char| !one.is_alphanumeric() && one != '_').filter(|word| word.len() > 1)
}
