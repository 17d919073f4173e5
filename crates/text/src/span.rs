//! Spans of time as people write them: `90d`, `1h30m`.

use std::time::Duration;

/// The units, with their seconds. `min` is another name of `m`.
const UNITS: [(&str, u64); 6] =
    [("w", 604_800), ("d", 86_400), ("h", 3_600), ("m", 60), ("min", 60), ("s", 1)];

/// The longest span, in seconds: a thousand years.
const LONGEST: u64 = 365_000 * 86_400;

/// Why a text is no time span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidSpan;

impl std::fmt::Display for InvalidSpan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("write whole numbers with their units, such as 90d or 1h30m: w, d, h, m (minutes) or s")
    }
}

impl std::error::Error for InvalidSpan {}

/// Reads a time span: a sum of whole numbers, each with `w`, `d`, `h`, `m` or `s`.
///
/// # Errors
/// [`InvalidSpan`] for any other form, for no time at all, and for more than a thousand years.
pub fn read_span(text: &str) -> Result<Duration, InvalidSpan> {
    let seconds = sum(text).filter(|seconds| (1..=LONGEST).contains(seconds));
    seconds.map(Duration::from_secs).ok_or(InvalidSpan)
}

fn sum(text: &str) -> Option<u64> {
    let mut rest = text.trim();
    let mut seconds: u64 = 0;
    while !rest.is_empty() {
        let (number, unit) = rest.split_at_checked(rest.find(|letter: char| !letter.is_ascii_digit())?)?;
        let unit = unit.trim_start();
        let letters = unit.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(unit.len());
        let (unit, after) = unit.split_at_checked(letters)?;
        let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit)?;
        let part = number.parse::<u64>().ok()?.checked_mul(*factor)?;
        seconds = seconds.checked_add(part)?;
        rest = after.trim_start();
    }
    Some(seconds)
}

/// Shows a span in hours, minutes and seconds, in a form that [`read_span`] reads; parts of a second are left out.
#[must_use]
pub fn span_text(span: Duration) -> String {
    let seconds = span.as_secs();
    let parts = [(seconds / 3_600, 'h'), (seconds / 60 % 60, 'm'), (seconds % 60, 's')];
    let text: String =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count}{unit}")).collect();
    if text.is_empty() { "0s".to_owned() } else { text }
}

#[cfg(test)]
mod tests;
