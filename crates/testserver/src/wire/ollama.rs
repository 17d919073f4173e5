//! Ollama's chat (documentation, "Generate a chat completion").

use serde_json::{Map, Value, json};
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, ToolCall};

use super::pieces::pieces;
use super::{Asked, CREATED_TEXT, WireAnswer};
use crate::reply::Frame;

/// Nanoseconds that a token is said to have taken.
const NANOSECONDS: u64 = 1_000_000;

/// The whole answer.
pub(super) fn whole(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Value {
    let (mut said, mut thought, mut calls) = (String::new(), String::new(), Vec::new());
    for block in answer.blocks {
        match block {
            ContentBlock::Text { text } => said.push_str(text),
            ContentBlock::Thinking(thinking) => thought.push_str(&thinking.text),
            ContentBlock::ToolCall(call) => calls.push(call_of(answer, call, calls.len())),
            ContentBlock::Image(_) | ContentBlock::ToolResult(_) => {}
        }
    }
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    message.insert("content".to_owned(), json!(said));
    if !thought.is_empty() {
        message.insert("thinking".to_owned(), json!(thought));
    }
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    Value::Object(last(asked, answer, Value::Object(message)))
}

/// The answer as lines.
pub(super) fn stream(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Vec<Frame> {
    let line = |message: Value| {
        let mut line = head(asked, message);
        line.insert("done".to_owned(), json!(false));
        Frame::line(&Value::Object(line)).into_delta()
    };
    let mut frames = Vec::new();
    let mut index = 0;
    for block in answer.blocks {
        match block {
            ContentBlock::Text { text } => {
                frames.extend(pieces(text).map(|piece| line(json!({"role": "assistant", "content": piece}))));
            }
            ContentBlock::Thinking(thinking) => {
                let message = |piece| json!({"role": "assistant", "content": "", "thinking": piece});
                frames.extend(pieces(&thinking.text).map(|piece| line(message(piece))));
            }
            ContentBlock::ToolCall(call) => {
                let calls = [call_of(answer, call, index)];
                frames.push(line(json!({"role": "assistant", "content": "", "tool_calls": calls})));
                index += 1;
            }
            ContentBlock::Image(_) | ContentBlock::ToolResult(_) => {}
        }
    }
    let message = json!({"role": "assistant", "content": ""});
    frames.push(Frame::line(&Value::Object(last(asked, answer, message))));
    frames
}

fn head(asked: &Asked<'_>, message: Value) -> Map<String, Value> {
    let mut line = Map::new();
    line.insert("model".to_owned(), json!(asked.model()));
    line.insert("created_at".to_owned(), json!(CREATED_TEXT));
    line.insert("message".to_owned(), message);
    line
}

fn last(asked: &Asked<'_>, answer: &WireAnswer<'_>, message: Value) -> Map<String, Value> {
    let mut line = head(asked, message);
    line.insert("done".to_owned(), json!(true));
    line.insert("done_reason".to_owned(), json!(reason(&answer.stop)));
    if let Some(usage) = answer.usage {
        let (read, written) = (usage.prompt(), usage.output);
        let took = |tokens: u64| json!(tokens.saturating_mul(NANOSECONDS));
        line.insert("total_duration".to_owned(), took(read.saturating_add(written)));
        line.insert("load_duration".to_owned(), json!(NANOSECONDS));
        line.insert("prompt_eval_count".to_owned(), json!(read));
        // Of the tokens before, as newer servers tell it.
        if usage.cache_read > 0 {
            line.insert("prompt_eval_cached_count".to_owned(), json!(usage.cache_read));
        }
        line.insert("prompt_eval_duration".to_owned(), took(read));
        line.insert("eval_count".to_owned(), json!(written));
        line.insert("eval_duration".to_owned(), took(written));
    }
    line
}

fn call_of(answer: &WireAnswer<'_>, call: &ToolCall, index: usize) -> Value {
    let function = json!({"index": index, "name": call.name, "arguments": answer.input(&call.input)});
    json!({"id": call.id, "function": function})
}

fn reason(stop: &StopReason) -> &str {
    match stop {
        StopReason::MaxTokens => "length",
        StopReason::Other(name) => name,
        _ => "stop",
    }
}
