//! The list of messages on Ollama's wire.

use serde_json::{Map, Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Image, Message, Role, ToolCall, ToolResult};

use crate::form::name::wire_name;
use crate::form::text::{GLUE, has_text, picture_note, result_text, system};

/// Formats of pictures that the server decodes whatever the model (Ollama, `openai/openai.go`).
const PICTURES: &[&str] = &["image/jpeg", "image/png", "image/webp"];

/// The system prompt and the messages, followed by the tail.
pub(super) fn encode(request: &CompletionRequest) -> Vec<Value> {
    let mut list = MessageList::default();
    for message in request.transcript.messages() {
        match message.role {
            Role::User => list.user(message),
            Role::Assistant => list.assistant(message),
        }
    }
    for note in request.tail.iter().filter(|note| has_text(note)) {
        list.said.texts.push(note.clone());
    }
    list.flush();
    let system = system(request).map(|text| json!({"role": "system", "content": text}));
    system.into_iter().chain(list.out).collect()
}

/// Consecutive parts of one side.
#[derive(Debug, Default)]
struct MessageDraft {
    texts: Vec<String>,
    pictures: Vec<String>,
    calls: Vec<Value>,
}

/// The list as it grows. Parts of one side are buffered until the other one speaks.
#[derive(Debug, Default)]
struct MessageList<'a> {
    out: Vec<Value>,
    /// The user's side, results excepted.
    said: MessageDraft,
    /// The model's side.
    answer: MessageDraft,
    /// The calls that results may answer, in order.
    calls: Vec<&'a ToolCall>,
}

impl<'a> MessageList<'a> {
    fn user(&mut self, message: &Message) {
        let mut results: Vec<&ToolResult> = message.tool_results().collect();
        // A stable sort: results of unknown calls keep their order at the end.
        results.sort_by_key(|result| self.place(result).unwrap_or(usize::MAX));
        for result in results {
            self.result(result);
        }
        for block in &message.content {
            match block {
                ContentBlock::Text { text } if has_text(text) => self.ask().texts.push(text.clone()),
                ContentBlock::Image(image) => self.ask().add(image),
                _ => {}
            }
        }
    }

    fn result(&mut self, result: &ToolResult) {
        self.end_answer();
        let call = self.place(result).and_then(|place| self.calls.get(place));
        let name = wire_name(call.map_or("unknown", |call| &call.name));
        self.out.push(json!({"role": "tool", "tool_name": name, "content": result_text(result)}));
        if !result.images.is_empty() {
            self.said.texts.push(format!("[pictures of the result of {name}]"));
            result.images.iter().for_each(|image| self.said.add(image));
        }
    }

    fn place(&self, result: &ToolResult) -> Option<usize> {
        self.calls.iter().position(|call| call.id == result.call_id)
    }

    fn assistant(&mut self, message: &'a Message) {
        let speaks = |block: &ContentBlock| match block {
            ContentBlock::Text { text } => has_text(text),
            ContentBlock::Image(_) | ContentBlock::ToolCall(_) => true,
            _ => false,
        };
        if !message.content.iter().any(speaks) {
            return;
        }
        self.end_question();
        if self.answer.is_empty() {
            self.calls.clear();
        }
        for block in &message.content {
            match block {
                ContentBlock::Text { text } if has_text(text) => self.answer.texts.push(text.clone()),
                ContentBlock::Image(image) => self.answer.texts.push(picture_note(image)),
                ContentBlock::ToolCall(call) => {
                    self.answer.calls.push(self::call(call));
                    self.calls.push(call);
                }
                _ => {}
            }
        }
    }

    /// The turn of the user's side, which ends the model's.
    fn ask(&mut self) -> &mut MessageDraft {
        self.end_answer();
        &mut self.said
    }

    fn end_answer(&mut self) {
        self.out.extend(std::mem::take(&mut self.answer).finish("assistant"));
    }

    fn end_question(&mut self) {
        self.out.extend(std::mem::take(&mut self.said).finish("user"));
    }

    fn flush(&mut self) {
        self.end_answer();
        self.end_question();
    }
}

impl MessageDraft {
    fn add(&mut self, image: &Image) {
        if PICTURES.contains(&image.media_type.as_str()) && !image.data.is_empty() {
            self.pictures.push(image.data.clone());
        } else {
            self.texts.push(picture_note(image));
        }
    }

    fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.pictures.is_empty() && self.calls.is_empty()
    }

    /// The turn as one message; `None` when it has nothing in it.
    fn finish(self, role: &str) -> Option<Value> {
        if self.is_empty() {
            return None;
        }
        let mut message = Map::new();
        message.insert("role".to_owned(), json!(role));
        message.insert("content".to_owned(), json!(self.texts.join(GLUE)));
        if !self.pictures.is_empty() {
            message.insert("images".to_owned(), json!(self.pictures));
        }
        if !self.calls.is_empty() {
            message.insert("tool_calls".to_owned(), Value::Array(self.calls));
        }
        Some(Value::Object(message))
    }
}

fn call(call: &ToolCall) -> Value {
    let input = if call.input.is_object() { call.input.clone() } else { json!({"value": call.input}) };
    json!({"function": {"name": wire_name(&call.name), "arguments": input}})
}
