//! Spans of time, read and written.

use std::time::Duration;

use proptest::prelude::proptest;

use super::{InvalidSpan, read_span, span_text};

#[test]
fn a_span_is_a_sum_of_numbers_with_units() {
    for (text, seconds) in [
        ("90d", 7_776_000),
        ("1m", 60),
        (" 2w ", 1_209_600),
        ("4h", 14_400),
        (" 1h 30 min ", 5_400),
        ("2d1s", 172_801),
    ] {
        assert_eq!(read_span(text), Ok(Duration::from_secs(seconds)), "{text}");
    }
    for text in [
        "",
        "4",
        "90",
        "h",
        "d",
        "4x",
        "0s",
        "0d",
        "-4h",
        "+1d",
        "4h!",
        "1.5h",
        "90days",
        "400000d",
        "99999999999999999999h",
        "9999999999999999d",
    ] {
        assert_eq!(read_span(text), Err(InvalidSpan), "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_shown_reads_back(seconds in 1u64..10_000_000) {
        let span = Duration::from_secs(seconds);
        assert_eq!(read_span(&span_text(span)), Ok(span));
    }
}
