//! Fractions of tokens.

/// A fraction of a number of tokens, rounded down. Fractions below 0 count as 0.
#[must_use]
pub fn fraction_of(tokens: u64, fraction: f64) -> u64 {
    // The float is at most the number of tokens times a small factor: far below the end of u64.
    (tokens as f64 * fraction.max(0.0)) as u64
}
