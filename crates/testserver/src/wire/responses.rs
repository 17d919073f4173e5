//! OpenAI's Responses API (API reference, "Streaming events").

mod items;

use serde_json::{Map, Value, json};
use throughline_completion::StopReason;
use throughline_conversation::Usage;

use super::problem::Words;
use super::{Asked, CREATED, Problem, WireAnswer};
use crate::reply::Frame;
use items::Item;

/// The whole response.
pub(super) fn whole(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Value {
    let output = items::of(asked, answer).iter().map(Item::done).collect();
    finished(asked, answer, output)
}

/// The response as events.
pub(super) fn stream(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Vec<Frame> {
    let mut events = Events::default();
    events.begin(asked);
    let items = items::of(asked, answer);
    for (index, item) in items.iter().enumerate() {
        item.tell(index, &mut events);
    }
    let whole = finished(asked, answer, items.iter().map(Item::done).collect());
    let name = if incomplete(&answer.stop).is_some() { "response.incomplete" } else { "response.completed" };
    events.add(name, json!({"response": whole}));
    events.frames
}

/// A response that fails as soon as it runs.
pub(super) fn failed_stream(asked: &Asked<'_>, problem: &Problem) -> Vec<Frame> {
    let mut events = Events::default();
    events.begin(asked);
    let words = problem.words(asked.protocol, asked.model());
    let behind = events.frames.len();
    events.frames.push(failed(asked, &words, behind));
    events.frames
}

/// The event of a response that fails behind this many others. Each of them has a number, counted from 0.
pub(super) fn failed(asked: &Asked<'_>, words: &Words, behind: usize) -> Frame {
    let code = words.code.unwrap_or("server_error");
    let mut response = response(asked, "failed", Vec::new());
    response.insert("error".to_owned(), json!({"code": code, "message": words.message}));
    let data = json!({"type": "response.failed", "sequence_number": behind, "response": response});
    Frame::event("response.failed", &data)
}

/// Events with their running number.
#[derive(Debug, Default)]
struct Events {
    frames: Vec<Frame>,
}

impl Events {
    fn begin(&mut self, asked: &Asked<'_>) {
        for name in ["response.created", "response.in_progress"] {
            self.add(name, json!({"response": response(asked, "in_progress", Vec::new())}));
        }
    }

    fn add(&mut self, name: &str, fields: Value) {
        let mut data = Map::new();
        data.insert("type".to_owned(), json!(name));
        data.insert("sequence_number".to_owned(), json!(self.frames.len()));
        if let Value::Object(fields) = fields {
            data.extend(fields);
        }
        self.frames.push(Frame::event(name, &Value::Object(data)));
    }

    fn delta(&mut self, name: &str, fields: Value) {
        self.add(name, fields);
        if let Some(last) = self.frames.last_mut() {
            last.delta = true;
        }
    }
}

fn finished(asked: &Asked<'_>, answer: &WireAnswer<'_>, output: Vec<Value>) -> Value {
    let reason = incomplete(&answer.stop);
    let mut whole = response(asked, if reason.is_some() { "incomplete" } else { "completed" }, output);
    if let Some(reason) = reason {
        whole.insert("incomplete_details".to_owned(), json!({"reason": reason}));
    }
    if let Some(usage) = answer.usage {
        whole.insert("usage".to_owned(), usage_of(answer, usage));
    }
    whole.extend(asked.diagnosis.iter().map(|(field, value)| ((*field).to_owned(), value.clone())));
    Value::Object(whole)
}

/// What the request said comes back in the response.
fn response(asked: &Asked<'_>, status: &str, output: Vec<Value>) -> Map<String, Value> {
    let said = |name: &str, otherwise: Value| {
        asked.body.get(name).filter(|value| !value.is_null()).cloned().unwrap_or(otherwise)
    };
    let fields = [
        ("id", json!(asked.id("resp_"))),
        ("object", json!("response")),
        ("created_at", json!(CREATED)),
        ("status", json!(status)),
        ("background", json!(false)),
        ("error", Value::Null),
        ("incomplete_details", Value::Null),
        ("instructions", said("instructions", Value::Null)),
        ("max_output_tokens", said("max_output_tokens", Value::Null)),
        ("metadata", said("metadata", json!({}))),
        ("model", json!(asked.model())),
        ("output", Value::Array(output)),
        ("parallel_tool_calls", said("parallel_tool_calls", json!(true))),
        ("previous_response_id", said("previous_response_id", Value::Null)),
        ("prompt_cache_key", said("prompt_cache_key", Value::Null)),
        ("reasoning", said("reasoning", json!({"effort": null, "summary": null}))),
        ("service_tier", json!("default")),
        ("store", said("store", json!(true))),
        ("temperature", said("temperature", json!(1.0))),
        ("text", said("text", json!({"format": {"type": "text"}}))),
        ("tool_choice", said("tool_choice", json!("auto"))),
        ("tools", said("tools", json!([]))),
        ("top_p", said("top_p", json!(1.0))),
        ("truncation", said("truncation", json!("disabled"))),
        ("usage", Value::Null),
        ("user", said("user", Value::Null)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn usage_of(answer: &WireAnswer<'_>, usage: Usage) -> Value {
    json!({
        "input_tokens": usage.prompt(),
        "input_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": answer.thinking},
        "total_tokens": usage.prompt().saturating_add(usage.output),
    })
}

/// Why the response is not complete; `None` when it is.
fn incomplete(stop: &StopReason) -> Option<&str> {
    match stop {
        StopReason::MaxTokens => Some("max_output_tokens"),
        StopReason::Refusal => Some("content_filter"),
        StopReason::Other(name) => Some(name),
        StopReason::EndTurn | StopReason::ToolUse | StopReason::StopSequence | StopReason::Pause => None,
    }
}
