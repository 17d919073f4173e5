//! Overflows that are guessed from unknown words: at most one wrong guess.

use std::collections::BTreeMap;

use throughline_budget::{Limits, Meter};
use throughline_completion::{GuessedOverflow, ModelError, RejectedSize};

use super::Window;

/// Whether an unknown error may be taken for an overflow.
#[derive(Debug)]
pub(super) enum GuessState {
    Allowed,
    /// A guess was made, and no request has been answered since.
    Open(Box<BeforeGuess>),
    /// A guess was wrong: there are no more.
    Spent,
}

/// The window before a guess, and the error.
#[derive(Debug)]
pub(super) struct BeforeGuess {
    message: String,
    total: u64,
    reserved: u64,
    limits: Limits,
    meter: Meter,
    learnt: BTreeMap<String, u64>,
}

/// What an error is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guess {
    /// What it says.
    None,
    Overflow(GuessedOverflow),
    /// What it says, and the guess before was wrong.
    Wrong,
}

impl Window {
    /// Guesses whether the error of a request of `raw` tokens means an overflow. The same error again is not one.
    pub(crate) fn guess(&mut self, error: &ModelError, raw: u64, may_compact: bool) -> Guess {
        let Some(guessed) = error.guessed_overflow(self.rejected(raw)) else {
            // Known words, or another matter: an open guess ends with the next answer.
            return match &self.guess {
                GuessState::Open(before) if before.message == error.to_string() => Guess::Wrong,
                _ => Guess::None,
            };
        };
        let message = error.to_string();
        match &self.guess {
            GuessState::Spent => return Guess::None,
            GuessState::Open(before) if before.message == message || !may_compact => return Guess::Wrong,
            GuessState::Open(_) => {}
            GuessState::Allowed if !may_compact => return Guess::None,
            GuessState::Allowed => {
                self.guess = GuessState::Open(Box::new(BeforeGuess {
                    message,
                    total: self.total,
                    reserved: self.reserved,
                    limits: self.limits,
                    meter: self.meter.clone(),
                    learnt: self.learnt.clone(),
                }));
            }
        }
        Guess::Overflow(guessed)
    }

    /// The guess that would be the first about the error of a request of `raw` tokens.
    pub(crate) fn first_guess(&self, error: &ModelError, raw: u64) -> Option<GuessedOverflow> {
        let is_allowed = matches!(self.guess, GuessState::Allowed);
        error.guessed_overflow(self.rejected(raw)).filter(|_| is_allowed)
    }

    /// Returns true if a guess was made that no answer has confirmed.
    pub(crate) fn is_guessing(&self) -> bool {
        matches!(self.guess, GuessState::Open(_))
    }

    /// A request was answered: an open guess was right. Returns the window that was learned since it was made.
    pub(crate) fn confirm_guess(&mut self) -> Option<u64> {
        if !self.is_guessing() {
            return None;
        }
        match std::mem::replace(&mut self.guess, GuessState::Allowed) {
            GuessState::Open(before) => (before.total != self.total).then_some(self.total),
            _ => None,
        }
    }

    /// An open guess was wrong: what it taught is forgotten, and there are no more guesses.
    pub(crate) fn withdraw_guess(&mut self) {
        if let GuessState::Open(before) = std::mem::replace(&mut self.guess, GuessState::Spent) {
            let BeforeGuess { total, reserved, limits, mut meter, learnt, .. } = *before;
            meter.drop_anchor();
            (self.total, self.reserved, self.limits) = (total, reserved, limits);
            (self.meter, self.learnt) = (meter, learnt);
        }
    }

    fn rejected(&self, raw: u64) -> RejectedSize {
        RejectedSize { tokens: self.meter.from_raw(raw), output: self.reserved, window: self.total }
    }
}
