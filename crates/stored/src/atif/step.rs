//! The parts of a document, with the names of the format.

use serde::Serialize;
use serde_json::{Map, Value, json};
use throughline_compaction::parse_stub;
use throughline_conversation::{ContentBlock, Image, Message, Millis, ToolCall, ToolResult, Usage};

/// The types of pictures that the format knows.
const PICTURES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Who a step is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StepSource {
    System,
    User,
    Agent,
}

/// One step. Only those of the agent have a model, thoughts, calls and metrics.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    pub(super) step_id: u64,
    timestamp: String,
    pub(super) source: StepSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model_name: Option<String>,
    message: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    observation: Option<Observation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) metrics: Option<Metrics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    llm_call_count: Option<u64>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) extra: Map<String, Value>,
}

#[derive(Debug, Default, Serialize)]
struct Observation {
    results: Vec<Value>,
}

/// What one request used. `prompt_tokens` include those that were read from the cache and those that were written to it.
#[derive(Debug, Serialize)]
pub(super) struct Metrics {
    prompt_tokens: u64,
    completion_tokens: u64,
    cached_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cost_usd: Option<f64>,
    extra: MetricsExtra,
    #[serde(skip)]
    pub(super) usage: Usage,
}

#[derive(Debug, Serialize)]
struct MetricsExtra {
    cache_creation_input_tokens: u64,
}

impl Metrics {
    pub(super) fn of(usage: Usage) -> Self {
        Self {
            prompt_tokens: usage.prompt(),
            completion_tokens: usage.output,
            cached_tokens: usage.cache_read,
            cost_usd: None,
            extra: MetricsExtra { cache_creation_input_tokens: usage.cache_write },
            usage,
        }
    }
}

impl Step {
    /// A step with this text. It gets its number when it is written.
    pub(super) fn text(source: StepSource, at: Millis, text: impl Into<String>) -> Self {
        Self::new(source, at, Value::String(text.into()))
    }

    /// A message of the user's side, but for its results.
    pub(super) fn said(source: StepSource, at: Millis, message: &Message) -> Self {
        Self::new(source, at, content(&message.content))
    }

    /// An answer of the model.
    pub(super) fn answer(at: Millis, message: &Message) -> Self {
        let thoughts: Vec<&str> = message
            .content
            .iter()
            .filter_map(|block| match block {
                ContentBlock::Thinking(thinking) => Some(thinking.text.as_str()),
                _ => None,
            })
            .filter(|text| !text.is_empty())
            .collect();
        Self {
            reasoning_content: (!thoughts.is_empty()).then(|| thoughts.join("\n\n")),
            tool_calls: message.tool_calls().map(call).collect(),
            llm_call_count: Some(1),
            ..Self::new(StepSource::Agent, at, content(&message.content))
        }
    }

    fn new(source: StepSource, at: Millis, message: Value) -> Self {
        Self {
            step_id: 0,
            timestamp: at.rfc3339(),
            source,
            model_name: None,
            message,
            reasoning_content: None,
            tool_calls: Vec::new(),
            observation: None,
            metrics: None,
            llm_call_count: None,
            extra: Map::new(),
        }
    }

    /// Adds a result, which came at this time.
    pub(super) fn observe(&mut self, result: &ToolResult, at: Millis) {
        self.observation.get_or_insert_default().results.push(observed(result, at));
    }

    /// Returns true if it has this call.
    pub(super) fn calls(&self, id: &str) -> bool {
        self.tool_calls.iter().any(|call| call.get("tool_call_id").and_then(Value::as_str) == Some(id))
    }
}

fn call(call: &ToolCall) -> Value {
    let arguments = match &call.input {
        object @ Value::Object(_) => object.clone(),
        other => json!({ "value": other }),
    };
    json!({ "tool_call_id": call.id, "function_name": call.name, "arguments": arguments })
}

fn observed(result: &ToolResult, at: Millis) -> Value {
    let mut extra = Map::new();
    extra.insert("timestamp".to_owned(), at.rfc3339().into());
    if result.is_error {
        extra.insert("is_error".to_owned(), true.into());
    }
    if let Some(stub) = parse_stub(&result.content) {
        extra.insert("stored_result".to_owned(), stub.stored.to_string().into());
        extra.insert("stored_bytes".to_owned(), stub.bytes.into());
    }
    let content = if result.images.is_empty() {
        Value::String(result.content.clone())
    } else {
        let text = (!result.content.is_empty()).then(|| text_part(&result.content));
        Value::Array(text.into_iter().chain(result.images.iter().map(picture)).collect())
    };
    json!({ "source_call_id": result.call_id, "content": content, "extra": extra })
}

/// The texts and pictures of a message: a text where there is only one.
fn content(blocks: &[ContentBlock]) -> Value {
    let mut parts: Vec<Value> = blocks
        .iter()
        .filter_map(|block| match block {
            ContentBlock::Text { text } => Some(text_part(text)),
            ContentBlock::Image(image) => Some(picture(image)),
            _ => None,
        })
        .collect();
    match parts.as_mut_slice() {
        [] => Value::String(String::new()),
        [only] if only.get("text").is_some() => only.get_mut("text").map(Value::take).unwrap_or_default(),
        _ => Value::Array(parts),
    }
}

fn text_part(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// A picture with its bytes in its address. One of a type that the format does not know is a text.
fn picture(image: &Image) -> Value {
    let Image { media_type, data } = image;
    if !PICTURES.contains(&media_type.as_str()) {
        return text_part(&format!("[a picture of type {media_type}, which the format does not have]"));
    }
    let path = format!("data:{media_type};base64,{data}");
    json!({ "type": "image", "source": { "media_type": media_type, "path": path } })
}
