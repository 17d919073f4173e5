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

    /// Reads RFC 3339 in any offset: `2026-11-22T05:23:40.5Z`, `2026-11-22T06:23:40+01:00`. `None` for any other text.
    /// Digits beyond milliseconds are dropped.
    #[must_use]
    pub fn from_rfc3339(text: &str) -> Option<Self> {
        let (day, rest) = text.trim().split_at_checked(10)?;
        let [year, month, date] = numbers(day, '-')?;
        let (time, offset) = split_offset(rest.strip_prefix(['T', 't', ' '])?)?;
        let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
        let [hour, minute, second] = numbers(time, ':')?;
        let valid = (1..=12).contains(&month)
            && (1..=31).contains(&date)
            && hour < 24
            && minute < 60
            && second <= 60
            && fraction.bytes().all(|digit| digit.is_ascii_digit());
        if !valid {
            return None;
        }
        let millis = (0..3).fold(0, |sum, place| {
            sum * 10 + fraction.as_bytes().get(place).map_or(0, |digit| i64::from(digit.saturating_sub(b'0')))
        });
        let seconds = (hour * 60 + minute - offset) * 60 + second;
        Some(Self(days(year, month, date) * DAY + seconds * 1_000 + millis))
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

/// The reverse of [`date`].
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (cycle, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day = (153 * month + 2) / 5 + day - 1;
    cycle * 146_097 + year * 365 + year / 4 - year / 100 + day - 719_468
}

/// Three numbers of digits alone, at this separator.
fn numbers(text: &str, separator: char) -> Option<[i64; 3]> {
    let mut parts = text.split(separator).map(|part| {
        part.bytes().all(|digit| digit.is_ascii_digit()).then(|| part.parse::<i64>().ok()).flatten()
    });
    let found = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(found)
}

/// A time without its offset, and the offset in minutes.
fn split_offset(text: &str) -> Option<(&str, i64)> {
    if let Some(time) = text.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let place = text.rfind(['+', '-'])?;
    let (time, offset) = text.split_at_checked(place)?;
    let (sign, offset) = (if offset.starts_with('-') { -1 } else { 1 }, offset.get(1..)?);
    let (hours, minutes) = offset.split_once(':')?;
    let [hours, minutes, _] = numbers(&format!("{hours}:{minutes}:0"), ':')?;
    (hours < 24 && minutes < 60).then(|| (time, sign * (hours * 60 + minutes)))
}

#[cfg(test)]
mod tests;
