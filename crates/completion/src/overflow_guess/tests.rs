//! Tests of guessed overflows.

use super::*;

fn size(tokens: u64) -> RejectedSize {
    RejectedSize { tokens, output: 4_096, window: 32_768 }
}

fn guess(message: &str, tokens: u64) -> Option<GuessedOverflow> {
    ModelError::InvalidRequest { message: message.to_owned() }.guessed_overflow(size(tokens))
}

#[test]
fn two_numbers_one_of_which_is_near_the_count_are_limit_and_count() {
    let found = Some(GuessedOverflow { limit: Some(8_192), tokens: Some(12_844) });
    // Our count may be 1.75 times smaller, as that of a server with a small vocabulary was.
    for tokens in [6_422, 7_318, 12_844, 25_688] {
        assert_eq!(guess("token budget 8192 is less than what was sent, 12844", tokens), found, "{tokens}");
    }
    for tokens in [3_000, 25_689] {
        let without_limit = guess("token budget 8192 is less than what was sent, 12844", tokens);
        assert_eq!(without_limit.and_then(|guess| guess.limit), None, "{tokens}");
    }
    // Prompt and output together do not fit.
    let both = guess("context holds a maximum of 8192, prompt 7000 plus 4096", 6_500);
    assert_eq!(both, Some(GuessedOverflow { limit: Some(8_192), tokens: Some(7_000) }));
    // Three numbers leave a doubt, not about the overflow.
    let three = guess("exceeds context: 7000 + 1500 > 8192", 6_900);
    assert_eq!(three, Some(GuessedOverflow { limit: None, tokens: None }));
}

#[test]
fn a_request_that_nearly_fills_the_window_needs_no_numbers() {
    assert!(guess("the context overflowed", 22_000).is_some());
    assert_eq!(guess("the context overflowed", 20_000), None);
}

#[test]
fn other_limits_are_no_window() {
    for message in [
        "max_tokens is too large: 4096, this model supports at most 2048 completion tokens",
        "40000 tokens per minute exceed the limit of 30000",
        "a prompt length of 30000 bytes exceeds the limit of 20000",
        "tool name exceeds 64, length 70",
        "messages.3: unexpected role",
        "the service is overloaded",
    ] {
        assert_eq!(guess(message, 15_000), None, "{message}");
    }
    let refused = ModelError::Unauthorized { message: "token exceeds 8192 of 12844".to_owned() };
    assert_eq!(refused.guessed_overflow(size(12_000)), None);
}
