//! OpenAI's Chat Completions API (API reference, "Chat completion chunk").

use serde_json::{Map, Value, json};
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, ToolCall, Usage};

use super::pieces::pieces;
use super::{Asked, CREATED, WireAnswer};
use crate::reply::Frame;

/// A field of a call, and the signature of the thinking that holds it.
const EXTRA: &str = "extra_content";

/// The whole completion.
pub(super) fn whole(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Value {
    let text = |pick: fn(&ContentBlock) -> Option<&str>| -> Option<String> {
        let texts: Vec<&str> = answer.blocks.iter().filter_map(pick).collect();
        (!texts.is_empty()).then(|| texts.concat())
    };
    let mut message = json!({"role": "assistant", "content": text(said), "refusal": null, "annotations": []});
    let calls: Vec<Value> = calls(answer).map(|(extra, call)| whole_call(answer, extra, call)).collect();
    if let Some(fields) = message.as_object_mut() {
        if let Some(thinking) = text(thought) {
            let name = answer.blocks.iter().find(|block| thought(block).is_some()).map(field);
            fields.insert(name.unwrap_or("reasoning_content").to_owned(), json!(thinking));
        }
        if !calls.is_empty() {
            fields.insert("tool_calls".to_owned(), Value::Array(calls));
        }
    }
    let choice =
        json!({"index": 0, "message": message, "logprobs": null, "finish_reason": reason(&answer.stop)});
    let mut body = head(asked, "chat.completion", vec![choice]);
    if let Some(usage) = answer.usage {
        body.insert("usage".to_owned(), usage_of(answer, usage));
    }
    Value::Object(body)
}

/// The completion as chunks.
pub(super) fn stream(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Vec<Frame> {
    let counts = asked.body.pointer("/stream_options/include_usage").and_then(Value::as_bool) == Some(true);
    let chunk = |choices: Vec<Value>, usage: Value| {
        let mut body = head(asked, "chat.completion.chunk", choices);
        // With usage asked for, the field is in every chunk.
        if counts {
            body.insert("usage".to_owned(), usage);
        }
        Frame::data(&Value::Object(body))
    };
    let delta = |delta: Value, finish: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish});
        chunk(vec![choice], Value::Null)
    };
    let says = answer.blocks.iter().any(|block| said(block).is_some());
    let content = if says { json!("") } else { Value::Null };
    let mut frames = vec![delta(json!({"role": "assistant", "content": content, "refusal": null}), None)];
    let mut index = 0;
    let mut calls = calls(answer);
    for block in answer.blocks {
        if let Some(text) = thought(block) {
            let deltas = pieces(text).map(|piece| json!({field(block): piece}));
            frames.extend(deltas.map(|piece| delta(piece, None).into_delta()));
        }
        if let Some(text) = said(block) {
            let deltas = pieces(text).map(|piece| json!({"content": piece}));
            frames.extend(deltas.map(|piece| delta(piece, None).into_delta()));
        }
        if matches!(block, ContentBlock::ToolCall(_))
            && let Some((extra, call)) = calls.next()
        {
            let mut first = json!({"index": index, "id": call.id, "type": "function"});
            if let Some(fields) = first.as_object_mut() {
                fields.insert("function".to_owned(), json!({"name": call.name, "arguments": ""}));
                fields.extend(extra.map(|extra| (EXTRA.to_owned(), extra)));
            }
            frames.push(delta(json!({"tool_calls": [first]}), None).into_delta());
            for piece in pieces(&answer.arguments(&call.input)) {
                let piece = json!({"index": index, "function": {"arguments": piece}});
                frames.push(delta(json!({"tool_calls": [piece]}), None).into_delta());
            }
            index += 1;
        }
    }
    frames.push(delta(json!({}), Some(reason(&answer.stop))));
    if let Some(usage) = answer.usage.filter(|_| counts) {
        frames.push(chunk(Vec::new(), usage_of(answer, usage)));
    }
    frames.push(Frame::new("data: [DONE]\n\n"));
    frames
}

fn head(asked: &Asked<'_>, object: &str, choices: Vec<Value>) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("id".to_owned(), json!(asked.id("chatcmpl-")));
    body.insert("object".to_owned(), json!(object));
    body.insert("created".to_owned(), json!(CREATED));
    body.insert("model".to_owned(), json!(asked.model()));
    body.insert("service_tier".to_owned(), json!("default"));
    body.insert("system_fingerprint".to_owned(), json!("fp_0000000000"));
    body.insert("choices".to_owned(), Value::Array(choices));
    body
}

fn said(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Text { text } => Some(text),
        _ => None,
    }
}

fn thought(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Thinking(thinking) if !thinking.text.is_empty() => Some(&thinking.text),
        _ => None,
    }
}

/// The field that thinking is sent in.
fn field(block: &ContentBlock) -> &'static str {
    match block {
        ContentBlock::Thinking(thinking) if thinking.signature.as_deref() == Some("reasoning") => "reasoning",
        _ => "reasoning_content",
    }
}

/// The calls, each with its further field.
fn calls<'a>(answer: &WireAnswer<'a>) -> impl Iterator<Item = (Option<Value>, &'a ToolCall)> {
    let before = std::iter::once(None).chain(answer.blocks.iter().map(Some));
    before.zip(answer.blocks).filter_map(|(before, block)| match block {
        ContentBlock::ToolCall(call) => Some((before.and_then(extra), call)),
        _ => None,
    })
}

fn extra(block: &ContentBlock) -> Option<Value> {
    match block {
        ContentBlock::Thinking(thinking) if thinking.signature.as_deref() == Some(EXTRA) => {
            serde_json::from_str(thinking.redacted.as_deref()?).ok()
        }
        _ => None,
    }
}

fn whole_call(answer: &WireAnswer<'_>, extra: Option<Value>, call: &ToolCall) -> Value {
    let function = json!({"name": call.name, "arguments": answer.arguments(&call.input)});
    let mut whole = json!({"id": call.id, "type": "function", "function": function});
    if let Some(fields) = whole.as_object_mut() {
        fields.extend(extra.map(|extra| (EXTRA.to_owned(), extra)));
    }
    whole
}

fn usage_of(answer: &WireAnswer<'_>, usage: Usage) -> Value {
    json!({
        "prompt_tokens": usage.prompt(),
        "completion_tokens": usage.output,
        "total_tokens": usage.prompt().saturating_add(usage.output),
        "prompt_tokens_details": {
            "cached_tokens": usage.cache_read,
            "cache_write_tokens": usage.cache_write,
            "audio_tokens": 0,
        },
        "completion_tokens_details": {
            "reasoning_tokens": answer.thinking,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    })
}

fn reason(stop: &StopReason) -> &str {
    match stop {
        StopReason::EndTurn | StopReason::StopSequence | StopReason::Pause => "stop",
        StopReason::ToolUse => "tool_calls",
        StopReason::MaxTokens => "length",
        StopReason::Refusal => "content_filter",
        StopReason::Other(name) => name,
    }
}
