//! Times as text: RFC 3339, a day, and a form for people. All in UTC.

use crate::ids::Millis;

const DAY: i64 = 86_400_000;

/// RFC 3339 has the years 0 to 9999. Times outside of it become the nearest time within it.
const FIRST: i64 = -62_167_219_200_000;
const LAST: i64 = 253_402_300_799_999;

impl Millis {
    /// Formats as RFC 3339 with milliseconds: `2026-11-22T05:23:40.000Z`.
    #[must_use]
    pub fn rfc3339(self) -> String {
        format!("{}T{}.{:03}Z", self.day(), self.time(), self.clamped().rem_euclid(1_000))
    }

    /// Formats the day: `2026-11-22`.
    #[must_use]
    pub fn day(self) -> String {
        let (year, month, day) = date(self.clamped().div_euclid(DAY));
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// Formats for people, without milliseconds: `2026-11-22 05:23:40 UTC`.
    #[must_use]
    pub fn utc(self) -> String {
        format!("{} {} UTC", self.day(), self.time())
    }

    fn time(self) -> String {
        let ms = self.clamped().rem_euclid(DAY);
        format!("{:02}:{:02}:{:02}", ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60)
    }

    fn clamped(self) -> i64 {
        self.0.clamp(FIRST, LAST)
    }
}

/// Returns year, month and day of a day counted from 1970-01-01, in the Gregorian calendar. Internally a year begins in
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
