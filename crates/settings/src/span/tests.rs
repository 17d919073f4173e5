//! Spans as people write them.

use super::*;

#[test]
fn a_span_has_a_number_and_a_unit() {
    for (text, seconds) in [("90d", 7_776_000), ("1m", 60), ("12h", 43_200), (" 2w ", 1_209_600)] {
        assert_eq!(read_span(text), Ok(Duration::from_secs(seconds)), "{text}");
    }
    for text in
        ["", "90", "d", "0d", "-1d", "1.5d", "90 d", "90days", "+1d", "999999999999999999999w", "400000d"]
    {
        assert_eq!(read_span(text), Err(InvalidSpan), "{text}");
    }
}
