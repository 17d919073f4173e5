//! Messages and their blocks.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::web_search::{SearchOutcome, WebSearch};

/// The sender of a message, as providers see it. The system prompt is not a message: it is its own part of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The user, or results of the tools that the model called.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The role in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message: a role and its blocks, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The sender.
    pub role: Role,
    /// Its blocks; at least one in a valid message.
    pub content: Vec<ContentBlock>,
}

/// One block of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    /// Plain text.
    Text {
        /// The text; empty text is invalid on every wire.
        text: String,
    },
    /// What the model thought. Must be sent back unaltered or not at all.
    Thinking(Thinking),
    /// A picture.
    Image(Image),
    /// The model calls a tool.
    ToolCall(ToolCall),
    /// What the tool answered.
    ToolResult(ToolResult),
}

/// A thinking block as the provider gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thinking {
    /// The text; empty for a redacted block.
    pub text: String,
    /// The provider's signature. A block without one is not sent back to a provider that signs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Opaque content of a redacted block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
}

/// An inline image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// For example `image/png`.
    pub media_type: String,
    /// The bytes in base64.
    pub data: String,
}

impl Image {
    /// The image whole, as one line of text (RFC 2397, the "data" URL).
    #[must_use]
    pub fn to_data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.data)
    }

    /// Reads such a line. The data is not checked.
    #[must_use]
    pub fn from_data_url(url: &str) -> Option<Self> {
        let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
        Some(Self { media_type: media_type.to_owned(), data: data.to_owned() })
    }

    /// Returns true if data is base64 in the standard alphabet, padded, or empty.
    #[must_use]
    pub fn is_base64(data: &str) -> bool {
        let bare = data.trim_end_matches('=');
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
        data.len().is_multiple_of(4) && data.len() - bare.len() <= 2 && bare.bytes().all(letter)
    }
}

/// A tool call. Several in one message may run in parallel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The id that the result repeats; unique within a transcript.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments: a JSON object.
    pub input: Value,
}

/// The signature of a block that holds an item of its provider.
const PROVIDER_ITEM: &str = "provider_item";

impl Thinking {
    /// An item of the provider's own that no other block can hold, such as a search that it ran. As thinking, it is shown
    /// only to the model that it came from.
    #[must_use]
    pub fn of_item(item: &Value) -> Self {
        Self {
            text: String::new(),
            signature: Some(PROVIDER_ITEM.to_owned()),
            redacted: Some(item.to_string()),
        }
    }

    /// The item that ends a search of the web. What was searched and found is its text, for readers of the log: no request has it.
    #[must_use]
    pub fn of_search(item: &Value, search: &WebSearch) -> Self {
        let text = match search.outcome {
            SearchOutcome::Running => String::new(),
            _ => format!("Searched the web for {:?}: {}", search.query, search.summary()),
        };
        Self { text, ..Self::of_item(item) }
    }

    /// Returns true if it is the end of a search of the web, with what was found as its text.
    #[must_use]
    pub fn is_search(&self) -> bool {
        self.signature.as_deref() == Some(PROVIDER_ITEM) && !self.text.is_empty()
    }

    /// The item of the provider's own that this block holds.
    #[must_use]
    pub fn item(&self) -> Option<Value> {
        let is_item = self.signature.as_deref() == Some(PROVIDER_ITEM);
        self.redacted.as_deref().filter(|_| is_item).and_then(|item| serde_json::from_str(item).ok())
    }

    /// Returns true if it is the opaque item of a provider's compaction, which is part of a summary.
    #[must_use]
    pub fn is_compaction(&self) -> bool {
        self.item().is_some_and(|item| item.get("type").and_then(Value::as_str) == Some("compaction"))
    }
}

/// The only field of a call's input when the model's arguments were no JSON object: the text as the model wrote it.
const MALFORMED: &str = "invalid_json";

impl ToolCall {
    /// The input of a call whose arguments are no JSON object.
    #[must_use]
    pub fn malformed_input(written: &str) -> Value {
        Value::Object([(MALFORMED.to_owned(), Value::String(written.to_owned()))].into_iter().collect())
    }

    /// What the model wrote instead of arguments, if that was no JSON object.
    #[must_use]
    pub fn malformed(&self) -> Option<&str> {
        let fields = self.input.as_object().filter(|fields| fields.len() == 1)?;
        fields.get(MALFORMED)?.as_str()
    }
}

/// The answer to one tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// Id of the call that is answered.
    pub call_id: String,
    /// The answer as text, as the model sees it.
    pub content: String,
    /// Images of the answer, after the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// Whether the tool failed.
    #[serde(default)]
    pub is_error: bool,
}

impl Message {
    /// Creates a message of one text block from the user.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, content: vec![ContentBlock::Text { text: text.into() }] }
    }

    /// Creates a message of one text block from the model.
    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, content: vec![ContentBlock::Text { text: text.into() }] }
    }

    /// Creates the message that answers the calls of an assistant message, in the given order.
    #[must_use]
    pub fn results(results: impl IntoIterator<Item = ToolResult>) -> Self {
        Self { role: Role::User, content: results.into_iter().map(ContentBlock::ToolResult).collect() }
    }

    /// The tool calls, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.content.iter().filter_map(|block| match block {
            ContentBlock::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// The tool results, in order.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.content.iter().filter_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(result),
            _ => None,
        })
    }

    /// The pictures, in order, those of results included.
    pub fn pictures(&self) -> impl Iterator<Item = &Image> {
        self.content.iter().flat_map(|block| match block {
            ContentBlock::Image(image) => std::slice::from_ref(image),
            ContentBlock::ToolResult(result) => result.images.as_slice(),
            _ => &[],
        })
    }

    /// The texts, in order: no thinking, no results.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.content.iter().filter_map(|block| match block {
            ContentBlock::Text { text } => Some(text.as_str()),
            _ => None,
        })
    }

    /// All texts joined by newlines.
    #[must_use]
    pub fn text(&self) -> String {
        self.texts().collect::<Vec<_>>().join("\n")
    }
}

impl ToolResult {
    /// A text answer.
    #[must_use]
    pub fn text(call_id: impl Into<String>, content: impl Into<String>) -> Self {
        Self { call_id: call_id.into(), content: content.into(), images: Vec::new(), is_error: false }
    }

    /// An error, as text.
    #[must_use]
    pub fn error(call_id: impl Into<String>, content: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(call_id, content) }
    }
}
