//! Moments as text.

use proptest::prelude::*;
use throughline_conversation::Millis;

use super::rfc3339;

#[test]
fn known_moments() {
    // Seconds as `date -u -d … +%s` gives them.
    for (seconds, text) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_400, "2000-02-29T00:00:00.000Z"),
        (1_709_251_199, "2024-02-29T23:59:59.000Z"),
        (1_795_325_020, "2026-11-22T05:23:40.000Z"),
        (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.000Z"),
        (-2_203_891_200, "1900-03-01T00:00:00.000Z"),
    ] {
        assert_eq!(rfc3339(Millis(seconds * 1_000)), text);
    }
    assert_eq!(rfc3339(Millis(1_007)), "1970-01-01T00:00:01.007Z");
    assert_eq!(rfc3339(Millis(-1)), "1969-12-31T23:59:59.999Z");
    assert_eq!(rfc3339(Millis(i64::MIN)), "0000-01-01T00:00:00.000Z");
    assert_eq!(rfc3339(Millis(i64::MAX)), "9999-12-31T23:59:59.999Z");
}

proptest! {
    #[test]
    fn later_is_greater(a in -62_167_219_200_000_i64..253_402_300_800_000, step in 1_i64..100_000_000_000) {
        let b = (a + step).min(253_402_300_799_999);
        prop_assert!(a == b || rfc3339(Millis(a)) < rfc3339(Millis(b)));
        prop_assert_eq!(rfc3339(Millis(a)).len(), 24);
    }
}
