//! Spans of time, read and written.

use std::time::Duration;

use proptest::prelude::proptest;

use super::{parse, show};

#[test]
fn a_span_is_a_sum_of_numbers_with_units() {
    let seconds = |text| parse(text).map(|span| span.as_secs());
    assert_eq!(seconds("4h"), Some(14_400));
    assert_eq!(seconds(" 1h 30 min "), Some(5_400));
    assert_eq!(seconds("2d1s"), Some(172_801));
    for wrong in
        ["", "4", "h", "4x", "0s", "-4h", "4h!", "1.5h", "99999999999999999999h", "9999999999999999d"]
    {
        assert_eq!(seconds(wrong), None, "{wrong}");
    }
}

proptest! {
    #[test]
    fn what_is_shown_reads_back(seconds in 1u64..10_000_000) {
        let span = Duration::from_secs(seconds);
        assert_eq!(parse(&show(span)), Some(span));
    }
}
