//! What an answer uses, and whether the request before it showed it.

use std::collections::HashMap;
use std::sync::Arc;

use throughline_conversation::Message;
use throughline_ledger::{Missed, Need, NeedTracker, Shown};

use crate::session::RecordedSession;

/// What the answers of a session use. It is found once and serves every replay of that session.
#[derive(Debug, Clone)]
pub struct SessionNeeds(pub(crate) Arc<Recall>);

impl SessionNeeds {
    /// Finds what each answer of a session uses.
    #[must_use]
    pub fn of(session: &RecordedSession) -> Self {
        Self(Arc::new(Recall::of(session)))
    }
}

/// What each answer of a session needs, by turn and step.
#[derive(Debug)]
pub(crate) struct Recall {
    needs: HashMap<(usize, usize), Need>,
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

    fn add(&mut self, of: usize, missed: u64) {
        self.of += of as u64;
        self.found += (of as u64).saturating_sub(missed);
    }
}

impl Shares {
    /// Adds what an answer needed, and what of it its request did not show.
    pub(crate) fn add(&mut self, looked: &Looked) {
        self.names.add(looked.names, looked.missed.names);
        self.lines.add(looked.lines, looked.missed.lines);
    }
}

/// What an answer needed, and what its request did not show.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Looked {
    names: usize,
    lines: usize,
    pub(crate) missed: Missed,
}

impl Looked {
    /// An answer that needs lines only.
    pub(crate) fn of_lines(lines: usize, missed: u64) -> Self {
        Self { names: 0, lines, missed: Missed { lines: missed, ..Missed::default() } }
    }
}

impl Recall {
    /// Finds once what each answer of a session needs.
    pub(crate) fn of(session: &RecordedSession) -> Self {
        let mut tracker = NeedTracker::default();
        let mut needs = HashMap::new();
        for (place, turn) in session.turns.iter().enumerate() {
            tracker.note(&Arc::new(turn.user.clone()));
            for (number, step) in turn.steps.iter().enumerate() {
                let need = tracker.need(&step.assistant);
                if !need.is_empty() {
                    needs.insert((place, number), need);
                }
                tracker.note(&Arc::new(step.assistant.clone()));
                if !step.results.is_empty() {
                    tracker.note(&Arc::new(Message::results(step.results.iter().cloned())));
                }
            }
        }
        Self { needs }
    }

    /// The lines that an answer quotes.
    pub(crate) fn lines(&self, turn: usize, step: usize) -> &[String] {
        self.needs.get(&(turn, step)).map_or(&[], |need| &need.lines)
    }

    /// Looks for the needs of an answer in a request. The request's texts are collected only if there are needs.
    pub(crate) fn look<'a>(&self, turn: usize, step: usize, shown: impl FnOnce() -> Shown<'a>) -> Looked {
        let Some(need) = self.needs.get(&(turn, step)) else { return Looked::default() };
        Looked { names: need.names.len(), lines: need.lines.len(), missed: need.missed(&shown()) }
    }
}
