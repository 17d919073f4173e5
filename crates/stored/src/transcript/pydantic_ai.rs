//! A `Conversation` of pydantic-ai, version 1 of its form: what `ConversationTypeAdapter` reads and a `ConversationStore` saves.

use std::collections::HashMap;
use std::io::Write;

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Image, SessionId, Thinking, ToolResult, Usage};
use throughline_text::one_line_json;

use super::{LoggedMessage, each_message, write_line};
use crate::error::Result;
use crate::storage::Storage;

/// What pydantic-ai calls a thinking block whose text the provider hides.
const REDACTED: &str = "redacted_thinking";

/// Writes a session as a conversation, a message a line.
///
/// # Errors
/// There is no such session, the log cannot be read, or `out` cannot be written: [`Error::Other`](crate::Error::Other) with the
/// `std::io::Error`.
pub async fn export_pydantic_ai(
    data: &Storage,
    session: &SessionId,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    let mut written = Conversation::default();
    write_line(out, &format!("{{\"conversation_id\":{},\"messages\":[", json!(session)))?;
    each_message(data, session, &mut |said| {
        let Some(message) = written.of(&said) else { return Ok(()) };
        let comma = if written.messages == 1 { "" } else { "," };
        write_line(out, &format!("{comma}{}", one_line_json(&message.to_string())))
    })
    .await?;
    write_line(out, &format!("],\"usage\":{}}}", written.sums()))
}

/// What is written so far.
#[derive(Default)]
struct Conversation {
    messages: u64,
    requests: u64,
    used: Usage,
    /// The tool of each call: results repeat it.
    tools: HashMap<String, String>,
}

impl Conversation {
    /// A message in the form; `None`: there is nothing in it that the form has.
    fn of(&mut self, said: &LoggedMessage<'_>) -> Option<Value> {
        let at = said.at.rfc3339();
        let message = match said.model {
            Some(model) => self.response(said, model, &at),
            None => self.request(said, &at),
        };
        self.messages += u64::from(message.is_some());
        message
    }

    fn request(&mut self, said: &LoggedMessage<'_>, at: &str) -> Option<Value> {
        let mut parts: Vec<Value> =
            said.message.tool_results().map(|result| self.returned(result, at)).collect();
        let own = said.message.content.iter().filter_map(|block| match block {
            ContentBlock::Text { text } => Some(json!(text)),
            ContentBlock::Image(image) => Some(binary(image)),
            _ => None,
        });
        let mut own: Vec<Value> = own.collect();
        let content = match own.as_mut_slice() {
            [] => None,
            [only] if only.is_string() => Some(only.take()),
            _ => Some(Value::Array(own)),
        };
        let prompt = |content| json!({ "content": content, "timestamp": at, "part_kind": "user-prompt" });
        parts.extend(content.map(prompt));
        (!parts.is_empty()).then(|| json!({ "parts": parts, "timestamp": at, "kind": "request" }))
    }

    fn returned(&self, result: &ToolResult, at: &str) -> Value {
        let content = match result.images.as_slice() {
            [] => json!(result.content),
            images => {
                let text = (!result.content.is_empty()).then(|| json!(result.content));
                text.into_iter().chain(images.iter().map(binary)).collect()
            }
        };
        json!({
            "tool_name": self.tools.get(&result.call_id).map_or("", String::as_str),
            "content": content,
            "tool_call_id": result.call_id,
            "timestamp": at,
            "outcome": if result.is_error { "failed" } else { "success" },
            "part_kind": "tool-return",
        })
    }

    fn response(&mut self, said: &LoggedMessage<'_>, model: &str, at: &str) -> Option<Value> {
        let mut parts = Vec::new();
        for block in &said.message.content {
            match block {
                ContentBlock::Text { text } => parts.push(json!({ "content": text, "part_kind": "text" })),
                ContentBlock::Thinking(thinking) => parts.extend(thought(thinking, said.provider)),
                ContentBlock::ToolCall(call) => {
                    self.tools.insert(call.id.clone(), call.name.clone());
                    parts.push(json!({
                        "tool_name": call.name,
                        "args": call.input,
                        "tool_call_id": call.id,
                        "part_kind": "tool-call",
                    }));
                }
                ContentBlock::Image(_) | ContentBlock::ToolResult(_) => {}
            }
        }
        if parts.is_empty() {
            return None;
        }
        self.requests += 1;
        let usage = said.usage.unwrap_or_default();
        self.used = self.used.plus(usage);
        Some(json!({
            "parts": parts,
            "usage": figures(usage),
            "model_name": model,
            "provider_name": said.provider,
            "timestamp": at,
            "kind": "response",
        }))
    }

    /// What all answers have used.
    fn sums(&self) -> Value {
        let mut sums = figures(self.used);
        if let Value::Object(fields) = &mut sums {
            fields.insert("requests".to_owned(), json!(self.requests));
            fields.insert("tool_calls".to_owned(), json!(self.tools.len()));
        }
        sums
    }
}

/// Tokens. `input_tokens` has those that were read from the cache and written to it, too.
fn figures(used: Usage) -> Value {
    json!({
        "input_tokens": used.prompt(),
        "cache_write_tokens": used.cache_write,
        "cache_read_tokens": used.cache_read,
        "output_tokens": used.output,
    })
}

/// Thinking, with the provider whose models alone get it back. An item that only our own requests can hold is left out.
fn thought(thinking: &Thinking, provider: Option<&str>) -> Option<Value> {
    if thinking.item().is_some() {
        return None;
    }
    let (id, signature) = match &thinking.redacted {
        Some(data) => (Some(REDACTED), Some(data)),
        None => (None, thinking.signature.as_ref()),
    };
    Some(json!({
        "content": thinking.text,
        "id": id,
        "signature": signature,
        "provider_name": provider,
        "part_kind": "thinking",
    }))
}

fn binary(image: &Image) -> Value {
    json!({ "data": image.data, "media_type": image.media_type, "kind": "binary" })
}
