//! Moments as text.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

#[test]
fn moments_are_told_as_people_write_them() {
    let check = |millis: i64, expect: Expect| expect.assert_eq(&utc(Millis(millis)));
    check(0, expect!["1970-01-01 00:00:00 UTC"]);
    check(951_826_332_999, expect!["2000-02-29 12:12:12 UTC"]);
    check(1_772_355_907_000, expect!["2026-03-01 09:05:07 UTC"]);
    check(4_107_542_399_000, expect!["2100-02-28 23:59:59 UTC"]);
    check(4_107_542_400_000, expect!["2100-03-01 00:00:00 UTC"]);
    check(-1, expect!["1969-12-31 23:59:59 UTC"]);
}

proptest! {
    /// Each day is the day after the one before: the next day of the month, or the first of the next month.
    #[test]
    fn days_follow_each_other(day in -700_000_i64..3_000_000) {
        let ((year, month, today), (next_year, next_month, tomorrow)) = (date(day), date(day + 1));
        prop_assert!((1..=12).contains(&month) && (1..=31).contains(&today));
        if tomorrow == 1 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 if leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            prop_assert_eq!(today, length);
            prop_assert_eq!((next_year, next_month), if month == 12 { (year + 1, 1) } else { (year, month + 1) });
        } else {
            prop_assert_eq!((next_year, next_month, tomorrow), (year, month, today + 1));
        }
    }

    /// Any number is told without a panic.
    #[test]
    fn every_number_is_a_moment(millis: i64) {
        prop_assert!(utc(Millis(millis)).ends_with(" UTC"));
    }
}
