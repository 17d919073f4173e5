//! The parts of an error that count, wherever a provider puts them.

use std::time::Duration;

use serde_json::Value;
use throughline_conversation::whole_number;

use super::one_line::one_line;
use super::wait;

/// The parts of an error that decide what it is.
#[derive(Debug, Default)]
pub(super) struct ErrorParts {
    /// Its type and its code, those that are there.
    pub(super) names: Vec<String>,
    /// Its code when that is a number of HTTP.
    pub(super) status: Option<u16>,
    /// Its words, on one line; empty when there are none.
    pub(super) message: String,
    /// Context window in tokens, when the error has a field for it (llama.cpp has).
    pub(super) limit: Option<u64>,
    /// Tokens of the prompt, when the error has a field for them (llama.cpp has).
    pub(super) tokens: Option<u64>,
    /// How long to wait, in milliseconds, when the error has a field for it (Gemini has).
    pub(super) wait: Option<u64>,
    /// When a limit ends, in milliseconds since 1970, when the error says it.
    pub(super) resets_at: Option<u64>,
    /// Describes an answer that is not JSON.
    pub(super) page: Option<String>,
}

impl ErrorParts {
    pub(super) fn of_body(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        let text = text.trim();
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            return Self::of_value(&value);
        }
        if text.starts_with('<') {
            let page = match title(text) {
                Some(title) => format!("an HTML page ({title:?})"),
                None => "an HTML page".to_owned(),
            };
            return Self { page: Some(page), ..Self::default() };
        }
        Self { message: one_line(text), ..Self::default() }
    }

    /// Reads `{"error": {…}}`, `{"error": "…"}`, `{"message": "…"}`, `{"detail": …}`, or the inner object itself; of a list its
    /// first item, as Google's endpoint for clients of OpenAI sends one. `{"errors": [{…}]}` (Cloudflare), `{"base_resp": {…}}`
    /// (MiniMax), and other names of the text are read, too.
    ///
    /// A router reports only that a provider failed, and puts the provider's own words into `metadata.raw` (OpenRouter):
    /// these are added.
    pub(super) fn of_value(value: &Value) -> Self {
        let value = value.get(0).unwrap_or(value);
        let inner = match value.get("error") {
            Some(error @ (Value::Object(_) | Value::String(_))) => error,
            _ => base_resp(value).or_else(|| value.pointer("/errors/0")).unwrap_or(value),
        };
        let field = |name: &str| inner.get(name).filter(|field| !field.is_null());
        let routed = inner.pointer("/metadata/raw").map(Self::of_raw).unwrap_or_default();
        let names = ["type", "code", "status"].into_iter().filter_map(|name| field(name)?.as_str());
        let details = field("details").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        // Google's errors say the reason and the wait in details (google.rpc.ErrorInfo and RetryInfo).
        let detail = |name: &str| details.iter().find_map(|detail| detail.get(name)?.as_str());
        let mut message = match inner {
            Value::String(text) => one_line(text),
            _ => match TEXTS.iter().find_map(|name| field(name)) {
                Some(Value::String(text)) => one_line(text),
                Some(other) => one_line(&other.to_string()),
                None => String::new(),
            },
        };
        if !routed.message.is_empty() && !message.contains(&routed.message) {
            message = one_line(format!("{message}: {}", routed.message).trim_start_matches(": "));
        }
        Self {
            // Not those of a router's upstream: they concern its key and its limits, and the status concerns ours.
            names: names
                .chain(detail("reason"))
                .map(str::to_owned)
                .chain(base_resp(value).and_then(|error| Some(format!("base_resp {}", code_of(error)?))))
                .chain(is_daily(details).then(|| DAILY_QUOTA.to_owned()))
                .collect(),
            status: field("code").and_then(Value::as_u64).and_then(http_status),
            resets_at: resets_at(inner).or_else(|| wait::moment(&message)),
            message,
            limit: field("n_ctx").and_then(Value::as_u64).or(routed.limit),
            tokens: field("n_prompt_tokens").and_then(Value::as_u64).or(routed.tokens),
            wait: detail("retryDelay")
                .and_then(wait::seconds)
                .or_else(|| wait::milliseconds(Duration::from_secs(field("resets_in_seconds")?.as_u64()?))),
            page: None,
        }
    }

    /// The error that a router passes on, or its text.
    fn of_raw(raw: &Value) -> Self {
        match raw {
            Value::String(text) => Self::of_body(text.as_bytes()),
            Value::Object(_) => Self::of_value(raw),
            _ => Self::default(),
        }
    }
}

/// Names of the text of an error; the last two are Baidu's and MiniMax'.
const TEXTS: &[&str] = &["message", "detail", "msg", "error_msg", "status_msg"];

/// The name of an error about a quota of a day, which no wait of seconds renews (Gemini).
pub(super) const DAILY_QUOTA: &str = "daily_quota";

/// The error that MiniMax sends with a status of success; `None` where its code means success.
pub(super) fn base_resp(value: &Value) -> Option<&Value> {
    value.get("base_resp").filter(|error| code_of(error).is_some_and(|code| code != 0))
}

fn code_of(error: &Value) -> Option<u64> {
    error.get("status_code")?.as_u64()
}

fn is_daily(details: &[Value]) -> bool {
    let violations = details.iter().filter_map(|detail| detail.get("violations")?.as_array()).flatten();
    violations.filter_map(|one| one.get("quotaId")?.as_str()).any(|quota| quota.contains("PerDay"))
}

/// When the limit ends: seconds (ChatGPT), or milliseconds in the header that a router quotes (OpenRouter).
fn resets_at(error: &Value) -> Option<u64> {
    let quoted = || error.pointer("/metadata/headers/X-RateLimit-Reset").and_then(whole_number);
    error.get("resets_at").and_then(whole_number).or_else(quoted).map(wait::since_1970)
}

fn title(page: &str) -> Option<String> {
    // ASCII case only, so that places in both texts are the same.
    let lower = page.to_ascii_lowercase();
    let start = lower.find("<title>")?.checked_add("<title>".len())?;
    let end = lower.get(start..)?.find("</title>")?.checked_add(start)?;
    let title = one_line(page.get(start..end)?);
    (!title.is_empty()).then_some(title)
}

fn http_status(code: u64) -> Option<u16> {
    u16::try_from(code).ok().filter(|code| (400..600).contains(code))
}
