//! Days and times of the calendar.

use proptest::prelude::*;

use super::{Millis, date};

#[test]
fn known_times() {
    // Seconds as `date -u -d … +%s` gives them.
    for (seconds, text) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_400, "2000-02-29T00:00:00.000Z"),
        (1_709_251_199, "2024-02-29T23:59:59.000Z"),
        (1_772_355_907, "2026-03-01T09:05:07.000Z"),
        (1_795_325_020, "2026-11-22T05:23:40.000Z"),
        (4_107_542_399, "2100-02-28T23:59:59.000Z"),
        (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.000Z"),
        (-2_203_891_200, "1900-03-01T00:00:00.000Z"),
    ] {
        let at = Millis(seconds * 1_000);
        assert_eq!(at.rfc3339(), text);
        assert_eq!(text.get(..10), Some(at.day().as_str()));
        assert_eq!(at.utc(), text.replace('T', " ").replace(".000Z", " UTC"));
    }
    assert_eq!(Millis(1_007).rfc3339(), "1970-01-01T00:00:01.007Z");
    assert_eq!(Millis(-1).rfc3339(), "1969-12-31T23:59:59.999Z");
    assert_eq!(Millis(i64::MIN).rfc3339(), "0000-01-01T00:00:00.000Z");
    assert_eq!(Millis(i64::MAX).rfc3339(), "9999-12-31T23:59:59.999Z");
}

proptest! {
    #[test]
    fn later_is_greater(a in -62_167_219_200_000_i64..253_402_300_800_000, step in 1_i64..100_000_000_000) {
        let b = (a + step).min(253_402_300_799_999);
        prop_assert!(a == b || Millis(a).rfc3339() < Millis(b).rfc3339());
        prop_assert_eq!(Millis(a).rfc3339().len(), 24);
    }

    // Each day is the day after the one before: the next day of the month, or the first of the next month.
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
}

#[test]
fn times_are_read_back_in_any_offset() {
    for millis in [0, 1, -1, 1_769_000_020_123, -62_167_219_200_000, 253_402_300_799_999, 951_782_400_000] {
        let text = Millis(millis).rfc3339();
        assert_eq!(Millis::from_rfc3339(&text), Some(Millis(millis)), "{text}");
    }
    let same = ["2026-11-22T05:23:40Z", "2026-11-22T06:23:40.000+01:00", "2026-11-21 23:53:40-05:30"];
    for text in same {
        assert_eq!(Millis::from_rfc3339(text), Millis::from_rfc3339(same[0]), "{text}");
    }
    assert_eq!(Millis::from_rfc3339("1970-01-01T00:00:00.123456789Z"), Some(Millis(123)));
}

#[test]
fn other_texts_are_not_times() {
    for text in [
        "",
        "now",
        "2026-11-22",
        "2026-13-01T00:00:00Z",
        "2026-11-22T24:00:00Z",
        "2026-11-22T05:23Z",
        "2026-11-22T05:23:40",
        "2026-11-22T05:23:40.x1Z",
        "äääääääääää",
        "2026-11-22T-1:23:40Z",
        "2026-01-01T9000000000000000000:00:00Z",
        "2026-01-01T00:00:00+9000000000000000000:00",
        "2026-01-01T00:00:00+00:9000000000000000000",
        "2026-01-01T00:00:00+24:00",
    ] {
        assert_eq!(Millis::from_rfc3339(text), None, "{text}");
    }
}
