//! The list of input items on the wire of the Responses API.

use std::collections::HashSet;

use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Image, Message, Role, Thinking, ToolCall, ToolResult};

use crate::openai::native;
use crate::wire::name::{wire_id, wire_name};
use crate::wire::text::{has_text, picture_note, result_text};

/// Formats of pictures that the API takes (OpenAI documentation, "Images and vision").
const PICTURES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// The items of the transcript, followed by the tail. With `seals` reasoning is sent back in its encrypted form;
/// without, none does.
pub(super) fn encode(request: &CompletionRequest, seals: bool) -> Vec<Value> {
    let mut list = ItemList { seals, ..ItemList::default() };
    for message in request.transcript.messages() {
        match message.role {
            Role::User => list.user(message),
            Role::Assistant => list.assistant(message),
        }
    }
    for note in request.tail.iter().filter(|note| has_text(note)) {
        list.say(Role::User, input_text(note));
    }
    list.flush();
    list.items
}

/// The list as it grows. Parts are buffered until their message is complete.
#[derive(Debug, Default)]
struct ItemList<'a> {
    seals: bool,
    items: Vec<Value>,
    speaker: Option<Role>,
    parts: Vec<Value>,
    /// Reasoning of the present message that waits for what it led to.
    thoughts: Vec<Value>,
    /// Ids of the reasoning so far: an item may come once.
    thought_ids: HashSet<&'a str>,
}

impl<'a> ItemList<'a> {
    fn user(&mut self, message: &Message) {
        for block in &message.content {
            match block {
                ContentBlock::Text { text } if has_text(text) => self.say(Role::User, input_text(text)),
                ContentBlock::Image(image) => self.say(Role::User, picture(image)),
                ContentBlock::ToolResult(result) => self.item(output(result)),
                _ => {}
            }
        }
    }

    fn assistant(&mut self, message: &'a Message) {
        for block in &message.content {
            match block {
                ContentBlock::Thinking(thinking) if self.seals && !native::is_of_chat(thinking) => {
                    self.think(thinking);
                }
                ContentBlock::Text { text } if has_text(text) => {
                    self.end_thought();
                    self.say(Role::Assistant, output_text(text));
                }
                ContentBlock::Image(image) => {
                    self.end_thought();
                    self.say(Role::Assistant, output_text(&picture_note(image)));
                }
                ContentBlock::ToolCall(call) => {
                    self.end_thought();
                    self.item(self::call(call));
                }
                _ => {}
            }
        }
        // "provided without its required following item"
        self.thoughts.clear();
    }

    /// Buffers a reasoning item until something follows it.
    fn think(&mut self, thinking: &'a Thinking) {
        let Some((id, item)) = reasoning(thinking) else { return };
        if self.thought_ids.insert(id) {
            self.thoughts.push(item);
        }
    }

    /// Something follows the reasoning, so it can go before it.
    fn end_thought(&mut self) {
        for item in std::mem::take(&mut self.thoughts) {
            self.item(item);
        }
    }

    fn say(&mut self, role: Role, part: Value) {
        if self.speaker != Some(role) {
            self.flush();
            self.speaker = Some(role);
        }
        self.parts.push(part);
    }

    fn item(&mut self, item: Value) {
        self.flush();
        self.items.push(item);
    }

    /// Joins all buffered parts to one message.
    fn flush(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        let role = match self.speaker.take() {
            None => return,
            Some(Role::User) => "user",
            Some(Role::Assistant) => "assistant",
        };
        self.items.push(json!({"type": "message", "role": role, "content": parts}));
    }
}

fn input_text(text: &str) -> Value {
    json!({"type": "input_text", "text": text})
}

fn output_text(text: &str) -> Value {
    json!({"type": "output_text", "text": text})
}

fn picture(image: &Image) -> Value {
    if !PICTURES.contains(&image.media_type.as_str()) || image.data.is_empty() {
        return input_text(&picture_note(image));
    }
    let url = format!("data:{};base64,{}", image.media_type, image.data);
    json!({"type": "input_image", "image_url": url, "detail": "auto"})
}

/// The reasoning item that thinking came from, with its id; `None` for thinking that this API does not accept.
///
/// The provider stores nothing, so an id alone is not enough: the encrypted content is required.
fn reasoning(thinking: &Thinking) -> Option<(&str, Value)> {
    let id = thinking.signature.as_deref().filter(|id| !id.is_empty())?;
    let sealed = thinking.redacted.as_deref().filter(|content| !content.is_empty())?;
    let summary: Vec<Value> = match thinking.text.as_str() {
        "" => Vec::new(),
        text => vec![json!({"type": "summary_text", "text": text})],
    };
    Some((id, json!({"type": "reasoning", "id": id, "summary": summary, "encrypted_content": sealed})))
}

fn call(call: &ToolCall) -> Value {
    let input = if call.input.is_object() { call.input.clone() } else { json!({"value": call.input}) };
    json!({
        "type": "function_call",
        "call_id": wire_id(&call.id),
        "name": wire_name(&call.name),
        "arguments": input.to_string(),
    })
}

/// A plain text where that is enough: not every server of this wire takes parts here.
fn output(result: &ToolResult) -> Value {
    let text = result_text(result);
    let output = if result.images.is_empty() {
        json!(text)
    } else {
        let said = has_text(&text).then(|| input_text(&text));
        said.into_iter().chain(result.images.iter().map(picture)).collect()
    };
    json!({"type": "function_call_output", "call_id": wire_id(&result.call_id), "output": output})
}
