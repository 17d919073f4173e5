//! Errors of requests that ask for a longer answer than the model gives.

use throughline_text::whole_numbers;

/// The words of such errors by server, in lower case, each with the text that the limit follows.
const WORDS: &[(&str, &str)] = &[
    // Anthropic: `max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-…`.
    ("maximum allowed number of output tokens", "> "),
    // OpenAI: `max_tokens is too large: 16384. This model supports at most 4096 completion tokens, whereas …`.
    ("completion tokens, whereas you provided", "supports at most "),
    // DeepSeek: `Invalid max_tokens value, the valid range of max_tokens is [1, 8192]`.
    ("the valid range of max_tokens is [", "the valid range of max_tokens is [1,"),
    // Alibaba's Model Studio: `Range of max_tokens should be [1, 8192]`.
    ("range of max_tokens should be [", "range of max_tokens should be [1,"),
    // Groq: "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than …".
    ("the maximum value for `max_tokens`", "must be less than or equal to `"),
    ("the maximum value for `max_completion_tokens`", "must be less than or equal to `"),
    // Bedrock: `The maximum tokens you requested exceeds the model limit of 4096. Try again with …`.
    ("the maximum tokens you requested exceeds the model limit", "the model limit of "),
];

/// Words of Gemini, whose range ends in front of its second number: `… it has a maxOutputTokens value of 100000 but the supported
/// range is from 1 (inclusive) to 65537 (exclusive)`.
const EXCLUSIVE: (&str, &str) = ("maxoutputtokens value of", "(inclusive) to ");

pub(super) fn is(message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    lower.contains(EXCLUSIVE.0) || WORDS.iter().any(|(words, _)| lower.contains(words))
}

/// The most tokens of an answer, if the words of the error say it.
pub(super) fn limit(message: &str) -> Option<u64> {
    let lower = message.to_ascii_lowercase();
    let number = |after: &str| whole_numbers(lower.split_once(after)?.1).first().copied();
    if lower.contains(EXCLUSIVE.0) {
        return number(EXCLUSIVE.1)?.checked_sub(1).filter(|limit| *limit > 0);
    }
    let (_, after) = WORDS.iter().find(|(words, _)| lower.contains(words))?;
    number(after).filter(|limit| *limit > 0)
}
