//! What a result says of itself.

use super::*;

fn result(tokens: (u64, u64), messages: (u64, u64)) -> CompactResult {
    CompactResult {
        before_tokens: tokens.0,
        after_tokens: tokens.1,
        before_messages: messages.0,
        after_messages: messages.1,
        strategies_run: Vec::new(),
        rewritten_tokens: 0,
    }
}

#[test]
fn fewer_tokens_or_fewer_messages_are_a_reduction() {
    for (tokens, messages, reduced) in [
        ((9, 8), (4, 4), true),
        ((9, 9), (4, 3), true),
        ((9, 9), (4, 4), false),
        ((9, 10), (4, 5), false),
        ((9, 8), (4, 5), true),
    ] {
        assert_eq!(result(tokens, messages).really_reduced(), reduced, "{tokens:?}, {messages:?}");
    }
}

#[test]
fn a_user_reads_why_nothing_changed() {
    for (error, expected) in [
        (CompactionError::NothingToGain { before: 0, after: 0 }, "the conversation is empty"),
        (
            CompactionError::NothingToGain { before: 1_200, after: 1_100 },
            "the conversation has 1,200 tokens, and nothing in it can be removed",
        ),
        (CompactionError::Failed("it broke".to_owned()), "compaction failed: it broke"),
    ] {
        assert_eq!(error.explained(), expected);
    }
}
