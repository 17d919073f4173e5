//! Gemini's `generateContent` and its stream (Gemini API reference, "GenerateContentResponse"), and the envelope that Code
//! Assist puts around them.

use serde_json::{Map, Value, json};
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, Usage};

use super::pieces::pieces;
use super::problem::{Problem, Words};
use super::{Asked, CREATED_TEXT, Protocol, WireAnswer};
use crate::ErrorKind;
use crate::reply::{Frame, Reply};
use crate::script::Model;

/// Maximum tokens of an answer that a model is listed with.
const OUTPUT: u64 = 65_536;

/// The whole answer.
pub(super) fn whole(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Value {
    let parts: Vec<Value> = parts(asked, answer).into_iter().map(|(part, _)| part).collect();
    last(asked, answer, &parts)
}

/// The answer as chunks. A call comes whole, and the last chunk has a text without words.
pub(super) fn stream(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Vec<Frame> {
    let mut frames = Vec::new();
    for (part, text) in parts(asked, answer) {
        match text {
            None => frames.push(chunk(asked, answer, &part)),
            Some(text) => frames.extend(pieces(&text).map(|piece| {
                let mut part = part.clone();
                if let Some(fields) = part.as_object_mut() {
                    fields.insert("text".to_owned(), json!(piece));
                }
                chunk(asked, answer, &part)
            })),
        }
    }
    frames.push(Frame::data(&last(asked, answer, &[json!({"text": ""})])));
    frames
}

fn chunk(asked: &Asked<'_>, answer: &WireAnswer<'_>, part: &Value) -> Frame {
    let candidate = json!({"content": {"parts": [part], "role": "model"}, "index": 0});
    let mut body = head(asked, vec![candidate]);
    if let Some(usage) = answer.usage {
        // Figures are those so far.
        let usage = Usage { output: 0, ..usage };
        body.insert("usageMetadata".to_owned(), usage_of(usage, 0));
    }
    Frame::data(&wrapped(asked.protocol, Value::Object(body))).into_delta()
}

/// The parts, each with its text where it can come in pieces. The first call is signed.
fn parts(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Vec<(Value, Option<String>)> {
    let mut signature = Some(asked.id("c2ln"));
    let mut parts = Vec::new();
    for block in answer.blocks {
        match block {
            ContentBlock::Text { text } => parts.push((json!({"text": text}), Some(text.clone()))),
            ContentBlock::Thinking(thinking) if !thinking.text.is_empty() => {
                let text = thinking.text.clone();
                parts.push((json!({"text": text, "thought": true}), Some(text)));
            }
            // A call that cannot be read is not sent: the finish reason tells of it.
            ContentBlock::ToolCall(call) if !answer.bad_input => {
                let call = json!({"name": call.name, "args": call.input, "id": call.id});
                let mut part = json!({"functionCall": call});
                if let (Some(signature), Some(fields)) = (signature.take(), part.as_object_mut()) {
                    fields.insert("thoughtSignature".to_owned(), json!(signature));
                }
                parts.push((part, None));
            }
            _ => {}
        }
    }
    parts
}

/// The chunk with the finish reason. A refusal without a word is a blocked prompt, which has no candidate.
fn last(asked: &Asked<'_>, answer: &WireAnswer<'_>, parts: &[Value]) -> Value {
    let blocked = answer.stop == StopReason::Refusal && answer.blocks.is_empty();
    let mut body = if blocked {
        let mut body = head(asked, Vec::new());
        body.remove("candidates");
        body.insert("promptFeedback".to_owned(), json!({"blockReason": "PROHIBITED_CONTENT"}));
        body
    } else {
        let calls = answer.blocks.iter().any(|block| matches!(block, ContentBlock::ToolCall(_)));
        let unreadable = answer.bad_input && calls;
        let reason = if unreadable { "MALFORMED_FUNCTION_CALL" } else { reason(&answer.stop) };
        let content = json!({"parts": parts, "role": "model"});
        let mut candidate = json!({"content": content, "finishReason": reason, "index": 0});
        if let Some(fields) = candidate.as_object_mut().filter(|_| unreadable) {
            fields.insert(
                "finishMessage".to_owned(),
                json!(format!("Malformed function call: {}", super::BAD_INPUT)),
            );
        }
        head(asked, vec![candidate])
    };
    if let Some(usage) = answer.usage {
        body.insert("usageMetadata".to_owned(), usage_of(usage, answer.thinking));
    }
    wrapped(asked.protocol, Value::Object(body))
}

fn head(asked: &Asked<'_>, candidates: Vec<Value>) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("candidates".to_owned(), Value::Array(candidates));
    body.insert("modelVersion".to_owned(), json!(asked.model()));
    body.insert("responseId".to_owned(), json!(asked.id("resp-")));
    body.insert("createTime".to_owned(), json!(CREATED_TEXT));
    body
}

fn wrapped(protocol: Protocol, body: Value) -> Value {
    match protocol {
        Protocol::CodeAssist => json!({"response": body, "traceId": "trace"}),
        _ => body,
    }
}

fn usage_of(usage: Usage, thinking: u64) -> Value {
    let prompt = usage.prompt();
    let mut report =
        json!({"promptTokenCount": prompt, "totalTokenCount": prompt.saturating_add(usage.output)});
    let more = [
        ("cachedContentTokenCount", usage.cache_read),
        ("candidatesTokenCount", usage.output.saturating_sub(thinking)),
        ("thoughtsTokenCount", thinking),
    ];
    if let Some(fields) = report.as_object_mut() {
        // A figure of 0 is left out.
        fields.extend(more.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name.to_owned(), json!(n))));
    }
    report
}

fn reason(stop: &StopReason) -> &str {
    match stop {
        StopReason::EndTurn | StopReason::ToolUse | StopReason::StopSequence | StopReason::Pause => "STOP",
        StopReason::MaxTokens => "MAX_TOKENS",
        StopReason::Refusal => "SAFETY",
        StopReason::Other(name) => name,
    }
}

/// `GET /v1beta/models`.
pub(super) fn list(models: &[Model]) -> Reply {
    let models: Vec<Value> = models.iter().map(model).collect();
    Reply::json(200, &json!({"models": models}))
}

/// A model in a list, or by itself.
pub(super) fn model(model: &Model) -> Value {
    json!({
        "name": format!("models/{}", model.name),
        "displayName": model.name,
        "inputTokenLimit": model.window,
        "outputTokenLimit": OUTPUT,
        "supportedGenerationMethods": ["generateContent", "countTokens"],
    })
}

/// A problem in Google's words: `kind` is the status.
pub(super) fn words(problem: &Problem, model: &str, protocol: Protocol) -> Words {
    let is = |status, kind, message: &str| Words::new(status, kind, None, message);
    let bearer = protocol == Protocol::CodeAssist;
    match problem {
        Problem::Kind(ErrorKind::RateLimited { retry_after_s }) => {
            let wait = retry_after_s.map_or(String::new(), |seconds| format!(" Please retry in {seconds}s."));
            let message = format!("You exceeded your current quota, please check your plan.{wait}");
            is(429, "RESOURCE_EXHAUSTED", &message)
        }
        Problem::Kind(ErrorKind::Overloaded) => {
            is(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")
        }
        Problem::Kind(ErrorKind::Internal) => is(500, "INTERNAL", "An internal error has occurred."),
        Problem::Kind(ErrorKind::TooLong { tokens, limit }) => {
            let message = format!(
                "The input token count ({tokens}) exceeds the maximum number of tokens allowed ({limit})."
            );
            is(400, "INVALID_ARGUMENT", &message)
        }
        Problem::Kind(ErrorKind::Unauthorized) | Problem::WrongKey(_) | Problem::NoKey if bearer => {
            is(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
        }
        Problem::Kind(ErrorKind::Unauthorized) | Problem::WrongKey(_) => {
            let message = "API key not valid. Please pass a valid API key.";
            Words::new(400, "INVALID_ARGUMENT", Some("API_KEY_INVALID"), message)
        }
        Problem::NoKey => is(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers."),
        Problem::Kind(ErrorKind::NotFound) => {
            let message = format!(
                "models/{model} is not found for API version v1beta, or is not supported for generateContent."
            );
            is(404, "NOT_FOUND", &message)
        }
        Problem::Invalid(message) => is(400, "INVALID_ARGUMENT", message),
        Problem::NoPath(_) => is(404, "NOT_FOUND", "Not Found"),
        Problem::Method { .. } => is(405, "UNIMPLEMENTED", "Method Not Allowed"),
        Problem::Inside(message) => is(500, "INTERNAL", message),
    }
}

/// The body of an error, with its details.
pub(super) fn error(problem: &Problem, words: &Words) -> Value {
    let mut details = Vec::new();
    if let Some(reason) = words.code {
        let kind = "type.googleapis.com/google.rpc.ErrorInfo";
        details.push(json!({"@type": kind, "reason": reason, "domain": "googleapis.com"}));
    }
    if let Problem::Kind(ErrorKind::RateLimited { retry_after_s: Some(seconds) }) = problem {
        let kind = "type.googleapis.com/google.rpc.RetryInfo";
        details.push(json!({"@type": kind, "retryDelay": format!("{seconds}s")}));
    }
    let mut error = json!({"code": words.status, "message": words.message, "status": words.kind});
    if let Some(fields) = error.as_object_mut().filter(|_| !details.is_empty()) {
        fields.insert("details".to_owned(), Value::Array(details));
    }
    json!({"error": error})
}
