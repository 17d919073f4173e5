//! What an answer uses, and whether the request before it showed it.
//!
//! Two measures. Names: paths and identifiers in the arguments of calls. Edit lines: lines that an edit quotes.
//! Only those count that the model can know from a tool's result alone: their first place in the session is
//! one. The second measure is the harder: an index can hold names, but not the lines of files.

mod names;
mod needs;
mod text;

use std::collections::HashMap;
use std::sync::Arc;

use throughline_completion::CompletionRequest;

use self::needs::{Need, needs};
use self::text::{has_word, texts};
use crate::session::RecordedSession;

/// Looks for what the coming answer uses in each request.
#[derive(Debug)]
pub(crate) struct Recall {
    needs: HashMap<(usize, usize), Arc<Need>>,
    shares: Shares,
}

/// Both measures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Shares {
    pub(crate) names: FoundOf,
    pub(crate) lines: FoundOf,
}

/// How many were found, of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FoundOf {
    pub(crate) found: u64,
    pub(crate) of: u64,
}

impl FoundOf {
    /// Between 0 and 1; 1 when nothing was needed.
    pub(crate) fn share(self) -> f64 {
        if self.of == 0 { 1.0 } else { self.found as f64 / self.of as f64 }
    }

    fn count(&mut self, found: bool) {
        self.of += 1;
        self.found += u64::from(found);
    }
}

impl Recall {
    /// Finds once what each answer of a session needs.
    pub(crate) fn of(session: &RecordedSession) -> Self {
        let needs = needs(session).into_iter().map(|(place, need)| (place, Arc::new(need))).collect();
        Self { needs, shares: Shares::default() }
    }

    /// Looks into the request for an answer.
    pub(crate) fn look(&mut self, request: &CompletionRequest, turn: usize, step: usize) {
        let Some(need) = self.needs.get(&(turn, step)).map(Arc::clone) else { return };
        for name in &need.names {
            self.shares.names.count(shows(request, |text| has_word(text, name)));
        }
        for line in &need.lines {
            self.shares.lines.count(shows(request, |text| text.contains(line.as_str())));
        }
    }

    pub(crate) fn shares(&self) -> Shares {
        self.shares
    }
}

/// Returns true if any text of the request has it. Starts with the newest texts, where most are found.
fn shows(request: &CompletionRequest, has: impl Fn(&str) -> bool) -> bool {
    request.tail.iter().any(|note| has(note))
        || request.transcript.messages().rev().any(|message| texts(message).into_iter().any(&has))
        || request.system.iter().any(|section| has(&section.text))
}

#[cfg(test)]
mod tests;
