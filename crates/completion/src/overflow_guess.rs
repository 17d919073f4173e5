//! Guesses that an error in unknown words means a request that is too long.

use throughline_text::whole_numbers;

use crate::error::ModelError;

/// What the words are about.
const SUBJECTS: &[&str] = &["token", "context", "length", "prompt is", "input is"];

/// What they say of it.
const EXCESS: &[&str] = &[
    "too long",
    "too large",
    "too many",
    "too big",
    "exceed",
    "maximum",
    "max ",
    "limit",
    "longer",
    "larger",
    "more than",
    "less than",
    "greater than",
    "at most",
    "reduce",
    "shorten",
    "overflow",
    "does not fit",
    "truncate",
    ">",
];

/// Words about another limit than the window.
const OTHERS: &[&str] = &[
    "per min",
    "per hour",
    "per day",
    "per second",
    "(tpm)",
    "rate limit",
    "rate_limit",
    "quota",
    "byte",
    "character",
    "image",
];

/// The end of the text of an error that came without words.
const NO_WORDS: &str = "without a message";

/// The smallest window that is believed, in tokens. A smaller number in an error is no count of tokens that matters.
pub const SMALLEST_WINDOW: u64 = 1_024;

/// A local counter and a server may differ by this factor in the tokens of one request.
const FACTOR: u64 = 2;

/// The size of a rejected request by the local count, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RejectedSize {
    /// Its tokens.
    pub tokens: u64,
    /// The tokens that it asked for as output.
    pub output: u64,
    /// The window that is assumed.
    pub window: u64,
}

/// What the words of a guessed overflow say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuessedOverflow {
    /// The window in tokens, where the numbers leave no doubt.
    pub limit: Option<u64>,
    /// The tokens of the request by the server's count, where the numbers leave no doubt.
    pub tokens: Option<u64>,
}

impl ModelError {
    /// Guesses whether the error means that the request was too long, although its words are unknown: they are about tokens,
    /// context or length, and one of two numbers is near the request's size, or the request nearly fills the assumed window. Some
    /// servers refuse such a request without a word.
    #[must_use]
    pub fn guessed_overflow(&self, size: RejectedSize) -> Option<GuessedOverflow> {
        let (Self::InvalidRequest { message }
        | Self::TooLarge { message }
        | Self::Unavailable { message, .. }) = self
        else {
            return None;
        };
        let lower = message.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let is_silent = matches!(self, Self::InvalidRequest { .. }) && lower.ends_with(NO_WORDS);
        if !is_silent && (!has(SUBJECTS) || !has(EXCESS) || has(OTHERS)) {
            return None;
        }
        of_numbers(&lower, size).or_else(|| {
            let room = size.window.saturating_sub(size.output);
            let is_nearly_full = size.tokens.saturating_mul(4) >= room.saturating_mul(3);
            is_nearly_full.then_some(GuessedOverflow { limit: None, tokens: None })
        })
    }
}

fn of_numbers(message: &str, size: RejectedSize) -> Option<GuessedOverflow> {
    let near = |number: u64| {
        number.saturating_mul(FACTOR) >= size.tokens && number <= size.tokens.saturating_mul(FACTOR)
    };
    let mut numbers = whole_numbers(message);
    // The output that was asked for is no figure of the prompt.
    numbers.retain(|number| *number >= SMALLEST_WINDOW && *number != size.output);
    numbers.sort_unstable();
    numbers.dedup();
    match numbers.as_slice() {
        [_] | [] => None,
        [low, high] => {
            // A prompt below the limit is too long together with the output.
            let below = near(*low) && low.saturating_add(size.output) > *high;
            let above = near(*high);
            let is_low_nearer = low.abs_diff(size.tokens) < high.abs_diff(size.tokens);
            match (below, above) {
                (true, above) if !above || is_low_nearer => Some(said(*high, *low)),
                (_, true) => Some(said(*low, *high)),
                _ => None,
            }
        }
        more => more.iter().any(|one| near(*one)).then_some(GuessedOverflow { limit: None, tokens: None }),
    }
}

fn said(limit: u64, tokens: u64) -> GuessedOverflow {
    GuessedOverflow { limit: Some(limit), tokens: Some(tokens) }
}

#[cfg(test)]
mod tests;
