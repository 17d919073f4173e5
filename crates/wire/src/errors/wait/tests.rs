//! Waits as providers write them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{date, header, words};

/// Sun, 22 Nov 2026 13:00:00 GMT.
fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_795_352_400)
}

#[test]
fn a_header_has_seconds_or_a_date() {
    for (text, wait) in [
        ("7", Some(7_000)),
        (" 0.25 ", Some(250)),
        ("0", Some(0)),
        ("172800", Some(172_800_000)),
        ("Sun, 22 Nov 2026 13:00:30 GMT", Some(30_000)),
        ("Mon, 23 Nov 2026 13:00:00 GMT", Some(86_400_000)),
        // It has passed.
        ("Sun, 22 Nov 2026 12:59:59 GMT", Some(0)),
        // Too far away to be meant.
        ("Sun, 22 Nov 2028 13:00:00 GMT", None),
        ("99999999999999", None),
        ("-1", None),
        ("inf", None),
        ("nan", None),
        ("soon", None),
        ("", None),
        ("Sunday, 22-Nov-26 13:00:30 GMT", None),
        ("Sun, 22 Nov 2026 13:00:30 CET", None),
        ("Sun, 32 Nov 2026 13:00:30 GMT", None),
        ("Sun, 22 Nov 2026 24:00:30 GMT", None),
        ("Sun, 22 Nov 2026 13:00 GMT", None),
        ("Sun, 22 Nov 18446744073709551615 13:00:00 GMT", None),
    ] {
        assert_eq!(header(text, now()), wait, "{text:?}");
    }
}

#[test]
fn dates_are_those_of_the_calendar() {
    for (text, seconds) in [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
        ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
        ("Sun, 22 Nov 2026 13:00:00 GMT", 1_795_352_400),
        ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ] {
        let read = date(text).unwrap().duration_since(UNIX_EPOCH).unwrap();
        assert_eq!(read.as_secs(), seconds, "{text}");
    }
}

#[test]
fn a_message_names_a_wait_in_words() {
    for (text, wait) in [
        ("Please try again in 350ms. Visit x", Some(350)),
        ("Please try again in 1.2s.", Some(1_200)),
        ("Please try again in 7m12.5s. Need more?", Some(432_500)),
        ("Please try again in 2h3m.", Some(7_380_000)),
        ("try again in 20 seconds", Some(20_000)),
        ("try again in 5 minutes", Some(300_000)),
        ("try again in a moment", None),
        ("try again in ", None),
        ("try again in 7", None),
        ("try again in 1.2.3s", None),
        ("wait", None),
    ] {
        assert_eq!(words(text), wait, "{text:?}");
    }
}
