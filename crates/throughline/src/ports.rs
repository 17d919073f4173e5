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
pub use throughline_continuity::{
    LogError, LogPage, MessageLog, Part, Snapshot, SnapshotError, SnapshotStore,
};
pub use throughline_conversation::{Record, ResultRef, Seq, SessionId};
pub use throughline_resultstore::{ResultInfo, ResultRepository, StoreError, StoredResult};

// Sections of the prompt, summaries and memory.
pub use throughline_agent::MemoryPorts;
pub use throughline_compaction::{Prose, Summarizer, SummaryError, SummaryRequest};
pub use throughline_memory::{
    FileIndex, FilesError, InMemoryMemory, MemoryFile, MemoryFiles, MemorySearch, NoteRepository, Scope,
};
pub use throughline_prompt::{PromptSection, SectionError, SectionSource};

// Permissions, and the sandbox of commands.
pub use throughline_permission::{Approval, ApprovalRequest, Approver};
pub use throughline_tools::{Launcher, SandboxError, sandbox_exec};

// Events, and the flag that cancels a turn.
pub use throughline_agent::{Event, EventSink, Listeners};
pub use throughline_tools::CancelFlag;
