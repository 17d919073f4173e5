//! Which answers of models were counted already: each was paid once, however many recordings have a copy of it.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use throughline_replay::{RecordedSession, RecordedStep, UnshownAnswer};

/// The answers that were counted so far, over all sessions of an audit.
#[derive(Debug, Default)]
pub struct CountedAnswers {
    names: HashSet<u64>,
}

impl CountedAnswers {
    /// For each step of a session, whether its request is counted here: the session has sent it, and no other recording has
    /// counted it.
    pub(super) fn count(&mut self, session: &RecordedSession) -> Vec<bool> {
        let steps = session.steps().enumerate();
        steps
            .map(|(place, step)| {
                !step.request.inherited && self.names.insert(hash(&name(session, place, step)))
            })
            .collect()
    }
}

impl CountedAnswers {
    /// Returns true if an answer that is in no turn is counted here.
    pub(super) fn counts(&mut self, session: &RecordedSession, unshown: &UnshownAnswer) -> bool {
        let name = match &unshown.answer {
            Some(answer) => format!("{} {answer}", session.format),
            None => format!("{} {} unshown {unshown:?}", session.format, session.id),
        };
        self.names.insert(hash(&name))
    }
}

/// A format without names of its own: everything that is recorded of an answer.
fn name(session: &RecordedSession, place: usize, step: &RecordedStep) -> String {
    match &step.request.answer {
        Some(answer) => format!("{} {answer}", session.format),
        None => {
            let RecordedStep { assistant, usage, asked_at, answered_at, .. } = step;
            let RecordedSession { format, id, part, .. } = session;
            format!("{format} {id} {part:?} {place} {assistant:?} {usage:?} {asked_at:?} {answered_at:?}")
        }
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}
