//! A time in the past, as people write it.

use throughline_conversation::Millis;
use throughline_text::read_span;

use crate::error::{Error, Result};

/// Reads a span before `now`, such as `7d`, or a time, such as `2026-11-28T00:00:00Z`.
///
/// # Errors
/// It is neither.
pub fn past_time(text: &str, now: Millis) -> Result<Millis> {
    if let Ok(span) = read_span(text) {
        return Ok(Millis(now.0.saturating_sub_unsigned(span.as_secs() * 1_000)));
    }
    Millis::from_rfc3339(text).ok_or_else(|| {
        let why = "write a span such as 7d or 12h, or a time such as 2026-11-28T00:00:00Z";
        Error::Usage(format!("{text:?} is no time: {why}"))
    })
}

#[cfg(test)]
mod tests;
