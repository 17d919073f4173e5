//! Moments as text.

use throughline_conversation::Millis;

const DAY: i64 = 86_400_000;

/// A moment as RFC 3339, in UTC, with milliseconds: `2026-11-22T05:23:40.000Z`. What RFC 3339 cannot say (before the year 0
/// or after 9999) becomes the nearest moment that it can.
#[must_use]
pub fn rfc3339(at: Millis) -> String {
    const FIRST: i64 = -62_167_219_200_000;
    const LAST: i64 = 253_402_300_799_999;
    let at = at.0.clamp(FIRST, LAST);
    let (year, month, day) = date(at.div_euclid(DAY));
    let ms = at.rem_euclid(DAY);
    let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1_000)
}

/// Year, month and day of a day that is counted from 1970-01-01, in the Gregorian calendar. The year is taken to begin in
/// March, so that the leap day is its last.
fn date(days: i64) -> (i64, i64, i64) {
    /// From 0000-03-01 to 1970-01-01.
    const SHIFT: i64 = 719_468;
    /// Days of four centuries.
    const CYCLE: i64 = 146_097;
    let (cycle, day) = ((days + SHIFT).div_euclid(CYCLE), (days + SHIFT).rem_euclid(CYCLE));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (cycle * 400 + year + next, month, day)
}

#[cfg(test)]
mod tests;
