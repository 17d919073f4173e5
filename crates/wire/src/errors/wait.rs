//! How long a provider asks to wait.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use throughline_conversation::Millis;

/// A longer wait is treated as a mistake.
const LONGEST: Duration = Duration::from_secs(31 * 24 * 60 * 60);

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The header `retry-after` in milliseconds: a number of seconds, or a date (RFC 9110, 10.2.3). A date that has passed is
/// no wait. A number that is a moment in seconds or milliseconds since 1970 is one, too: other headers have those. Dates are read in the one form that servers may send (5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
pub(super) fn header(text: &str, now: SystemTime) -> Option<u64> {
    let text = text.trim();
    let wait = match text.parse::<f64>() {
        Ok(moment) if moment >= MOMENT as f64 => return until(since_1970(moment as u64), now),
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok()?,
        Err(_) => date(text)?.duration_since(now).unwrap_or_default(),
    };
    milliseconds(wait)
}

/// Smaller numbers are no seconds since 1970 but a wait: it is a moment of 2001.
const MOMENT: u64 = 1_000_000_000;

/// A moment in milliseconds since 1970, out of seconds or milliseconds.
pub(super) fn since_1970(moment: u64) -> u64 {
    if moment >= MOMENT * 1_000 { moment } else { moment.saturating_mul(1_000) }
}

/// The wait until a moment in milliseconds since 1970; `None` if it has passed.
pub(super) fn until(at: u64, now: SystemTime) -> Option<u64> {
    let at = UNIX_EPOCH.checked_add(Duration::from_millis(at))?;
    milliseconds(at.duration_since(now).ok().filter(|wait| !wait.is_zero())?)
}

/// The moment that is named in words, in milliseconds since 1970: `Your limit will reset at 2026-12-01 12:00:00` (z.ai, by the clock of
/// Beijing).
pub(super) fn moment(message: &str) -> Option<u64> {
    let (_, rest) = message.split_once("will reset at ")?;
    let at = Millis::from_rfc3339(&format!("{}+08:00", rest.get(..19)?))?;
    u64::try_from(at.0).ok()
}

/// A number of seconds as Google writes it: `12s`, `0.5s`.
pub(super) fn seconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.trim().strip_suffix('s')?.parse().ok()?;
    milliseconds(Duration::try_from_secs_f64(seconds).ok()?)
}

/// The wait that is named in words: `Please try again in 1.2s.`, `in 350ms`, `in 7m12.5s` (OpenAI and Groq), `Please retry
/// in 12.3s.` (Gemini).
pub(super) fn words(message: &str) -> Option<u64> {
    let (_, mut rest) =
        ["try again in ", "retry in "].into_iter().find_map(|before| message.split_once(before))?;
    let mut wait = None;
    while let Some((more, behind)) = part(rest) {
        wait = Some(wait.unwrap_or(Duration::ZERO).saturating_add(more));
        rest = behind;
    }
    milliseconds(wait?)
}

/// A number, its unit, and the rest.
fn part(text: &str) -> Option<(Duration, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, behind) = text.split_at_checked(end)?;
    let number: f64 = number.parse().ok()?;
    let behind = behind.strip_prefix(' ').unwrap_or(behind);
    // The longer of two that begin alike comes first.
    let units = [
        ("ms", 0.001),
        ("second", 1.0),
        ("s", 1.0),
        ("minute", 60.0),
        ("m", 60.0),
        ("hour", 3_600.0),
        ("h", 3_600.0),
    ];
    let (seconds, behind) =
        units.iter().find_map(|(unit, seconds)| Some((seconds, behind.strip_prefix(unit)?)))?;
    Some((Duration::try_from_secs_f64(number * seconds).ok()?, behind))
}

/// A wait in milliseconds; `None` if it is too long to be meant.
pub(super) fn milliseconds(wait: Duration) -> Option<u64> {
    // Rounded up: to come back too early costs a try.
    (wait <= LONGEST).then(|| u64::try_from(wait.as_nanos().div_ceil(1_000_000)).ok())?
}

fn date(text: &str) -> Option<SystemTime> {
    let (_, date) = text.split_once(", ")?;
    let mut parts = date.split(' ');
    let mut next = || parts.next();
    let (day, month, year, clock) = (next()?, next()?, next()?, next()?);
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let whole = next() == Some("GMT") && next().is_none();
    let at = Millis::from_rfc3339(&format!("{year}-{month:02}-{day}T{clock}Z")).filter(|_| whole)?;
    UNIX_EPOCH.checked_add(Duration::from_millis(u64::try_from(at.0).ok()?))
}

#[cfg(test)]
mod tests;
