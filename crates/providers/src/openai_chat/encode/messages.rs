//! The list of messages on the wire of Chat Completions.

use serde_json::{Map, Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Image, Message, Role, ToolCall, ToolResult};

use crate::openai::ThinkingBack;
use crate::openai::native::{self, DETAILS, EXTRA_CONTENT, REASONING};
use crate::wire::name::{wire_id, wire_name};

/// Formats of pictures that the API takes (OpenAI documentation, "Images and vision").
const PICTURES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// What stands between two texts that become one.
const GLUE: &str = "\n\n";

/// Stands for thinking where there was none and a server wants some: Kimi takes an empty text for none.
const NO_THOUGHT: &str = " ";

/// The system prompt, the messages, and the tail behind them.
pub(super) fn encode(request: &CompletionRequest, back: ThinkingBack) -> Vec<Value> {
    let [usual, _] = REASONING;
    let mut list = List { back, field: usual, out: Vec::new(), said: Vec::new() };
    let sections: Vec<&str> =
        request.system.iter().map(|section| section.text.as_str()).filter(|text| says(text)).collect();
    if !sections.is_empty() {
        list.out.push(json!({"role": "system", "content": sections.join(GLUE)}));
    }
    for message in request.transcript.messages() {
        match message.role {
            Role::User => list.user(message),
            Role::Assistant => list.assistant(message),
        }
    }
    list.said.extend(request.tail.iter().filter(|note| says(note)).map(|note| Part::Text(note.clone())));
    list.flush();
    list.out
}

/// A part of what the user's side says.
#[derive(Debug)]
enum Part {
    Text(String),
    Picture(String),
}

/// The list as it grows. What the user's side says is held back until the model speaks.
#[derive(Debug)]
struct List {
    back: ThinkingBack,
    /// What the server calls its reasoning, as far as the messages until here show.
    field: &'static str,
    out: Vec<Value>,
    said: Vec<Part>,
}

impl List {
    fn user(&mut self, message: &Message) {
        for block in &message.content {
            match block {
                ContentBlock::Text { text } if says(text) => self.said.push(Part::Text(text.clone())),
                ContentBlock::Image(image) => self.said.push(picture(image)),
                ContentBlock::ToolResult(result) => self.result(result),
                _ => {}
            }
        }
    }

    fn result(&mut self, result: &ToolResult) {
        let mark = if result.is_error { "error: " } else { "" };
        let id = wire_id(&result.call_id);
        let content = format!("{mark}{}", result.content);
        self.out.push(json!({"role": "tool", "tool_call_id": id, "content": content}));
        if !result.images.is_empty() {
            self.said.push(Part::Text(format!("[pictures of the result of call {id}]")));
            self.said.extend(result.images.iter().map(picture));
        }
    }

    fn assistant(&mut self, message: &Message) {
        let text = |block: &ContentBlock| match block {
            ContentBlock::Text { text } if says(text) => Some(text.clone()),
            ContentBlock::Image(image) => Some(picture_note(image)),
            _ => None,
        };
        let texts: Vec<String> = message.content.iter().filter_map(text).collect();
        let calls = self.calls(message);
        if texts.is_empty() && calls.is_empty() {
            return;
        }
        self.flush();
        let mut fields = Map::new();
        fields.insert("role".to_owned(), json!("assistant"));
        let content = if texts.is_empty() { Value::Null } else { json!(texts.join(GLUE)) };
        fields.insert("content".to_owned(), content);
        if let Some(thought) = self.thought(message) {
            fields.insert(self.field.to_owned(), json!(thought));
        }
        if let Some(details) = native::details(message).filter(|_| self.back != ThinkingBack::Never) {
            fields.insert(DETAILS.to_owned(), details);
        }
        if !calls.is_empty() {
            fields.insert("tool_calls".to_owned(), Value::Array(calls));
        }
        self.out.push(Value::Object(fields));
    }

    /// What goes back of the message's thinking. Nothing behind the message has a say in it: what was sent once is
    /// sent again the same.
    fn thought(&mut self, message: &Message) -> Option<String> {
        let reasoning = native::reasoning(message);
        if let Some((Some(field), _)) = &reasoning {
            self.field = field;
        }
        match self.back {
            ThinkingBack::Never => None,
            // Without a name it came in no field of its own.
            ThinkingBack::AsItCame => reasoning.filter(|(field, _)| field.is_some()).map(|(_, text)| text),
            ThinkingBack::Always => Some(reasoning.map_or_else(|| NO_THOUGHT.to_owned(), |(_, text)| text)),
        }
    }

    fn calls(&self, message: &Message) -> Vec<Value> {
        let mut calls = Vec::new();
        let mut extra = None;
        for block in &message.content {
            match block {
                ContentBlock::Thinking(thinking) if self.back != ThinkingBack::Never => {
                    extra = native::native_of(EXTRA_CONTENT, thinking);
                }
                ContentBlock::ToolCall(call) => calls.push(self::call(call, extra.take())),
                _ => extra = None,
            }
        }
        calls
    }

    /// Makes one message of all that the user's side has said.
    fn flush(&mut self) {
        if self.said.is_empty() {
            return;
        }
        let parts = std::mem::take(&mut self.said);
        let has_picture = parts.iter().any(|part| matches!(part, Part::Picture(_)));
        let content = if has_picture { list_of(parts) } else { text_of(parts) };
        self.out.push(json!({"role": "user", "content": content}));
    }
}

fn list_of(parts: Vec<Part>) -> Value {
    let value = |part| match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Picture(url) => json!({"type": "image_url", "image_url": {"url": url}}),
    };
    parts.into_iter().map(value).collect()
}

/// A plain text: some servers of this wire take no list of parts.
fn text_of(parts: Vec<Part>) -> Value {
    let text = |part| match part {
        Part::Text(text) | Part::Picture(text) => text,
    };
    json!(parts.into_iter().map(text).collect::<Vec<String>>().join(GLUE))
}

fn picture(image: &Image) -> Part {
    if !PICTURES.contains(&image.media_type.as_str()) || image.data.is_empty() {
        return Part::Text(picture_note(image));
    }
    Part::Picture(format!("data:{};base64,{}", image.media_type, image.data))
}

/// Stands for a picture that the API does not take in this place or format.
fn picture_note(image: &Image) -> String {
    format!("[picture of type {:?}, not shown]", image.media_type)
}

fn call(call: &ToolCall, extra: Option<Value>) -> Value {
    let input = if call.input.is_object() { call.input.clone() } else { json!({"value": call.input}) };
    let mut value = json!({
        "id": wire_id(&call.id),
        "type": "function",
        "function": {"name": wire_name(&call.name), "arguments": input.to_string()},
    });
    if let (Some(extra), Value::Object(fields)) = (extra, &mut value) {
        fields.insert(EXTRA_CONTENT.to_owned(), extra);
    }
    value
}

fn says(text: &str) -> bool {
    !text.trim().is_empty()
}
