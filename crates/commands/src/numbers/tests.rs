//! Good and bad numbers.

use super::{parse_compaction, parse_sessions, parse_turn, parse_turns, parse_window};

// F-35
#[test]
fn a_bad_number_is_an_error_that_says_what_it_may_be() {
    for bad in ["", "0", "-1", "+5", "five", "3.5", "1e3", " 7", "٣", "99999999999999999999999"] {
        for (error, thing) in [(parse_turns(bad), "turns"), (parse_sessions(bad), "sessions")] {
            let error = error.unwrap_err();
            assert!(error.contains("from 1 on") && error.contains(thing), "{bad}: {error}");
        }
        assert!(parse_turn(bad).unwrap_err().contains("from 1 on"), "{bad}");
        assert!(parse_compaction(bad).unwrap_err().contains("from 1"), "{bad}");
    }
    for bad in ["", "-1", "all", "none", "0x5", "4294967296", "99999999999999999999999"] {
        let error = parse_window(bad).unwrap_err();
        assert!(error.contains("or 0 for all"), "{bad}: {error}");
    }
}

#[test]
fn a_good_number_is_taken() {
    assert_eq!((parse_turns("20"), parse_sessions("20")), (Ok(20), Ok(20)));
    assert_eq!(parse_turn("3").map(|group| group.0), Ok(3));
    assert_eq!((parse_window("0"), parse_window("4294967295")), (Ok(0), Ok(u32::MAX)));
    assert_eq!(parse_compaction("007"), Ok(7));
}
