//! Numbers of tokens with suffixes.

use super::parse_tokens;

#[test]
fn suffixes_and_separators_are_read() {
    assert_eq!(parse_tokens("64k"), Ok(64_000));
    assert_eq!(parse_tokens("200_000"), Ok(200_000));
    assert_eq!(parse_tokens(" 1M "), Ok(1_000_000));
    for wrong in ["", "k", "0", "-5", "64kb", "99999999999999999m"] {
        assert!(parse_tokens(wrong).is_err(), "{wrong}");
    }
}
