//! Times as people write them.

use super::*;

#[test]
fn a_past_time_is_a_span_before_now_or_a_time() {
    let now = Millis(10 * 86_400_000);
    assert_eq!(past_time("7d", now).unwrap(), Millis(3 * 86_400_000));
    assert_eq!(past_time("1970-01-02T00:00:00Z", now).unwrap(), Millis(86_400_000));
    for text in ["", "yesterday", "0d", "2026-13-01T00:00:00Z"] {
        assert!(matches!(past_time(text, now), Err(Error::Usage(why)) if why.contains("7d")), "{text}");
    }
}
