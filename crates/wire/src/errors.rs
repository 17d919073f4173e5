//! Errors of providers, as decisions for the caller.

mod filtered;
mod one_line;
mod output;
mod overflow;
mod parts;
mod pictures;
mod signatures;
mod tools;
mod wait;

use std::time::SystemTime;

use throughline_completion::ModelError;

pub use one_line::one_line;
use parts::ErrorParts;

/// The error of a response that is no success.
///
/// `provider` is a name for messages, for example `anthropic`; `retry_after` is that header's value, a number of seconds
/// or a date, which is why the current time is needed.
///
/// - 401 and 403 are [`ModelError::Unauthorized`];
/// - 402, and a used-up quota or credit whatever its status, is [`ModelError::Unpaid`];
/// - what a content filter refuses, whatever the status, is [`ModelError::Filtered`];
/// - a request that is too long, known by its code or its words, is [`ModelError::Overflow`];
/// - one that asks for a longer answer than the model gives is [`ModelError::OutputTooLarge`];
/// - a tool call of the model that its server cannot read is [`ModelError::Interrupted`];
/// - 413, too many bytes, too many pictures, and more tokens in one request than a minute allows are [`ModelError::TooLarge`];
/// - 429 is [`ModelError::RateLimited`]; 408 and all of 5xx are [`ModelError::Unavailable`];
/// - 404 and 410 in words about a model are [`ModelError::UnknownModel`];
/// - the rest is [`ModelError::PictureRefused`] in words about a picture, [`ModelError::ThinkingRefused`] in words about the
///   signature of thinking, and [`ModelError::InvalidRequest`] in others.
///
/// Messages have one line, without control characters, and anything in them that looks like a key is left out.
#[must_use]
pub fn of_response(
    provider: &str,
    status: u16,
    retry_after: Option<&str>,
    now: SystemTime,
    body: &[u8],
) -> ModelError {
    let parts = ErrorParts::of_body(body);
    let mut message = parts.message.clone();
    if message.is_empty() {
        message = match &parts.page {
            Some(page) => format!(
                "{provider} answered HTTP {status} with {page} instead of JSON; check the base URL and any proxy"
            ),
            None => format!("{provider} answered HTTP {status} without a message"),
        };
    }
    let until = || parts.resets_at.and_then(|at| wait::until(at, now));
    let wait = retry_after.and_then(|text| wait::header(text, now)).or(parts.wait).or_else(until);
    judge(&parts, Some(status), wait, message)
}

/// Returns true if a document or an event of a success is an error all the same: it has the field `error`, or MiniMax' `base_resp`
/// with another code than 0.
#[must_use]
pub fn is_error(value: &serde_json::Value) -> bool {
    value.get("error").is_some_and(|error| !error.is_null()) || parts::base_resp(value).is_some()
}

/// The error that a provider sends inside of a stream that began well: an event of type `error`, a failed
/// response, or a line with `error` in it.
#[must_use]
pub fn of_event(value: &serde_json::Value) -> ModelError {
    let parts = ErrorParts::of_value(value);
    let message = match parts.message.as_str() {
        "" => format!("an error without a message in the stream: {}", one_line(&value.to_string())),
        message => message.to_owned(),
    };
    judge(&parts, None, parts.wait, message)
}

fn judge(parts: &ErrorParts, status: Option<u16>, wait: Option<u64>, message: String) -> ModelError {
    // A code that is a number is a status (OpenRouter sends such errors inside of streams).
    let status = status.or(parts.status);
    let is = |names: &[&str]| names.iter().any(|name| parts.names.iter().any(|part| part == name));
    let is_unpaid = || is(&["insufficient_quota", "billing_error", "base_resp 1008", parts::DAILY_QUOTA]);
    if status == Some(402) || is_unpaid() || says_unpaid(&message) {
        return ModelError::Unpaid { message };
    }
    if filtered::is(parts, &message) {
        return ModelError::Filtered { message };
    }
    let refused = matches!(status, Some(401 | 403))
        || is(&["authentication_error", "permission_error", "invalid_api_key", "base_resp 1004"])
        // Google refuses a bad key with 400.
        || is(&["UNAUTHENTICATED", "PERMISSION_DENIED", "API_KEY_INVALID"]);
    // A bad sample of the model, not of the request: another try gives another one (Groq).
    if is(&["tool_use_failed"]) {
        let message = format!("the model wrote a tool call that its server cannot read: {message}");
        return ModelError::Interrupted { message };
    }
    if !refused && overflow::exceeds_a_minute(&message) {
        return ModelError::TooLarge { message };
    }
    let too_many = status == Some(429)
        || is(&["rate_limit_error", "rate_limit_exceeded", "too_many_requests", "RESOURCE_EXHAUSTED"])
        || is(&["base_resp 1002"]);
    if let Some(error) = beyond_limits(parts, &message).filter(|_| !refused && !too_many) {
        return error;
    }
    if refused {
        ModelError::Unauthorized { message }
    } else if too_many {
        let retry_after_ms = wait.or_else(|| wait::words(&message));
        ModelError::RateLimited { message, retry_after_ms }
    } else if status == Some(413) || is(&["request_too_large"]) || is_large_body(&message) {
        ModelError::TooLarge { message }
    } else if pictures::are_never_taken(&message) {
        ModelError::PictureRefused { message }
    } else if matches!(status, Some(408 | 500..)) {
        ModelError::Unavailable { message, retry_after_ms: wait }
    } else if is(&["model_not_found"])
        || (is_gone(status) || is(&["not_found_error", "NOT_FOUND"])) && is_of_model(&parts.message)
    {
        ModelError::UnknownModel { message }
    } else if status.is_some()
        || is(&["invalid_request_error", "not_found_error", "invalid_prompt", "INVALID_ARGUMENT"])
        || is(&["base_resp 2013"])
    {
        invalid(message)
    } else {
        // The request was good enough to begin an answer, so the fault is the provider's.
        ModelError::Unavailable { message, retry_after_ms: wait }
    }
}

/// The error of a request that is at fault, by the words about what of it.
fn invalid(message: String) -> ModelError {
    if signatures::are_refused(&message) {
        ModelError::ThinkingRefused { message }
    } else if pictures::are_too_many(&message) {
        ModelError::TooLarge { message }
    } else if pictures::is_refused(&message) {
        ModelError::PictureRefused { message }
    } else {
        ModelError::InvalidRequest { message: tools::with_hint(message) }
    }
}

/// Returns true if the words say that the account has no credit left. Anthropic says so with status 400 and the type of a malformed
/// request (anthropics/claude-code#38035, #95393).
fn says_unpaid(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    ["credit balance is too low", "reached your specified api usage limits"]
        .iter()
        .any(|words| message.contains(words))
}

/// Returns true if the words say that the request has too many bytes, whatever the status (Gemini says so with 400).
fn is_large_body(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    [
        "request payload size exceeds",
        "payload too large",
        "request body too large",
        "request entity too large",
    ]
    .iter()
    .any(|words| message.contains(words))
}

/// The error of an answer, or of a request, that is too long for the model.
fn beyond_limits(parts: &ErrorParts, message: &str) -> Option<ModelError> {
    let text = message.to_owned();
    if output::is(message) {
        return Some(ModelError::OutputTooLarge { message: text, limit: output::limit(message) });
    }
    let limit = overflow::limit(parts, message);
    let tokens = overflow::tokens(parts, message, limit);
    overflow::is(parts, message).then_some(ModelError::Overflow { message: text, limit, tokens })
}

fn is_gone(status: Option<u16>) -> bool {
    matches!(status, Some(404 | 410))
}

/// A missing path, such as `/models`, has the same status as a missing model: the address is wrong then.
fn is_of_model(message: &str) -> bool {
    // `models/gemini-9 is not found` (Gemini).
    let named = message.trim_start_matches(['"', '\'']).starts_with("models/");
    named
        || message
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|word| word.eq_ignore_ascii_case("model"))
}

#[cfg(test)]
mod tests;
