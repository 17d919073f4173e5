//! The list of contents on Gemini's wire.

use serde_json::{Map, Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Image, Message, Role, Thinking, ToolCall, ToolResult};

use super::super::signature;
use crate::form::name::{wire_id, wire_name};
use crate::form::text::{has_text, picture_note};

/// Formats of pictures that the API takes (Gemini API documentation, "Image understanding").
const PICTURES: &[&str] = &["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"];

/// Items of an answer that are parts, and go back as they came.
const PARTS: &[&str] = &["toolCall", "toolResponse", "executableCode", "codeExecutionResult"];

/// The messages, followed by the tail.
pub(super) fn encode(request: &CompletionRequest, signed_calls: bool) -> Vec<Value> {
    let mut list = ContentList { signed_calls, ..ContentList::default() };
    for message in request.transcript.messages() {
        match message.role {
            Role::User => list.user(message),
            Role::Assistant => list.assistant(message),
        }
    }
    for note in request.tail.iter().filter(|note| has_text(note)) {
        list.end_answer();
        list.said.push(json!({"text": note}));
    }
    list.end_answer();
    list.end_question();
    list.out
}

/// The list as it grows. Parts of one side are buffered until the other one speaks.
#[derive(Debug, Default)]
struct ContentList<'a> {
    signed_calls: bool,
    out: Vec<Value>,
    /// Results of the user's side.
    results: Vec<Value>,
    /// The rest of the user's side.
    said: Vec<Value>,
    /// The model's side.
    answer: Vec<Value>,
    /// The calls that results may answer, in order.
    calls: Vec<&'a ToolCall>,
}

impl<'a> ContentList<'a> {
    fn user(&mut self, message: &Message) {
        self.end_answer();
        let mut results: Vec<&ToolResult> = message.tool_results().collect();
        // A stable sort: results of unknown calls keep their order at the end.
        results.sort_by_key(|result| self.place(result).unwrap_or(usize::MAX));
        for result in results {
            self.result(result);
        }
        for block in &message.content {
            match block {
                ContentBlock::Text { text } if has_text(text) => self.said.push(json!({"text": text})),
                ContentBlock::Image(image) => self.said.push(picture(image)),
                _ => {}
            }
        }
    }

    fn result(&mut self, result: &ToolResult) {
        let call = self.place(result).and_then(|place| self.calls.get(place));
        let name = wire_name(call.map_or("unknown", |call| &call.name));
        let field = if result.is_error { "error" } else { "output" };
        let id = wire_id(&result.call_id);
        self.results.push(json!({
            "functionResponse": {"id": id, "name": name, "response": {field: result.content}},
        }));
        if !result.images.is_empty() {
            self.said.push(json!({"text": format!("[pictures of the result of {name}]")}));
            self.said.extend(result.images.iter().map(picture));
        }
    }

    fn place(&self, result: &ToolResult) -> Option<usize> {
        self.calls.iter().position(|call| call.id == result.call_id)
    }

    fn assistant(&mut self, message: &'a Message) {
        let parts = self.parts(message);
        if parts.is_empty() {
            return;
        }
        self.end_question();
        if self.answer.is_empty() {
            self.calls.clear();
        }
        self.calls.extend(message.tool_calls());
        self.answer.extend(parts);
    }

    /// The parts of an answer, each with its signature. A signature at the end is on an empty text, as it came.
    fn parts(&self, message: &Message) -> Vec<Value> {
        let mut parts = Vec::new();
        let mut signed = None;
        for block in &message.content {
            match block {
                ContentBlock::Text { text } if has_text(text) => {
                    parts.push(part(signed.take(), "text", json!(text)));
                }
                ContentBlock::Image(image) => {
                    parts.push(part(signed.take(), "text", json!(picture_note(image))));
                }
                ContentBlock::ToolCall(call) => {
                    parts.push(part(signed.take(), "functionCall", self::call(call)));
                }
                ContentBlock::Thinking(thinking) if sign_text(thinking, &mut parts) => {}
                ContentBlock::Thinking(thinking) => {
                    if let Some(left) = signed.take() {
                        parts.push(part(Some(left), "text", json!("")));
                    }
                    signed = think(thinking, &mut parts);
                }
                _ => {}
            }
        }
        // Alone it is no answer: a content of nothing but a signature has nothing to say.
        if let Some(left) = signed.filter(|_| !parts.is_empty()) {
            parts.push(part(Some(left), "text", json!("")));
        }
        parts
    }

    /// Ends the model's content. The first call of it is signed where the model requires that.
    fn end_answer(&mut self) {
        let mut parts = std::mem::take(&mut self.answer);
        if parts.is_empty() {
            return;
        }
        let first = parts.iter_mut().find(|part| part.get("functionCall").is_some());
        if let Some(Value::Object(fields)) = first.filter(|_| self.signed_calls)
            && !fields.contains_key(signature::FIELD)
        {
            fields.insert(signature::FIELD.to_owned(), json!(signature::UNSIGNED));
        }
        self.out.push(json!({"role": "model", "parts": parts}));
    }

    fn end_question(&mut self) {
        let mut parts = std::mem::take(&mut self.results);
        parts.append(&mut self.said);
        if !parts.is_empty() {
            self.out.push(json!({"role": "user", "parts": parts}));
        }
    }
}

/// Puts the signature that the thinking holds on the text before it. Returns true if it holds one, though there may be no such
/// text.
fn sign_text(thinking: &Thinking, parts: &mut [Value]) -> bool {
    let Some(signed) = signature::of_text_before(thinking) else { return false };
    if let Some(Value::Object(fields)) = parts.last_mut()
        && fields.contains_key("text")
        && !fields.contains_key(signature::FIELD)
    {
        fields.insert(signature::FIELD.to_owned(), json!(signed));
    }
    true
}

/// Adds what goes back of the thinking, and gives the signature of the part that follows.
fn think(thinking: &Thinking, parts: &mut Vec<Value>) -> Option<String> {
    if let Some(item) = thinking.item() {
        if PARTS.iter().any(|name| item.get(name).is_some()) {
            parts.push(item);
        }
        return None;
    }
    let signed = signature::of(thinking)?;
    if thinking.text.is_empty() {
        return Some(signed);
    }
    parts.push(json!({"text": thinking.text, "thought": true, signature::FIELD: signed}));
    None
}

fn part(signed: Option<String>, field: &str, value: Value) -> Value {
    let mut fields = Map::new();
    fields.insert(field.to_owned(), value);
    if let Some(signed) = signed {
        fields.insert(signature::FIELD.to_owned(), json!(signed));
    }
    Value::Object(fields)
}

fn call(call: &ToolCall) -> Value {
    let input = if call.input.is_object() { call.input.clone() } else { json!({"value": call.input}) };
    json!({"id": wire_id(&call.id), "name": wire_name(&call.name), "args": input})
}

fn picture(image: &Image) -> Value {
    if !PICTURES.contains(&image.media_type.as_str()) || image.data.is_empty() {
        return json!({"text": picture_note(image)});
    }
    json!({"inlineData": {"mimeType": image.media_type, "data": image.data}})
}
