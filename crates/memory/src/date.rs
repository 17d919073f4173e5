//! A moment as a day.

use throughline_conversation::Millis;

/// The day in UTC, for example `2026-03-01`.
pub(crate) fn date(at: Millis) -> String {
    // The calendar repeats every 400 years of 146,097 days. Years are taken to begin in March, so that the leap day
    // is their last.
    let days = at.0.div_euclid(86_400_000).saturating_add(719_468);
    let (cycle, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * day + 2) / 153;
    let day = day - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    format!("{:04}-{month:02}-{day:02}", cycle * 400 + year + i64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::date;
    use throughline_conversation::Millis;

    #[test]
    fn days_are_those_of_the_calendar() {
        let days = [0, -1, 951_782_400_000, 1_772_355_907_000, 4_107_542_399_999].map(|at| date(Millis(at)));
        assert_eq!(days, ["1970-01-01", "1969-12-31", "2000-02-29", "2026-03-01", "2100-02-28"]);
    }
}
