//! Errors of requests that do not fit the window.

use throughline_text::whole_numbers;

use super::parts::ErrorParts;

/// Types and codes of such errors.
const NAMES: &[&str] = &[
    "context_length_exceeded",
    "context_window_exceeded",
    "exceed_context_size_error",
    // GitHub Models, Copilot, z.ai.
    "tokens_limit_reached",
    "model_max_prompt_tokens_exceeded",
    "1261",
    "base_resp 1039",
];

/// Words of such errors, in lower case, by provider.
const WORDS: &[&str] = &[
    // Anthropic, Fireworks.
    "prompt is too long",
    // OpenAI, Azure, DeepSeek, the many servers that speak like them, and OpenRouter.
    "maximum context length is",
    "input tokens exceed the configured limit",
    // LiteLLM, SGLang.
    "contextwindowexceedederror",
    // llama.cpp.
    "larger than the max context size",
    "input is too large to process",
    // vLLM since its engine V1.
    "longer than the maximum model length of",
    // xAI.
    "maximum prompt length is",
    // LM Studio.
    "context length of only",
    "initial prompt is greater than the context length",
    "cannot truncate prompt with n_keep",
    // Gemini, Vertex.
    "exceeds the maximum number of tokens allowed",
    // Mistral; a number is between these two.
    "too large for model with",
    // Bedrock.
    "input is too long",
    "too many input tokens",
    // Groq, Cerebras.
    "reduce the length of the messages",
    // Together, TGI.
    "tokens + `max_new_tokens` must be",
    "tokens + max_new_tokens must be",
    "`inputs` must have less than",
    // Alibaba's Model Studio.
    "range of input length should be",
    // Kimi and MiniMax.
    "exceeded model token limit",
    "input token length too long",
    // z.ai.
    "tokens in request more than max tokens allowed",
    "prompt exceeds max length",
    // Cohere.
    "number of tokens in the prompt exceeds",
    // GitHub Models; a name is between these two.
    "max size: ",
    // SiliconFlow.
    "must be less than max_seq_len",
    // Copilot.
    "prompt token count of",
    // TensorRT-LLM, Poolside, and others.
    "exceeds max_input_len",
    "exceeds the maximum context",
    // Ollama, and others.
    "prompt too long",
    "too many tokens in the request",
    "token limit exceeded",
    "conversation is too long",
    // Hunyuan, Databricks, Doubao.
    "input tokens exceed the limit",
    "exceed the maximum allowed tokens",
    "exceed max message tokens",
    // LMDeploy, TabbyAPI, Friendli, watsonx, Vertex.
    "exceeds the session_len",
    "greater than max_seq_len",
    "larger than the maximum prompt length",
    "cannot exceed the total tokens limit",
    "but model only supports up to",
];

/// Names of the window in such errors, and what they say of it, in lower case: any pair of the two.
const WINDOW: &[&str] = &[
    "context length",
    "context window",
    "context size",
    "context limit",
    "prompt length",
    "input length",
    "max tokens of",
];
const EXCEEDED: &[&str] = &["exceed", "overflow", "limit reached", "too long", "too large", "longer than"];

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
    "maximum context length of ",
    "maximum context length: ",
    "configured limit of ",
    "context length (",
    "n_ctx (",
    "exceeds the limit of ",
    "must be <= ",
    "must have less than ",
    "input length of ",
    "input length (",
    "max size: ",
    "max_seq_len (",
    "limit is ",
    "> ",
];

/// Texts behind the tokens of the prompt, in lower case: the other numbers may be of the prompt and of the answer together.
const COUNT_BEFORE: &[&str] = &[
    " in the messages",
    " tokens from the input",
    " in the prompt",
    " input tokens",
    " of text input",
    " draft tokens",
    " + ",
];

/// Fewer tokens than this are no window: what was read is another number.
const SMALLEST_WINDOW: u64 = 1_024;

pub(super) fn is(parts: &ErrorParts, message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|words| lower.contains(words));
    let says = has(WORDS) || (has(WINDOW) && has(EXCEEDED));
    parts.names.iter().any(|name| NAMES.contains(&name.as_str())) || (says && !has(PER_TIME))
}

/// The model's limit in tokens: that of the error's own field, or out of its words, for example
/// `prompt is too long: 9001 tokens > 8192 maximum`.
pub(super) fn limit(parts: &ErrorParts, message: &str) -> Option<u64> {
    let lower = message.to_ascii_lowercase();
    let in_words = LIMIT_AFTER.iter().filter_map(|before| number(lower.split_once(before)?.1));
    parts.limit.into_iter().chain(in_words).find(|limit| *limit >= SMALLEST_WINDOW)
}

/// The tokens of the rejected request by the server's own count: those of the error's own field, those that its words say of the
/// prompt, or the one number above the limit.
pub(super) fn tokens(parts: &ErrorParts, message: &str, limit: Option<u64>) -> Option<u64> {
    let lower = message.to_ascii_lowercase();
    let said = |after: &&str| whole_numbers(lower.split_once(*after)?.0).pop();
    let in_words = COUNT_BEFORE.iter().filter_map(said).find(|count| *count >= SMALLEST_WINDOW);
    let above = || {
        let mut above: Vec<u64> = whole_numbers(&lower);
        above.retain(|number| limit.is_some_and(|limit| *number > limit));
        above.dedup();
        above.pop().filter(|_| above.is_empty())
    };
    parts.tokens.or(in_words).or_else(above)
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
