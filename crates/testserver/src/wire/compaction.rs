//! A provider's own compaction: Anthropic's on demand (documentation, "Compaction on demand"), and OpenAI's (API reference,
//! "Compact a response"). The script's text is the summary, or the opaque item.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Usage};

use super::{Asked, CREATED, Protocol, WireAnswer, sse};
use crate::reply::{Frame, Reply};

/// The header's value that Anthropic asks for.
const BETA: &str = "compact-2026-09-04";

/// Fields that a compaction by the Responses API has (API reference, "Compact a response").
const FIELDS: &[&str] = &[
    "model",
    "input",
    "instructions",
    "previous_response_id",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "service_tier",
];

/// Returns true if a body of Anthropic's asks for a compaction.
pub(crate) fn is_asked(protocol: Protocol, body: &Value) -> bool {
    protocol == Protocol::Anthropic && body.get("compaction").is_some_and(|field| !field.is_null())
}

/// What is wrong with the request of such a compaction. `betas` is the header that names features.
pub(crate) fn faults(body: &Value, betas: Option<&str>) -> Vec<String> {
    let mut faults = Vec::new();
    if !betas.is_some_and(|betas| betas.split(',').any(|beta| beta.trim() == BETA)) {
        faults.push("compaction: Extra inputs are not permitted".to_owned());
    }
    if body.pointer("/compaction/type").and_then(Value::as_str) != Some("summarize") {
        faults.push("compaction.type: Input should be 'summarize'".to_owned());
    }
    if body.get("context_management").is_some() {
        faults.push("compaction: cannot be combined with `context_management`".to_owned());
    }
    faults
}

/// Fields that a compaction by the Responses API does not have.
pub(crate) fn unknown_fields(body: &Value) -> Vec<String> {
    let fields = body.as_object().into_iter().flatten().map(|(name, _)| name);
    let unknown = fields.filter(|name| !FIELDS.contains(&name.as_str()));
    unknown.map(|name| format!("{name}: Unknown parameter: '{name}'.")).collect()
}

/// The answer of Anthropic: one block, and nothing behind it. What it took is an iteration of its own, and in no total.
pub(super) fn block(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Reply {
    let text = text(answer);
    let content = if text.is_empty() { Value::Null } else { json!(text) };
    let (encrypted, signature) = (asked.id("sealed_"), asked.id("sig_"));
    let usage = usage_of(answer.usage.unwrap_or_default());
    let message = |content: Value, stop: Value, usage: &Value| {
        json!({
            "id": asked.id("msg_"), "type": "message", "role": "assistant", "model": asked.model(),
            "content": content, "stop_reason": stop, "stop_sequence": null, "usage": usage,
        })
    };
    if !asked.streams() {
        let block = json!({
            "type": "compaction", "content": content, "encrypted_content": encrypted, "signature": signature,
        });
        return Reply::json(200, &message(json!([block]), json!("compaction"), &usage));
    }
    let nothing = json!({"input_tokens": 0, "output_tokens": 0});
    let events = [
        json!({"type": "message_start", "message": message(json!([]), Value::Null, &nothing)}),
        json!({"type": "content_block_start", "index": 0,
               "content_block": {"type": "compaction", "content": null, "signature": signature}}),
        json!({"type": "content_block_delta", "index": 0,
               "delta": {"type": "compaction_delta", "content": content, "encrypted_content": encrypted}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "compaction", "stop_sequence": null}, "usage": usage}),
        json!({"type": "message_stop"}),
    ];
    let named =
        |data: &Value| Frame::event(data.get("type").and_then(Value::as_str).unwrap_or_default(), data);
    sse(events.iter().map(named).collect())
}

/// The answer of the Responses API: the user's messages, and one item.
pub(super) fn item(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Reply {
    let input = asked.body.get("input").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut output: Vec<Value> =
        input.into_iter().filter(|item| item.get("role").and_then(Value::as_str) == Some("user")).collect();
    output.push(json!({"type": "compaction", "id": asked.id("cmp_"), "encrypted_content": text(answer)}));
    let usage = answer.usage.unwrap_or_default();
    Reply::json(
        200,
        &json!({
            "id": asked.id("resp_"), "object": "response.compaction", "created_at": CREATED, "output": output,
            "usage": {
                "input_tokens": usage.prompt(),
                "input_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
                "output_tokens": usage.output,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": usage.prompt().saturating_add(usage.output),
            },
        }),
    )
}

fn usage_of(usage: Usage) -> Value {
    let pass = json!({
        "type": "compaction",
        "input_tokens": usage.input,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
        "output_tokens": usage.output,
    });
    json!({"input_tokens": 0, "output_tokens": 0, "iterations": [pass]})
}

fn text(answer: &WireAnswer<'_>) -> String {
    let texts = answer.blocks.iter().filter_map(|block| match block {
        ContentBlock::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
