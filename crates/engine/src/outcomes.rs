//! What operations with a key have returned, so that a repeated one changes nothing.

use std::collections::VecDeque;

use crate::answered::Answered;
use crate::engine_error::EngineError;

/// Outcomes that are remembered. A worker repeats its last operations, not old ones.
const MAX_OUTCOMES: usize = 64;

/// The outcome of an operation.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// A message was accepted.
    Accepted,
    /// What follows an answer, or the results of its calls.
    Answered(Answered),
}

impl Outcome {
    /// What follows; `None` after a message of the user.
    pub(crate) fn answered(self) -> Option<Answered> {
        match self {
            Self::Answered(answered) => Some(answered),
            Self::Accepted => None,
        }
    }
}

/// Outcomes by key.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    known: VecDeque<(String, &'static str, Outcome)>,
}

impl Outcomes {
    /// The outcome of this key, if the operation was done.
    ///
    /// # Errors
    /// [`EngineError::Key`] if the key was used for another operation.
    pub(crate) fn find(&self, key: &str, now: &'static str) -> Result<Option<Outcome>, EngineError> {
        match self.known.iter().find(|(known, ..)| known == key) {
            Some((_, before, outcome)) if *before == now => Ok(Some(outcome.clone())),
            Some((_, before, _)) => Err(EngineError::Key { key: key.to_owned(), before, now }),
            None => Ok(None),
        }
    }

    pub(crate) fn note(&mut self, key: &str, operation: &'static str, outcome: Outcome) {
        if self.known.len() >= MAX_OUTCOMES {
            self.known.pop_front();
        }
        self.known.push_back((key.to_owned(), operation, outcome));
    }
}
