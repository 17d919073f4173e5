//! The list of input items on the wire of the Responses API.

use std::collections::HashSet;

use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Image, Message, Place, Role, Thinking, ToolCall, ToolResult};

use super::super::message_head::MessageHead;
use super::marks::{Marks, mark, mark_last};
use crate::form::name::{wire_id, wire_name};
use crate::form::text::{has_text, picture_note, result_text};
use crate::openai::native;

/// Formats of pictures that the API takes (OpenAI documentation, "Images and vision").
const PICTURES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Items of the provider's own tools that need no answer.
const ANSWERED: &[&str] = &[
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
    "mcp_list_tools",
    "tool_search_call",
    "tool_search_output",
    "compaction",
];

/// Which reasoning is sent back.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReasoningBack {
    /// That with encrypted content.
    pub(super) sealed: bool,
    /// That without, as plain text.
    pub(super) plain: bool,
}

/// The items of the transcript, followed by the tail. With marks they begin with the system prompt.
pub(super) fn encode(request: &CompletionRequest, back: ReasoningBack, marks: Option<Marks>) -> Vec<Value> {
    let mut list = ItemList { back, in_parts: marks.is_some(), ..ItemList::default() };
    let marks = marks.unwrap_or_default();
    list.items.extend(marks.system(request).filter(|_| list.in_parts));
    for (index, message) in request.transcript.messages().enumerate() {
        match message.role {
            Role::User => list.user(message),
            Role::Assistant => list.assistant(message),
        }
        if marks.has(Place::Message(index)) {
            list.mark();
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
    back: ReasoningBack,
    /// Results are lists of parts, which can carry breakpoints.
    in_parts: bool,
    items: Vec<Value>,
    speaker: Option<Role>,
    parts: Vec<Value>,
    /// Id and phase of the model's message that comes next.
    head: MessageHead,
    /// Reasoning of the present message that waits for what it led to.
    thoughts: Vec<Value>,
    /// Ids of the items so far: each may come once.
    ids: HashSet<String>,
    /// Sealed reasoning so far.
    seals: HashSet<&'a str>,
}

impl<'a> ItemList<'a> {
    fn user(&mut self, message: &Message) {
        for block in &message.content {
            match block {
                ContentBlock::Text { text } if has_text(text) => self.say(Role::User, input_text(text)),
                ContentBlock::Image(image) => self.say(Role::User, picture(image)),
                ContentBlock::ToolResult(result) => self.item(output(result, self.in_parts)),
                // Of a summary.
                ContentBlock::Thinking(thinking) if thinking.is_compaction() => {
                    thinking.item().into_iter().for_each(|item| self.provider_item(item));
                }
                _ => {}
            }
        }
    }

    fn assistant(&mut self, message: &'a Message) {
        for block in &message.content {
            match block {
                ContentBlock::Thinking(thinking) => self.think(thinking),
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
        if self.speaker.is_none() {
            self.head = MessageHead::default();
        }
    }

    /// Buffers a reasoning item until something follows it. Other items of the provider need nothing behind them.
    fn think(&mut self, thinking: &'a Thinking) {
        if let Some(head) = MessageHead::of(thinking) {
            self.end_thought();
            self.flush();
            self.head = head;
        } else if let Some(item) = thinking.item() {
            let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
            if ANSWERED.contains(&kind) {
                self.end_thought();
                self.provider_item(item);
            }
        } else if !native::is_of_chat(thinking)
            && let Some((id, mut item)) = reasoning(thinking, self.back)
            && thinking.redacted.as_deref().is_none_or(|sealed| self.seals.insert(sealed))
        {
            let place = self.items.len() + self.thoughts.len();
            let id = json!(self.new_id("rs", place, Some(id)));
            if let Some(fields) = item.as_object_mut() {
                fields.insert("id".to_owned(), id);
            }
            self.thoughts.push(item);
        }
    }

    /// Adds an item of the provider's own tools, once.
    fn provider_item(&mut self, item: Value) {
        let id = item.get("id").and_then(Value::as_str);
        if id.is_none_or(|id| self.ids.insert(id.to_owned())) {
            self.item(item);
        }
    }

    /// The id that a server gave to an item, or one made of the item's place: some servers give the same id in every
    /// answer, and the API takes each once.
    fn new_id(&mut self, kind: &str, place: usize, given: Option<&str>) -> String {
        let made = (0..).map(|more| match more {
            0 => format!("{kind}_{place}"),
            _ => format!("{kind}_{place}_{more}"),
        });
        let mut ids = given.map(str::to_owned).into_iter().chain(made);
        let id = ids.find(|id| !self.ids.contains(id)).unwrap_or_default();
        self.ids.insert(id.clone());
        id
    }

    /// Something follows the reasoning, so it can go before it.
    fn end_thought(&mut self) {
        for item in std::mem::take(&mut self.thoughts) {
            self.item(item);
        }
    }

    /// Sets a breakpoint at the end of what is there.
    fn mark(&mut self) {
        match self.parts.last_mut() {
            Some(part) if self.speaker == Some(Role::User) => mark(part),
            _ => mark_last(&mut self.items),
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
        let item = match self.speaker.take() {
            None => return,
            Some(Role::User) => json!({"type": "message", "role": "user", "content": parts}),
            Some(Role::Assistant) => {
                let head = std::mem::take(&mut self.head);
                let id = self.new_id("msg", self.items.len(), head.id());
                head.message(&id, parts)
            }
        };
        self.items.push(item);
    }
}

fn input_text(text: &str) -> Value {
    json!({"type": "input_text", "text": text})
}

fn output_text(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": []})
}

fn picture(image: &Image) -> Value {
    if !PICTURES.contains(&image.media_type.as_str()) || image.data.is_empty() {
        return input_text(&picture_note(image));
    }
    json!({"type": "input_image", "image_url": image.to_data_url(), "detail": "auto"})
}

/// The reasoning item that thinking came from, with its id; `None` for thinking that this API does not accept.
///
/// OpenAI stores nothing, so an id alone is not enough there: the encrypted content is required. Servers that do not
/// encrypt take the text back.
fn reasoning(thinking: &Thinking, back: ReasoningBack) -> Option<(&str, Value)> {
    let id = thinking.signature.as_deref().filter(|id| !id.is_empty())?;
    let sealed = thinking.redacted.as_deref().filter(|content| !content.is_empty());
    let Some(sealed) = sealed.filter(|_| back.sealed) else {
        let plain = sealed.is_none() && back.plain && has_text(&thinking.text);
        let content = json!([{"type": "reasoning_text", "text": thinking.text}]);
        let item = json!({"type": "reasoning", "id": id, "summary": [], "content": content});
        return plain.then_some((id, item));
    };
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
fn output(result: &ToolResult, in_parts: bool) -> Value {
    let text = result_text(result);
    let output = if result.images.is_empty() && !(in_parts && has_text(&text)) {
        json!(text)
    } else {
        let said = has_text(&text).then(|| input_text(&text));
        said.into_iter().chain(result.images.iter().map(picture)).collect()
    };
    json!({"type": "function_call_output", "call_id": wire_id(&result.call_id), "output": output})
}
