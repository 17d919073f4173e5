//! A document as the stream that its API would have sent instead.

use serde_json::{Value, json};

use crate::exchange::Kind;

/// Characters of a delta.
const PIECE: usize = 11;

/// The stream of a document.
pub(crate) fn of(kind: Kind, document: &Value) -> String {
    match kind {
        Kind::Anthropic => anthropic(document),
        Kind::Chat => chat(document),
        Kind::Responses => responses(document),
        Kind::Gemini => gemini(document),
    }
}

fn named(events: &[Value]) -> String {
    let line = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    events.iter().map(line).collect()
}

fn anthropic(document: &Value) -> String {
    let mut start = document.clone();
    (start["content"], start["stop_reason"]) = (json!([]), Value::Null);
    let mut events = vec![json!({"type": "message_start", "message": start})];
    for (index, block) in document["content"].as_array().into_iter().flatten().enumerate() {
        let (empty, deltas) = block_deltas(block);
        events.push(json!({"type": "content_block_start", "index": index, "content_block": empty}));
        for delta in deltas {
            events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let delta = json!({
        "stop_reason": document["stop_reason"],
        "stop_sequence": document["stop_sequence"],
        "stop_details": document["stop_details"],
    });
    events.push(json!({"type": "message_delta", "delta": delta, "usage": document["usage"]}));
    events.push(json!({"type": "message_stop"}));
    named(&events)
}

/// A block as it begins, and the deltas that follow.
fn block_deltas(block: &Value) -> (Value, Vec<Value>) {
    let mut empty = block.clone();
    let mut deltas = Vec::new();
    let mut grow = |field: &str, kind: &str, name: &str| {
        let text = match &block[field] {
            Value::String(text) => text.clone(),
            Value::Object(_) => block[field].to_string(),
            _ => return,
        };
        empty[field] = if block[field].is_object() { json!({}) } else { json!("") };
        deltas.extend(pieces(&text).map(|piece| json!({"type": kind, name: piece})));
    };
    match block["type"].as_str().unwrap_or_default() {
        "text" => grow("text", "text_delta", "text"),
        "thinking" => {
            grow("thinking", "thinking_delta", "thinking");
            grow("signature", "signature_delta", "signature");
        }
        "tool_use" | "server_tool_use" | "mcp_tool_use" => grow("input", "input_json_delta", "partial_json"),
        _ => {}
    }
    if let Some(citations) = block["citations"].as_array() {
        empty["citations"] = json!([]);
        deltas.extend(
            citations.iter().map(|citation| json!({"type": "citations_delta", "citation": citation})),
        );
    }
    (empty, deltas)
}

fn chat(document: &Value) -> String {
    let mut chunks = Vec::new();
    for choice in document["choices"].as_array().into_iter().flatten() {
        let mut say = |delta: Value| chunks.push(json!({"index": choice["index"], "delta": delta}));
        for (name, value) in choice["message"].as_object().into_iter().flatten() {
            match value {
                Value::String(text) if name != "role" => {
                    pieces(text).for_each(|piece| say(json!({name: piece})));
                }
                Value::Array(calls) if name == "tool_calls" => {
                    for (index, call) in calls.iter().enumerate() {
                        let mut first = call.clone();
                        let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
                        first["index"] = json!(index);
                        first["function"]["arguments"] = json!("");
                        say(json!({"tool_calls": [first]}));
                        for piece in pieces(arguments) {
                            let more = json!({"index": index, "function": {"arguments": piece}});
                            say(json!({"tool_calls": [more]}));
                        }
                    }
                }
                value => say(json!({name: value})),
            }
        }
        chunks.push(json!({"index": choice["index"], "delta": {}, "finish_reason": choice["finish_reason"]}));
    }
    let chunk = |choices: Value, usage: &Value| {
        format!(
            "data: {}\n\n",
            json!({"object": "chat.completion.chunk", "choices": choices, "usage": usage})
        )
    };
    let mut stream: String = chunks.into_iter().map(|choice| chunk(json!([choice]), &Value::Null)).collect();
    stream += &chunk(json!([]), &document["usage"]);
    stream + "data: [DONE]\n\n"
}

fn responses(document: &Value) -> String {
    let mut begun = document.clone();
    (begun["status"], begun["output"]) = (json!("in_progress"), json!([]));
    let mut events = vec![json!({"type": "response.created", "response": begun})];
    for (place, item) in document["output"].as_array().into_iter().flatten().enumerate() {
        let mut empty = item.clone();
        let mut deltas = Vec::new();
        for (field, parts) in ["content", "summary"].into_iter().map(|field| (field, &item[field])) {
            for (index, part) in parts.as_array().into_iter().flatten().enumerate() {
                let (name, text) = match part["type"].as_str().unwrap_or_default() {
                    "output_text" => ("response.output_text.delta", &part["text"]),
                    "refusal" => ("response.refusal.delta", &part["refusal"]),
                    "summary_text" => ("response.reasoning_summary_text.delta", &part["text"]),
                    "reasoning_text" => ("response.reasoning_text.delta", &part["text"]),
                    _ => continue,
                };
                empty[field] = json!([]);
                let at = if field == "summary" { "summary_index" } else { "content_index" };
                deltas
                    .extend(pieces(text.as_str().unwrap_or_default()).map(
                        |piece| json!({"type": name, "output_index": place, at: index, "delta": piece}),
                    ));
            }
        }
        if let Some(arguments) = item["arguments"].as_str().filter(|_| item["type"] == "function_call") {
            empty["arguments"] = json!("");
            let name = "response.function_call_arguments.delta";
            deltas.extend(
                pieces(arguments).map(|piece| json!({"type": name, "output_index": place, "delta": piece})),
            );
        }
        events.push(json!({"type": "response.output_item.added", "output_index": place, "item": empty}));
        events.extend(deltas);
        events.push(json!({"type": "response.output_item.done", "output_index": place, "item": item}));
    }
    let end = match document["status"].as_str().unwrap_or("completed") {
        status @ ("failed" | "incomplete" | "cancelled" | "queued" | "in_progress") => status,
        _ => "completed",
    };
    events.push(json!({"type": format!("response.{end}"), "response": document}));
    named(&events)
}

/// Texts come in pieces, the last of which is signed; everything else comes whole.
fn gemini(document: &Value) -> String {
    let chunk = |document: &Value| format!("data: {document}\n\n");
    let mut stream = String::new();
    let candidate = &document["candidates"][0];
    for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
        let mut said: Vec<Value> = pieces(part["text"].as_str().unwrap_or_default())
            .map(|text| match part["thought"].as_bool() {
                Some(thought) => json!({"text": text, "thought": thought}),
                None => json!({"text": text}),
            })
            .collect();
        match (said.last_mut(), part.get("thoughtSignature")) {
            (Some(last), Some(signature)) => last["thoughtSignature"] = signature.clone(),
            (None, _) => said.push(part.clone()),
            (Some(_), None) => {}
        }
        for part in said {
            stream +=
                &chunk(&json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}]}));
        }
    }
    let mut last = document.clone();
    if let Some(candidate) = last["candidates"].get_mut(0).and_then(Value::as_object_mut) {
        candidate.insert("content".to_owned(), json!({"role": "model"}));
    }
    stream + &chunk(&last)
}

fn pieces(text: &str) -> impl Iterator<Item = String> {
    let all: Vec<char> = text.chars().collect();
    all.chunks(PIECE).map(|piece| piece.iter().collect()).collect::<Vec<String>>().into_iter()
}
