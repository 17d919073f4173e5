//! A row of the table `messages`.

use throughline_conversation::{ExchangeId, Millis, Seq};

/// Names of the table's columns, in their order.
pub const COLUMNS: [&str; 13] = [
    "id",
    "group_id",
    "seq",
    "role",
    "kind",
    "status",
    "tool_name",
    "tool_call_id",
    "is_error",
    "content",
    "model",
    "tokens",
    "created_at",
];

/// One block of a message, or a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryRow {
    /// Names exactly this text, for as long as the log lives; see [`crate::row_id`].
    pub id: i64,
    /// The exchange: a user message and everything until the next one.
    pub group: ExchangeId,
    /// The record.
    pub seq: Seq,
    /// Who it is from.
    pub role: RowRole,
    /// What it is.
    pub kind: RowKind,
    /// What became of it.
    pub status: RowStatus,
    /// The tool that was called, for calls and results.
    pub tool_name: Option<String>,
    /// The call's id, for calls and results.
    pub tool_call_id: Option<String>,
    /// Whether it is the result of a tool that failed.
    pub is_error: bool,
    /// The exact text, as the log has it. Of a call: its arguments as JSON.
    pub content: String,
    /// The model that wrote it.
    pub model: Option<String>,
    /// Tokens of the response that it belongs to, prompt and output together, as the provider reported them: all
    /// rows of one response show the same.
    pub tokens: Option<i64>,
    /// When its record was made.
    pub created_at: Millis,
}

/// Who a row is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowRole {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
    /// The engine.
    System,
}

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowKind {
    /// What somebody said.
    Text,
    /// What the model thought.
    Thinking,
    /// A picture; its content says only what it is.
    Image,
    /// The arguments of a call.
    ToolCall,
    /// What a tool answered.
    ToolResult,
    /// A summary that the engine showed instead of a span of the conversation.
    Summary,
}

/// What became of a row. Exchanges that were undone have no rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowStatus {
    /// It is part of the conversation.
    Completed,
    /// The same, and it is a call of a tool.
    ToolCall,
    /// Its exchange was dropped from the context.
    Dropped,
}

impl RowRole {
    /// The value of the column.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::System => "system",
        }
    }
}

impl RowKind {
    /// The value of the column.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Thinking => "thinking",
            Self::Image => "image",
            Self::ToolCall => "tool_call",
            Self::ToolResult => "tool_result",
            Self::Summary => "summary",
        }
    }
}

impl RowStatus {
    /// The value of the column.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::ToolCall => "tool_call",
            Self::Dropped => "dropped",
        }
    }
}
