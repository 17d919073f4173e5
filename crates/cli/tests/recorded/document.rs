//! A recorded stream as the document that its API would have sent instead.

use serde_json::{Map, Value, json};

use crate::exchange::Kind;

/// The document of a stream; `None` if the text holds no event of this API.
pub(crate) fn of(kind: Kind, body: &str) -> Option<Value> {
    let data = body.lines().filter_map(|line| line.strip_prefix("data:"));
    let events: Vec<Value> = data.filter_map(|data| serde_json::from_str(data.trim()).ok()).collect();
    if events.is_empty() {
        return None;
    }
    Some(match kind {
        Kind::Anthropic => anthropic(&events),
        Kind::Chat => chat(&events),
        Kind::Responses => responses(&events),
        Kind::Gemini => gemini(&events),
    })
}

fn anthropic(events: &[Value]) -> Value {
    let (mut blocks, mut written) = (Vec::<Value>::new(), Vec::<String>::new());
    let mut document = json!({});
    for event in events {
        let at = usize::try_from(event["index"].as_u64().unwrap_or(0)).unwrap();
        match event["type"].as_str().unwrap_or_default() {
            "message_start" => document = event["message"].clone(),
            "content_block_start" => {
                blocks.push(event["content_block"].clone());
                written.push(String::new());
            }
            "content_block_delta" => {
                let delta = &event["delta"];
                for (name, field) in [("text", "text"), ("thinking", "thinking"), ("signature", "signature")]
                {
                    if let Some(more) = delta[name].as_str() {
                        blocks[at][field] = json!(format!("{}{more}", text(&blocks[at][field])));
                    }
                }
                written[at] += text(&delta["partial_json"]);
            }
            "message_delta" => {
                document["stop_reason"] = event["delta"]["stop_reason"].clone();
                for (name, figure) in event["usage"].as_object().into_iter().flatten() {
                    document["usage"][name] = figure.clone();
                }
            }
            _ => {}
        }
    }
    for (block, written) in blocks.iter_mut().zip(written).filter(|(_, written)| !written.is_empty()) {
        block["input"] = serde_json::from_str(&written).unwrap();
    }
    document["content"] = Value::Array(blocks);
    document
}

fn chat(events: &[Value]) -> Value {
    let mut message = Map::new();
    let (mut calls, mut details) = (Vec::<Value>::new(), Vec::<Value>::new());
    let (mut usage, mut finish) = (Value::Null, Value::Null);
    for event in events {
        if event["usage"].is_object() {
            usage = event["usage"].clone();
        }
        for choice in event["choices"].as_array().into_iter().flatten() {
            if !choice["finish_reason"].is_null() {
                finish = choice["finish_reason"].clone();
            }
            for (name, value) in choice["delta"].as_object().into_iter().flatten() {
                match (name.as_str(), value) {
                    ("tool_calls", Value::Array(pieces)) => {
                        pieces.iter().for_each(|piece| call(&mut calls, piece));
                    }
                    ("reasoning_details", Value::Array(parts)) => details.extend(parts.iter().cloned()),
                    ("role", _) | (_, Value::Null) => {}
                    (_, value) => grow(message.entry(name.clone()).or_insert(Value::Null), value),
                }
            }
        }
    }
    message.insert("tool_calls".to_owned(), Value::Array(calls));
    message.insert("reasoning_details".to_owned(), Value::Array(details));
    let is_answer = events.iter().any(|event| event["choices"].is_array());
    let choices =
        if is_answer { json!([{"message": message, "finish_reason": finish}]) } else { Value::Null };
    json!({"choices": choices, "usage": usage})
}

/// Adds to a field: texts and lists grow; a text that parts came before becomes a part.
fn grow(field: &mut Value, more: &Value) {
    match (&mut *field, more) {
        (Value::String(text), Value::String(more)) => text.push_str(more),
        (Value::Array(parts), Value::Array(more)) => parts.extend(more.iter().cloned()),
        (Value::Array(parts), Value::String(more)) => parts.push(json!({"type": "text", "text": more})),
        (Value::String(text), Value::Array(more)) => {
            let mut parts = vec![json!({"type": "text", "text": text})];
            parts.extend(more.iter().cloned());
            *field = Value::Array(parts);
        }
        _ => *field = more.clone(),
    }
}

/// Adds the piece of a call: one with an id begins it, and a call without an index is whole.
fn call(calls: &mut Vec<Value>, piece: &Value) {
    let known = calls.iter().position(|call| !piece["index"].is_null() && call["index"] == piece["index"]);
    match known {
        None => calls.push(piece.clone()),
        Some(at) => {
            let written =
                [&calls[at], piece].map(|call| text(&call["function"]["arguments"]).to_owned()).concat();
            calls[at]["function"]["arguments"] = json!(written);
        }
    }
}

fn responses(events: &[Value]) -> Value {
    let ends = |event: &&Value| ["response.completed", "response.incomplete"].contains(&text(&event["type"]));
    let mut document = events.iter().rfind(ends).map_or(Value::Null, |end| end["response"].clone());
    if document["output"].as_array().is_none_or(Vec::is_empty) {
        let done = events.iter().filter(|event| event["type"] == "response.output_item.done");
        document["output"] = done.map(|event| event["item"].clone()).collect();
    }
    document
}

/// Parts follow each other, and of every other field the last report is the whole one.
fn gemini(events: &[Value]) -> Value {
    let (mut document, mut candidate) = (Map::new(), Map::new());
    let mut parts = Vec::new();
    for event in events {
        document.extend(event.as_object().cloned().unwrap_or_default());
        let first = event["candidates"].as_array().and_then(|candidates| candidates.first());
        parts.extend(
            first.and_then(|first| first["content"]["parts"].as_array()).into_iter().flatten().cloned(),
        );
        candidate.extend(first.and_then(Value::as_object).cloned().unwrap_or_default());
    }
    candidate.insert("content".to_owned(), json!({"role": "model", "parts": parts}));
    document.insert("candidates".to_owned(), json!([candidate]));
    Value::Object(document)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
