//! Anthropic's Messages API (documentation, "Streaming messages").

use serde_json::{Map, Value, json};
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, Thinking, Usage};

use super::pieces::pieces;
use super::{Asked, WireAnswer, cache_split};
use crate::reply::Frame;

/// The whole message.
pub(super) fn whole(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Value {
    let blocks: Vec<Value> = answer.blocks.iter().flat_map(|block| whole_block(answer, block)).collect();
    let mut message = message(asked, blocks);
    message.insert("stop_reason".to_owned(), json!(reason(&answer.stop)));
    message.insert("stop_sequence".to_owned(), stop_sequence(asked, answer));
    if let Some(usage) = answer.usage {
        message.insert("usage".to_owned(), usage_of(asked, answer, usage, usage.output));
    }
    Value::Object(message)
}

/// The message as events.
pub(super) fn stream(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Vec<Frame> {
    let mut message = message(asked, Vec::new());
    message.insert("stop_reason".to_owned(), Value::Null);
    message.insert("stop_sequence".to_owned(), Value::Null);
    if let Some(usage) = answer.usage {
        message.insert("usage".to_owned(), usage_of(asked, answer, usage, usage.output.min(1)));
    }
    let mut frames = vec![event(&json!({"type": "message_start", "message": message}))];
    let parts = answer.blocks.iter().flat_map(|block| parts(answer, block));
    for (index, part) in parts.enumerate() {
        let started = json!({"type": "content_block_start", "index": index, "content_block": part.start});
        frames.push(event(&started));
        if index == 0 {
            frames.push(event(&json!({"type": "ping"})));
        }
        for delta in part.deltas {
            let delta = json!({"type": "content_block_delta", "index": index, "delta": delta});
            frames.push(event(&delta).into_delta());
        }
        frames.push(event(&json!({"type": "content_block_stop", "index": index})));
    }
    let delta = json!({"stop_reason": reason(&answer.stop), "stop_sequence": stop_sequence(asked, answer)});
    let mut last = json!({"type": "message_delta", "delta": delta});
    if let (Some(usage), Some(fields)) = (answer.usage, last.as_object_mut()) {
        let totals = json!({
            "input_tokens": usage.input,
            "cache_creation_input_tokens": usage.cache_write,
            "cache_read_input_tokens": usage.cache_read,
            "output_tokens": usage.output,
            "output_tokens_details": {"thinking_tokens": answer.thinking},
        });
        fields.insert("usage".to_owned(), totals);
    }
    frames.push(event(&last));
    frames.push(event(&json!({"type": "message_stop"})));
    frames
}

/// A block as it starts, and what is added to it.
struct Part {
    start: Value,
    deltas: Vec<Value>,
}

fn parts(answer: &WireAnswer<'_>, block: &ContentBlock) -> Vec<Part> {
    match block {
        ContentBlock::Text { text } => {
            let deltas = pieces(text).map(|piece| json!({"type": "text_delta", "text": piece})).collect();
            vec![Part { start: json!({"type": "text", "text": ""}), deltas }]
        }
        ContentBlock::Thinking(thinking) => thoughts(thinking)
            .into_iter()
            .map(|thought| match thought {
                Thought::Redacted(data) => {
                    Part { start: json!({"type": "redacted_thinking", "data": data}), deltas: Vec::new() }
                }
                Thought::Open(text, signature) => {
                    let text = pieces(text).map(|piece| json!({"type": "thinking_delta", "thinking": piece}));
                    let signature =
                        signature.map(|sign| json!({"type": "signature_delta", "signature": sign}));
                    let start = json!({"type": "thinking", "thinking": "", "signature": ""});
                    Part { start, deltas: text.chain(signature).collect() }
                }
            })
            .collect(),
        ContentBlock::ToolCall(call) => {
            let start = json!({"type": "tool_use", "id": call.id, "name": call.name, "input": {}});
            let arguments = answer.arguments(&call.input);
            // The first piece is empty, and so are the arguments of a call without any.
            let written = if arguments == "{}" { String::new() } else { arguments };
            let deltas = std::iter::once(String::new())
                .chain(pieces(&written))
                .map(|piece| json!({"type": "input_json_delta", "partial_json": piece}))
                .collect();
            vec![Part { start, deltas }]
        }
        ContentBlock::Image(_) | ContentBlock::ToolResult(_) => Vec::new(),
    }
}

fn whole_block(answer: &WireAnswer<'_>, block: &ContentBlock) -> Vec<Value> {
    match block {
        ContentBlock::Text { text } => vec![json!({"type": "text", "text": text})],
        ContentBlock::Thinking(thinking) => thoughts(thinking)
            .into_iter()
            .map(|thought| match thought {
                Thought::Redacted(data) => json!({"type": "redacted_thinking", "data": data}),
                Thought::Open(text, signature) => {
                    json!({"type": "thinking", "thinking": text, "signature": signature.unwrap_or_default()})
                }
            })
            .collect(),
        ContentBlock::ToolCall(call) => {
            vec![
                json!({"type": "tool_use", "id": call.id, "name": call.name, "input": answer.input(&call.input)}),
            ]
        }
        ContentBlock::Image(_) | ContentBlock::ToolResult(_) => Vec::new(),
    }
}

/// What a thinking block is on this wire: open with a signature, or opaque. One that is both, as the Responses API
/// has them, is two blocks.
enum Thought<'a> {
    Open(&'a str, Option<&'a str>),
    Redacted(&'a str),
}

fn thoughts(thinking: &Thinking) -> Vec<Thought<'_>> {
    let opaque = thinking.redacted.as_deref().map(Thought::Redacted);
    let open = (!thinking.text.is_empty() || opaque.is_none())
        .then_some(Thought::Open(&thinking.text, thinking.signature.as_deref()));
    open.into_iter().chain(opaque).collect()
}

fn message(asked: &Asked<'_>, content: Vec<Value>) -> Map<String, Value> {
    let mut message = Map::new();
    message.insert("id".to_owned(), json!(asked.id("msg_")));
    message.insert("type".to_owned(), json!("message"));
    message.insert("role".to_owned(), json!("assistant"));
    message.insert("model".to_owned(), json!(asked.model()));
    message.insert("content".to_owned(), Value::Array(content));
    message.extend(asked.diagnosis.iter().map(|(field, value)| ((*field).to_owned(), value.clone())));
    message
}

fn usage_of(asked: &Asked<'_>, answer: &WireAnswer<'_>, usage: Usage, output: u64) -> Value {
    let (minutes, hour) = cache_split::split(asked.body, usage.cache_write);
    json!({
        "input_tokens": usage.input,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation": {"ephemeral_5m_input_tokens": minutes, "ephemeral_1h_input_tokens": hour},
        "output_tokens": output,
        "output_tokens_details": {"thinking_tokens": answer.thinking.min(output)},
        "service_tier": "standard",
    })
}

fn reason(stop: &StopReason) -> &str {
    match stop {
        StopReason::Pause => "pause_turn",
        other => other.name(),
    }
}

/// The sequence that was met: the first that the request names.
fn stop_sequence(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Value {
    match answer.stop {
        StopReason::StopSequence => asked.body.pointer("/stop_sequences/0").cloned().unwrap_or_default(),
        _ => Value::Null,
    }
}

fn event(data: &Value) -> Frame {
    let name = data.get("type").and_then(Value::as_str).unwrap_or_default();
    Frame::event(name, data)
}
