//! Errors in each provider's form and words.

use serde_json::{Value, json};

use super::{Asked, Protocol, gemini, responses};
use crate::ErrorKind;
use crate::reply::{Frame, Reply};

/// A fault, before it is put into the form of a protocol.
#[derive(Debug, Clone)]
pub(crate) enum Problem {
    /// As the script has it.
    Kind(ErrorKind),
    /// 400: the body breaks a rule.
    Invalid(String),
    /// 401: no key.
    NoKey,
    /// 401: not this key.
    WrongKey(String),
    /// 404: no such path.
    NoPath(String),
    /// 405: not with this method.
    Method { method: String, path: String, allowed: &'static str },
    /// 500: the server has nothing to say.
    Inside(String),
}

/// A problem in a provider's words.
#[derive(Debug, Clone)]
pub(super) struct Words {
    pub(super) status: u16,
    /// Anthropic's and OpenAI's `type`, and Google's `status`.
    pub(super) kind: &'static str,
    /// OpenAI's `code`, and Google's `reason`.
    pub(super) code: Option<&'static str>,
    pub(super) message: String,
}

impl Words {
    pub(super) fn new(
        status: u16,
        kind: &'static str,
        code: Option<&'static str>,
        message: impl Into<String>,
    ) -> Self {
        Self { status, kind, code, message: message.into() }
    }
}

impl Problem {
    /// As a whole response.
    pub(crate) fn reply(&self, protocol: Protocol, model: &str, number: u64) -> Reply {
        let words = self.words(protocol, model);
        let body = match protocol {
            Protocol::Anthropic => anthropic_body(&words, Some(number)),
            Protocol::Chat | Protocol::Responses => openai_body(&words),
            Protocol::Gemini | Protocol::CodeAssist => gemini::error(self, &words),
            Protocol::Ollama => json!({"error": words.message}),
        };
        let mut reply = with_request_id(Reply::json(words.status, &body), protocol, number);
        // Google's wait is in the body.
        let header = !matches!(protocol, Protocol::Gemini | Protocol::CodeAssist);
        if let Self::Kind(ErrorKind::RateLimited { retry_after_s: Some(seconds) }) = self
            && header
        {
            reply = reply.header("retry-after", &seconds.to_string());
        }
        if let Self::Method { allowed, .. } = self {
            reply = reply.header("allow", allowed);
        }
        reply
    }

    /// As an event inside of a stream that began well, behind this many events.
    pub(super) fn event(&self, asked: &Asked<'_>, behind: usize) -> Frame {
        let words = self.words(asked.protocol, asked.model());
        match asked.protocol {
            Protocol::Anthropic => Frame::event("error", &anthropic_body(&words, None)),
            Protocol::Chat => Frame::data(&openai_body(&words)),
            Protocol::Responses => responses::failed(asked, &words, behind),
            Protocol::Gemini | Protocol::CodeAssist => Frame::data(&gemini::error(self, &words)),
            Protocol::Ollama => Frame::line(&json!({"error": words.message})),
        }
    }

    pub(super) fn words(&self, protocol: Protocol, model: &str) -> Words {
        match (protocol, self) {
            (Protocol::Anthropic, problem) => anthropic(problem, model),
            (Protocol::Ollama, problem) => ollama(problem, model),
            (Protocol::Gemini | Protocol::CodeAssist, problem) => gemini::words(problem, model, protocol),
            (Protocol::Responses, Self::Kind(ErrorKind::TooLong { .. })) => Words::new(
                400,
                "invalid_request_error",
                Some("context_length_exceeded"),
                "Your input exceeds the context window of this model. Please adjust your input and try again.",
            ),
            (Protocol::Chat | Protocol::Responses, problem) => openai(problem, model),
        }
    }
}

fn anthropic(problem: &Problem, model: &str) -> Words {
    let is = |status, kind, message: &str| Words::new(status, kind, None, message);
    match problem {
        Problem::Kind(ErrorKind::RateLimited { .. }) => is(
            429,
            "rate_limit_error",
            "This request would exceed your account's rate limit. Please try again later.",
        ),
        Problem::Kind(ErrorKind::Overloaded) => is(529, "overloaded_error", "Overloaded"),
        Problem::Kind(ErrorKind::Internal) => is(500, "api_error", "Internal server error"),
        Problem::Kind(ErrorKind::TooLong { tokens, limit }) => is(
            400,
            "invalid_request_error",
            &format!("prompt is too long: {tokens} tokens > {limit} maximum"),
        ),
        Problem::Kind(ErrorKind::Unauthorized) | Problem::WrongKey(_) => {
            is(401, "authentication_error", "invalid x-api-key")
        }
        Problem::NoKey => is(401, "authentication_error", "x-api-key header is required"),
        Problem::Kind(ErrorKind::NotFound) => is(404, "not_found_error", &format!("model: {model}")),
        Problem::Invalid(message) => is(400, "invalid_request_error", message),
        Problem::NoPath(_) => is(404, "not_found_error", "Not Found"),
        Problem::Method { .. } => is(405, "invalid_request_error", "Method Not Allowed"),
        Problem::Inside(message) => is(500, "api_error", message),
    }
}

fn openai(problem: &Problem, model: &str) -> Words {
    let bad = "invalid_request_error";
    match problem {
        Problem::Kind(ErrorKind::RateLimited { retry_after_s }) => {
            let wait =
                retry_after_s.map_or(String::new(), |seconds| format!(" Please try again in {seconds}s."));
            let message = format!("Rate limit reached for {model} on requests per min (RPM).{wait}");
            Words::new(429, "requests", Some("rate_limit_exceeded"), message)
        }
        Problem::Kind(ErrorKind::Overloaded) => {
            let message = "The server is currently overloaded with other requests. Sorry about that! You can retry \
                           your request.";
            Words::new(503, "server_error", Some("server_is_overloaded"), message)
        }
        Problem::Kind(ErrorKind::Internal) => {
            let message = "The server had an error while processing your request. Sorry about that!";
            Words::new(500, "server_error", Some("server_error"), message)
        }
        Problem::Kind(ErrorKind::TooLong { tokens, limit }) => {
            let message = format!(
                "This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} \
                 tokens. Please reduce the length of the messages."
            );
            Words::new(400, bad, Some("context_length_exceeded"), message)
        }
        Problem::Kind(ErrorKind::Unauthorized) => {
            Words::new(401, bad, Some("invalid_api_key"), "Incorrect API key provided.")
        }
        Problem::WrongKey(key) => {
            let message = format!("Incorrect API key provided: {}.", masked(key));
            Words::new(401, bad, Some("invalid_api_key"), message)
        }
        Problem::NoKey => {
            let message = "You didn't provide an API key. You need to provide your API key in an Authorization \
                           header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";
            Words::new(401, bad, None, message)
        }
        Problem::Kind(ErrorKind::NotFound) => {
            let message = format!("The model `{model}` does not exist or you do not have access to it.");
            Words::new(404, bad, Some("model_not_found"), message)
        }
        Problem::Invalid(message) => Words::new(400, bad, None, message),
        Problem::NoPath(path) => {
            Words::new(404, bad, Some("unknown_url"), format!("Unknown request URL: {path}."))
        }
        Problem::Method { method, path, .. } => {
            let message = format!("Not allowed to {method} on {path}.");
            Words::new(405, bad, Some("method_not_supported"), message)
        }
        Problem::Inside(message) => Words::new(500, "server_error", None, message),
    }
}

/// Ollama has a status and a message.
fn ollama(problem: &Problem, model: &str) -> Words {
    let is = |status, message: &str| Words::new(status, "", None, message);
    match problem {
        Problem::Kind(ErrorKind::RateLimited { .. }) => is(429, "too many requests"),
        Problem::Kind(ErrorKind::Overloaded) => {
            is(503, "server busy, please try again.  maximum pending requests exceeded")
        }
        Problem::Kind(ErrorKind::Internal) => is(500, "model runner has unexpectedly stopped"),
        Problem::Kind(ErrorKind::TooLong { .. }) => is(400, "the input length exceeds the context length"),
        Problem::Kind(ErrorKind::Unauthorized) | Problem::NoKey | Problem::WrongKey(_) => {
            is(401, "unauthorized")
        }
        Problem::Kind(ErrorKind::NotFound) => is(404, &format!("model '{model}' not found")),
        Problem::Invalid(message) => is(400, message),
        Problem::NoPath(_) => is(404, "404 page not found"),
        Problem::Method { .. } => is(405, "405 method not allowed"),
        Problem::Inside(message) => is(500, message),
    }
}

fn anthropic_body(words: &Words, number: Option<u64>) -> Value {
    let mut body = json!({"type": "error", "error": {"type": words.kind, "message": words.message}});
    if let (Some(number), Some(fields)) = (number, body.as_object_mut()) {
        fields.insert("request_id".to_owned(), json!(request_id(number)));
    }
    body
}

fn openai_body(words: &Words) -> Value {
    let error = json!({"message": words.message, "type": words.kind, "param": null, "code": words.code});
    json!({"error": error})
}

/// The first and the last letters of a key, as OpenAI quotes it; of a short one nothing.
fn masked(key: &str) -> String {
    let letters: Vec<char> = key.chars().collect();
    let hidden = letters.len().saturating_sub(12);
    if hidden == 0 {
        return "*".repeat(letters.len());
    }
    let first: String = letters.iter().take(8).collect();
    let last: String = letters.iter().skip(8 + hidden).collect();
    format!("{first}{}{last}", "*".repeat(hidden))
}

fn request_id(number: u64) -> String {
    format!("req_{number:024}")
}

/// With the header that names the request to the provider's support.
pub(super) fn with_request_id(reply: Reply, protocol: Protocol, number: u64) -> Reply {
    match protocol {
        Protocol::Anthropic => reply.header("request-id", &request_id(number)),
        Protocol::Chat | Protocol::Responses => reply.header("x-request-id", &request_id(number)),
        Protocol::Gemini | Protocol::CodeAssist | Protocol::Ollama => reply,
    }
}
