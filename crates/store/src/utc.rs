//! A moment as text, for error messages.

use throughline_conversation::Millis;

/// For example `2026-03-01 09:05:07 UTC`.
pub(crate) fn utc(at: Millis) -> String {
    let seconds = at.0.div_euclid(1_000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// The date of a day counted from 1970-01-01, by the calendar's cycle of 400 years (146,097 days). Years are
/// taken to begin in March, so that the leap day is their last.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let cycle = days.div_euclid(146_097);
    let day_of_cycle = days.rem_euclid(146_097);
    let year_of_cycle =
        (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (cycle * 400 + year_of_cycle + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests;
