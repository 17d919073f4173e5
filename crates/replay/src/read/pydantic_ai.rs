//! Conversations of pydantic-ai: a list of messages, a `Conversation` with them, or the entries of a `ConversationStore`.

use serde_json::Value;
use throughline_conversation::{ContentBlock, Image, Role, ToolResult, Usage};

use super::content::{
    call, count, list, owned, picture_left_out, text, text_of, thinking, time, usage_of_prompt,
};
use super::draft::RecordingDraft;

/// What pydantic-ai calls a thinking block whose text the provider hides.
const REDACTED: &str = "redacted_thinking";

/// Returns true if a document is a conversation or a list of its messages or entries.
pub(super) fn is_conversation(document: &Value) -> bool {
    messages(document).next().is_some_and(|message| {
        matches!(text_of(message, "kind"), Some("request" | "response")) && message.get("parts").is_some()
    })
}

/// Reads the document.
pub(super) fn read(document: &Value) -> RecordingDraft {
    let id = text_of(document, "conversation_id").map(str::to_owned);
    let mut reader = PydanticReader {
        draft: RecordingDraft { id, ..RecordingDraft::default() },
        ..PydanticReader::default()
    };
    messages(document).for_each(|message| reader.message(message));
    let PydanticReader { mut draft, unknown } = reader;
    draft.left_out(unknown, "parts of a kind that is not known");
    draft
}

/// The messages of a list, of a conversation, or of entries.
fn messages(document: &Value) -> impl Iterator<Item = &Value> {
    let all = document.as_array().map_or_else(|| list(document, "messages"), Vec::as_slice);
    all.iter().map(|one| one.get("message").unwrap_or(one))
}

#[derive(Default)]
struct PydanticReader {
    draft: RecordingDraft,
    unknown: usize,
}

impl PydanticReader {
    fn message(&mut self, message: &Value) {
        self.draft.now = time(message, "timestamp").or(self.draft.now);
        if self.draft.id.is_none() {
            self.draft.id = text_of(message, "conversation_id").map(str::to_owned);
        }
        match text_of(message, "kind") {
            Some("response") => self.response(message),
            _ => self.request(message),
        }
    }

    fn request(&mut self, message: &Value) {
        let instructions = text_of(message, "instructions").filter(|text| !text.is_empty());
        self.draft.system.extend(instructions.filter(|_| self.draft.system.is_empty()).map(str::to_owned));
        for part in list(message, "parts") {
            match text_of(part, "part_kind") {
                Some("system-prompt") => self.draft.system.push(owned(part, "content")),
                Some("user-prompt") => {
                    let content = self.content(part.get("content"));
                    self.draft.user(content);
                }
                Some("tool-return") => self.returned(part, false),
                // A call that has to be made again, and the reason for a retry that answers no call.
                Some("retry-prompt") if text_of(part, "tool_name").is_some() => self.returned(part, true),
                Some("retry-prompt" | "retry-feedback") => {
                    self.draft.user(vec![text(said(part.get("content")))]);
                }
                _ => self.unknown += 1,
            }
        }
    }

    fn returned(&mut self, part: &Value, is_retry: bool) {
        let is_error = is_retry || matches!(text_of(part, "outcome"), Some("failed" | "retried"));
        let (mut content, mut images) = (Vec::new(), Vec::new());
        let items = part.get("content").and_then(Value::as_array);
        if items.is_some_and(|items| items.iter().any(is_picture)) {
            for block in self.content(part.get("content")) {
                match block {
                    ContentBlock::Image(image) => images.push(image),
                    ContentBlock::Text { text } => content.push(text),
                    _ => {}
                }
            }
        } else {
            content.push(said(part.get("content")));
        }
        let call_id = owned(part, "tool_call_id");
        self.draft.result(ToolResult { call_id, content: content.join("\n"), images, is_error });
    }

    /// What a user says: a text, or texts and files.
    fn content(&mut self, content: Option<&Value>) -> Vec<ContentBlock> {
        let items = match content {
            Some(Value::String(said)) => return vec![text(said)],
            Some(Value::Array(items)) => items,
            _ => return Vec::new(),
        };
        let block = |item: &Value| match (item, text_of(item, "kind")) {
            (Value::String(said), _) => Some(text(said)),
            (_, Some("text-content")) => Some(text(owned(item, "content"))),
            (_, Some("cache-point")) => None,
            _ if is_picture(item) => Some(picture(item)),
            _ => {
                self.unknown += 1;
                None
            }
        };
        items.iter().filter_map(block).collect()
    }

    fn response(&mut self, message: &Value) {
        let mut content = Vec::new();
        for part in list(message, "parts") {
            match text_of(part, "part_kind") {
                Some("text") => content.push(text(owned(part, "content"))),
                Some("thinking") => content.extend(thought(part)),
                Some("tool-call") => content.push(call(
                    owned(part, "tool_call_id"),
                    owned(part, "tool_name"),
                    part.get("args"),
                )),
                _ => self.unknown += 1,
            }
        }
        self.draft.named(text_of(message, "model_name"));
        self.draft.provider = text_of(message, "provider_name").map(str::to_owned);
        self.draft.say(Role::Assistant, content, usage(message));
    }
}

fn thought(part: &Value) -> Option<ContentBlock> {
    let signature = text_of(part, "signature");
    match text_of(part, "id") {
        Some(REDACTED) => thinking(&owned(part, "content"), None, signature),
        _ => thinking(&owned(part, "content"), signature, None),
    }
}

/// What a tool returned, as the model sees it: a text unchanged, another value as JSON.
fn said(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(said)) => said.clone(),
        Some(Value::Null) | None => String::new(),
        Some(value) => value.to_string(),
    }
}

fn is_picture(item: &Value) -> bool {
    match text_of(item, "kind") {
        Some("binary") => text_of(item, "media_type").is_some_and(|media| media.starts_with("image/")),
        Some("image-url") => true,
        _ => false,
    }
}

/// A picture with its bytes; one that is only an address was not recorded.
fn picture(item: &Value) -> ContentBlock {
    let (media_type, data) = (owned(item, "media_type"), owned(item, "data"));
    if data.is_empty() {
        return picture_left_out();
    }
    // Bytes are in the alphabet for addresses or in the common one.
    let data = data.replace('-', "+").replace('_', "/");
    ContentBlock::Image(Image { media_type, data })
}

fn usage(message: &Value) -> Option<Usage> {
    let of = |name: &str| count(message, &["usage", name]);
    let (read, written) = (of("cache_read_tokens"), of("cache_write_tokens"));
    usage_of_prompt(of("input_tokens"), read, written, of("output_tokens"))
}
