//! What an embedder implements, with the words of its signatures: tools, models, stores.

pub mod scripted;

pub use async_trait::async_trait;

// Tools.
pub use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
pub use throughline_tools::{Access, Effect, Tool, ToolContext, ToolOutput};

// Models, and one that answers from a script.
pub use throughline_budget::ScriptAwareEstimator;
pub use throughline_completion::{
    CompletionEvent, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, ScriptedModel,
    StopReason,
};
pub use throughline_conversation::{ContentBlock, Message, TokenCounter};

// Stores.
pub use throughline_continuity::{
    InMemoryMessageLog, InMemorySnapshotStore, LogError, LogPage, MessageLog, Part, SnapshotStore, Unreadable,
};
pub use throughline_conversation::{Record, Seq, SessionId};
pub use throughline_resultstore::{InMemoryResultRepository, ResultRepository};

// Permissions.
pub use throughline_permission::{Approval, ApprovalRequest, Approver, Unattended};

// Events, and the flag that cancels a turn.
pub use throughline_agent::{Event, EventSink, Listeners};
pub use throughline_tools::CancelFlag;
