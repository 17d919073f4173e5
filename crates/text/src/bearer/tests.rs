//! Tokens of requests.

use super::bearer_token;

#[test]
fn the_scheme_has_no_case() {
    for value in ["Bearer a-b", "bearer a-b", "BEARER  a-b "] {
        assert_eq!(bearer_token(value), Some("a-b"), "{value}");
    }
    for value in ["Basic a-b", "Bearer", "Bearera-b", "a-b"] {
        assert_eq!(bearer_token(value), None, "{value}");
    }
}
