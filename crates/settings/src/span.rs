//! A time span as people write it: `90d`.

use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The units, with their seconds.
const UNITS: [(char, u64); 4] = [('m', MINUTE), ('h', HOUR), ('d', DAY), ('w', 7 * DAY)];

/// The longest span, in seconds: a thousand years.
const LONGEST: u64 = 365_000 * DAY;

/// Why a text is no time span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write a whole number above 0 with its unit: 90d for days, also w (weeks), h (hours) or m (minutes)")]
pub struct InvalidSpan;

/// Reads a time span: a whole number and `m`, `h`, `d` or `w`.
///
/// # Errors
/// [`InvalidSpan`].
pub fn read_span(text: &str) -> Result<Duration, InvalidSpan> {
    let text = text.trim();
    let unit = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(*unit)?, *seconds)));
    let (number, seconds) = unit.ok_or(InvalidSpan)?;
    if !number.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(InvalidSpan);
    }
    let seconds = number.parse::<u64>().ok().and_then(|number| number.checked_mul(seconds));
    match seconds.filter(|seconds| (1..=LONGEST).contains(seconds)) {
        Some(seconds) => Ok(Duration::from_secs(seconds)),
        None => Err(InvalidSpan),
    }
}

#[cfg(test)]
mod tests;
