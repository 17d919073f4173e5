//! Looks at every request of a replay.

use std::sync::{Mutex, PoisonError};

use throughline_completion::CompletionRequest;
use throughline_conversation::EntryKind;
use throughline_replay::WireCheck;

use crate::generated::{FIRST_REQUEST, INJECTED, RULES, changed};

/// A conversation that is smaller than before by this many tokens was compacted.
const CUT: u64 = 1_000;

/// What one request had directly after a compaction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AfterCut {
    /// Tokens of the conversation.
    pub(crate) tokens: u64,
    /// Files that were changed until then, and those of them that are named.
    pub(crate) files: (usize, usize),
    /// The first request is there word for word.
    pub(crate) first: bool,
    /// Rules that were given until then, and those of them that are there word for word.
    pub(crate) rules: (usize, usize),
}

/// Collects what requests have after each compaction.
#[derive(Debug, Default)]
pub(crate) struct Observer {
    state: Mutex<Observed>,
}

/// What was seen.
#[derive(Debug, Default, Clone)]
pub(crate) struct Observed {
    pub(crate) cuts: Vec<AfterCut>,
    /// Summaries in which an instruction of a result stands outside of its quotes.
    pub(crate) injected: usize,
    requests: usize,
    tokens: u64,
}

impl Observer {
    pub(crate) fn seen(&self) -> Observed {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl WireCheck for Observer {
    fn check(&self, request: &CompletionRequest) -> Vec<String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = request.transcript.entries();
        let tokens: u64 = entries.iter().map(|entry| entry.tokens).sum();
        if state.note(tokens, || text_of(request)) {
            let summaries = entries.iter().filter(|entry| entry.kind == EntryKind::Summary);
            let own = summaries.filter(|entry| entry.message.texts().any(says_injected)).count();
            state.injected += own;
        }
        Vec::new()
    }
}

impl Observed {
    /// Notes a request with this many tokens of conversation. Returns true if it was compacted before.
    pub(crate) fn note(&mut self, tokens: u64, text: impl FnOnce() -> String) -> bool {
        let cut = tokens + CUT < self.tokens;
        if cut {
            self.cuts.push(after_cut(&text(), tokens, self.requests));
        }
        self.tokens = tokens;
        self.requests += 1;
        cut
    }
}

fn after_cut(text: &str, tokens: u64, requests: usize) -> AfterCut {
    // Each turn of 40 steps ends with one more answer.
    let steps = requests - requests / 41;
    let changed: Vec<String> = changed(steps).collect();
    let named = changed.iter().filter(|file| is_named(text, file)).count();
    let given = (requests / 41).min(RULES.len());
    let rules = RULES.iter().take(given).filter(|rule| text.contains(**rule)).count();
    let first = text.contains(FIRST_REQUEST);
    AfterCut { tokens, files: (named, changed.len()), first, rules: (rules, given) }
}

/// Returns true if a text names a file: by its path or by its own name, which no other file has.
fn is_named(text: &str, file: &str) -> bool {
    file.rsplit('/').next().is_some_and(|name| text.contains(name))
}

/// Returns true if a summary says what a result asked for, on a line that is no quote of an error.
fn says_injected(text: &str) -> bool {
    text.lines()
        .any(|line| INJECTED.iter().any(|injected| line.trim_start_matches(['-', ' ']).starts_with(injected)))
}

fn text_of(request: &CompletionRequest) -> String {
    let mut text = String::new();
    let system = request.system.iter().map(|section| section.text.as_str());
    for part in system.chain(request.tail.iter().map(String::as_str)) {
        text.push_str(part);
        text.push('\n');
    }
    for message in request.transcript.messages() {
        text.push_str(&crate::recall::text_of(message));
    }
    // Quotes of the user's words begin their lines with this.
    text.replace("\n> ", "\n")
}
