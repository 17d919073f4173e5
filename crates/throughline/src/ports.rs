//! What an embedder implements, with the words of its signatures.

pub mod scripted;

pub use async_trait::async_trait;

// Tools.
pub use throughline_conversation::{ToolCall, ToolDefinition};
pub use throughline_tools::{Access, Effect, Tool, ToolContext, ToolOutput};

// Models.
pub use throughline_completion::{
    CompletionEvent, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, StopReason,
};
pub use throughline_conversation::{ContentBlock, Message, TokenCounter};

// Stores.
pub use throughline_continuity::{LogError, LogPage, MessageLog, Part, Unreadable};
pub use throughline_conversation::{Record, ResultRef, Seq, SessionId};
pub use throughline_resultstore::{ResultInfo, ResultRepository, StoreError, StoredResult};

// Sections of the prompt.
pub use throughline_prompt::{PromptSection, SectionError, SectionSource};

// Permissions.
pub use throughline_permission::{Approval, ApprovalRequest, Approver};

// Events, and the flag that cancels a turn.
pub use throughline_agent::{Event, EventSink};
pub use throughline_tools::CancelFlag;
