//! Errors of requests that do not fit the window.

use super::parts::ErrorParts;

/// Types and codes of such errors.
const NAMES: &[&str] = &["context_length_exceeded", "exceed_context_size_error"];

/// Words of such errors, in lower case, by provider.
const WORDS: &[&str] = &[
    // Anthropic.
    "prompt is too long",
    "exceed context limit",
    // OpenAI, the many servers that speak like it, and OpenRouter.
    "maximum context length is",
    "exceeds the context window",
    // llama.cpp.
    "exceeds the available context size",
    // Ollama.
    "prompt is longer than the context length",
    "input length exceeds the context length",
    // vLLM since its engine V1.
    "longer than the maximum model length of",
    // xAI.
    "maximum prompt length is",
    // LM Studio.
    "context length of only",
    "initial prompt is greater than the context length",
    // Gemini.
    "exceeds the maximum number of tokens allowed",
    // Mistral; a number is between these two.
    "too large for model with",
    // Bedrock.
    "input is too long for requested model",
    // Groq.
    "reduce the length of the messages",
    // Alibaba's Model Studio.
    "range of input length should be",
    // Kimi and MiniMax.
    "exceeded model token limit",
    "context window exceeds limit",
];

/// Words of a limit per time, in lower case: such a text may well ask for a shorter request too, but the window has
/// nothing to do with it.
const PER_TIME: &[&str] =
    &["per min", "per hour", "per day", "per second", "(tpm)", "rate limit", "rate_limit"];

/// Texts before the limit, in lower case, next to those words; a bracket between the two is skipped.
const LIMIT_AFTER: &[&str] = &[
    "maximum context length is ",
    "available context size (",
    "context window of ",
    "maximum model length of ",
    "maximum prompt length is ",
    "context length of only ",
    "n_ctx: ",
    "maximum number of tokens allowed ",
    "too large for model with ",
    "range of input length should be [1, ",
    "exceeded model token limit: ",
    "> ",
];

/// Fewer tokens than this are no window: what was read is another number.
const SMALLEST_WINDOW: u64 = 1_024;

pub(super) fn is(parts: &ErrorParts, message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|words| lower.contains(words));
    parts.names.iter().any(|name| NAMES.contains(&name.as_str())) || (has(WORDS) && !has(PER_TIME))
}

/// The model's limit in tokens: that of the error's own field, or out of its words, for example
/// `prompt is too long: 9001 tokens > 8192 maximum`.
pub(super) fn limit(parts: &ErrorParts, message: &str) -> Option<u64> {
    let lower = message.to_ascii_lowercase();
    let in_words = LIMIT_AFTER.iter().filter_map(|before| number(lower.split_once(before)?.1));
    parts.limit.into_iter().chain(in_words).find(|limit| *limit >= SMALLEST_WINDOW)
}

/// Returns true if one request alone has more tokens than a minute allows, so that no wait helps: `Request too large for
/// model … on tokens per minute (TPM): Limit 8000, Requested 13051` (Groq and OpenAI).
pub(super) fn exceeds_a_minute(message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    let after = |before: &str| number(lower.split_once(before)?.1);
    lower.contains("tokens per")
        && matches!((after("limit "), after("requested ")), (Some(limit), Some(requested)) if requested > limit)
}

fn number(text: &str) -> Option<u64> {
    let digits: String = text
        .trim_start_matches('(')
        .chars()
        .take_while(|letter| letter.is_ascii_digit() || *letter == ',')
        .filter(|letter| *letter != ',')
        .collect();
    digits.parse().ok()
}
