//! The list of messages on the wire of Chat Completions.

use async_openai::types::chat::{
    ChatCompletionRequestMessage as ChatMessage, ChatCompletionRequestMessageContentPartImage as ImagePart,
    ChatCompletionRequestMessageContentPartText as TextPart, ChatCompletionRequestSystemMessage,
    ChatCompletionRequestUserMessage, ChatCompletionRequestUserMessageContent as UserContent,
    ChatCompletionRequestUserMessageContentPart as UserPart, ImageUrl,
};
use serde_json::{Map, Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Image, Message, Role, ToolCall, ToolResult};

use super::marked::Marked;
use super::typed;
use crate::form::name::{CallIdForm, wire_name};
use crate::form::native::native_of;
use crate::form::text::{GLUE, has_text, picture_note, result_text, system};
use crate::openai::native::{self, DETAILS, EXTRA_CONTENT, REASONING, THINKING_PART};
use crate::openai::options::{OpenAiOptions, ThinkingBack};

/// Formats of pictures that the API takes (OpenAI documentation, "Images and vision").
const PICTURES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Sent as thinking for a message without any where a server requires some: Kimi takes an empty text for none.
const NO_THOUGHT: &str = " ";

/// The model's message between results of tools and a message of the user, where a server requires one.
const NO_ANSWER: &str = "[no answer yet]";

/// The system prompt and the messages, followed by the tail.
pub(super) fn encode(request: &CompletionRequest, options: OpenAiOptions) -> Vec<Value> {
    let [usual, _] = REASONING;
    let marked = options.cache_control.then(|| Marked::new(request));
    let mut list = MessageList { options, marked, field: usual, out: Vec::new(), user: Vec::new() };
    if !options.system_role {
        list.user.extend(system(request).as_deref().map(text_part));
    } else if let Some(marked) = &list.marked {
        list.out.extend(marked.system(request));
    } else if let Some(system) = system(request) {
        let content = system.into();
        let system = ChatCompletionRequestSystemMessage { content, name: None };
        list.out.push(typed(&ChatMessage::System(system)));
    }
    for (index, message) in request.transcript.messages().enumerate() {
        match message.role {
            Role::User => list.user(message),
            Role::Assistant => list.assistant(message),
        }
        list.mark(index);
    }
    list.user.extend(request.tail.iter().filter(|note| has_text(note)).map(|note| text_part(note)));
    list.flush();
    list.out
}

/// The list as it grows. Parts of the user's side are buffered until the model speaks.
#[derive(Debug)]
struct MessageList {
    options: OpenAiOptions,
    /// Cache markers, where the server takes them.
    marked: Option<Marked>,
    /// The server's name for its reasoning, as far as the messages until here show.
    field: &'static str,
    out: Vec<Value>,
    user: Vec<UserPart>,
}

impl MessageList {
    fn user(&mut self, message: &Message) {
        for block in &message.content {
            match block {
                ContentBlock::Text { text } if has_text(text) => self.user.push(text_part(text)),
                ContentBlock::Image(image) => self.user.push(picture(image)),
                ContentBlock::ToolResult(result) => self.result(result),
                _ => {}
            }
        }
    }

    fn result(&mut self, result: &ToolResult) {
        let id = self.options.call_ids.of(&result.call_id);
        let text = result_text(result);
        let content = match &self.marked {
            Some(_) if has_text(&text) => json!([{"type": "text", "text": text}]),
            _ => json!(text),
        };
        self.out.push(json!({"role": "tool", "tool_call_id": id, "content": content}));
        if !result.images.is_empty() {
            self.user.push(text_part(&format!("[pictures of the result of call {id}]")));
            self.user.extend(result.images.iter().map(picture));
        }
    }

    fn assistant(&mut self, message: &Message) {
        let text = |block: &ContentBlock| match block {
            ContentBlock::Text { text } if has_text(text) => Some(text.clone()),
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
        let thinks =
            self.options.thinking_back != ThinkingBack::Never && message.content.iter().any(is_thinking_part);
        let content = if thinks {
            parts_of(message)
        } else if texts.is_empty() {
            if self.options.null_content { Value::Null } else { json!("") }
        } else {
            json!(texts.join(GLUE))
        };
        fields.insert("content".to_owned(), content);
        if let Some(thought) = self.thought(message) {
            fields.insert(self.field.to_owned(), json!(thought));
        }
        if let Some(details) =
            native::details(message).filter(|_| self.options.thinking_back != ThinkingBack::Never)
        {
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
        match self.options.thinking_back {
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
                ContentBlock::Thinking(thinking) if self.options.thinking_back != ThinkingBack::Never => {
                    extra = native_of(EXTRA_CONTENT, thinking);
                }
                ContentBlock::ToolCall(call) => {
                    calls.push(self::call(call, self.options.call_ids, extra.take()));
                }
                _ => extra = None,
            }
        }
        calls
    }

    /// Sets the marker of this message of the transcript, when there is one, on the last part so far.
    fn mark(&mut self, index: usize) {
        if let Some(marked) = &mut self.marked {
            marked.mark(index, self.user.len(), self.out.last_mut());
        }
    }

    /// Creates one message from the buffered parts of the user's side.
    fn flush(&mut self) {
        if self.user.is_empty() {
            return;
        }
        let is_result = |message: &Value| message.get("role") == Some(&json!("tool"));
        if !self.options.user_after_results && self.out.last().is_some_and(is_result) {
            self.out.push(json!({"role": "assistant", "content": NO_ANSWER}));
        }
        let parts = std::mem::take(&mut self.user);
        let has_picture = parts.iter().any(|part| matches!(part, UserPart::ImageUrl(_)));
        let listed = has_picture || self.marked.is_some();
        let content = if listed { UserContent::Array(parts) } else { UserContent::Text(text_of(parts)) };
        let mut message = typed(&ChatMessage::User(ChatCompletionRequestUserMessage { content, name: None }));
        if let Some(marked) = &mut self.marked {
            marked.set(&mut message);
        }
        self.out.push(message);
    }
}

fn is_thinking_part(block: &ContentBlock) -> bool {
    matches!(block, ContentBlock::Thinking(thinking) if thinking.signature.as_deref() == Some(THINKING_PART))
}

/// The content of the model's message as a list of parts, thinking included (Mistral documentation, "Reasoning").
fn parts_of(message: &Message) -> Value {
    let part = |block: &ContentBlock| match block {
        ContentBlock::Thinking(thinking) if is_thinking_part(block) => {
            let said = json!([{"type": "text", "text": thinking.text}]);
            Some(json!({"type": "thinking", "thinking": said}))
        }
        ContentBlock::Text { text } if has_text(text) => Some(json!({"type": "text", "text": text})),
        ContentBlock::Image(image) => Some(json!({"type": "text", "text": picture_note(image)})),
        _ => None,
    };
    message.content.iter().filter_map(part).collect()
}

fn text_part(text: &str) -> UserPart {
    UserPart::Text(TextPart { text: text.to_owned(), prompt_cache_breakpoint: None })
}

/// A plain text: some servers of this wire take no list of parts.
fn text_of(parts: Vec<UserPart>) -> String {
    let texts = parts.into_iter().filter_map(|part| match part {
        UserPart::Text(part) => Some(part.text),
        _ => None,
    });
    texts.collect::<Vec<String>>().join(GLUE)
}

fn picture(image: &Image) -> UserPart {
    if !PICTURES.contains(&image.media_type.as_str()) || image.data.is_empty() {
        return text_part(&picture_note(image));
    }
    let url = image.to_data_url();
    UserPart::ImageUrl(ImagePart { image_url: ImageUrl { url, detail: None }, prompt_cache_breakpoint: None })
}

fn call(call: &ToolCall, ids: CallIdForm, extra: Option<Value>) -> Value {
    let input = if call.input.is_object() { call.input.clone() } else { json!({"value": call.input}) };
    let mut value = json!({
        "id": ids.of(&call.id),
        "type": "function",
        "function": {"name": wire_name(&call.name), "arguments": input.to_string()},
    });
    if let (Some(extra), Value::Object(fields)) = (extra, &mut value) {
        fields.insert(EXTRA_CONTENT.to_owned(), extra);
    }
    value
}
