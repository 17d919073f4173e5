//! The words of Throughline: what a conversation is, what its log holds, and what of it a model sees.
//!
//! The log is the truth: every message and every edit is an appended [`Record`]. What the model sees is a
//! projection of it, a [`View`], made by [`project`]. Compaction appends an [`Edit`]; it never changes a
//! record. [`validate`] says whether a list of messages is one that model providers accept.
//!
//! This crate holds values and pure functions only. It knows no clock, no disk, no network and no model.
//! `completion` builds requests out of these words, the subsystems (`budget`, `compaction`, …) decide about
//! them, and the adapters (`store`, `providers`) carry them over a boundary.

mod breakpoint;
mod calendar;
mod checkpoint;
mod document;
mod edit;
mod foreign;
mod group;
mod ids;
mod message;
mod normalize;
mod origin;
mod outline;
mod project;
mod receipt;
mod record;
mod repair;
mod tokens;
mod tool;
mod transcript;
mod unit;
mod valid_calls;
mod validity;
mod view;

pub use breakpoint::{CacheBreakpoint, CacheTtl, Place};
pub use checkpoint::{CheckpointReason, CheckpointRecord};
pub use document::{DocumentName, DocumentRecord, Documents, Revision};
pub use edit::{Action, Edit, EditReason, SummaryNote};
pub use group::{GroupStatus, Groups, Mark};
pub use ids::{ExchangeId, Millis, ResultRef, Seq, SessionId, SessionIdError, Span};
pub use message::{ContentBlock, Image, Message, Role, Thinking, ToolCall, ToolResult};
pub use normalize::{UNKNOWN_TOOL, normalize_tool_calls};
pub use origin::{ForeignTools, ModelRecord, Origin, Reader};
pub use project::{ProjectError, project};
pub use receipt::{CompactionReceipt, Decision, Degradation, OffloadReceipt, Receipt, WindowFigures};
pub use record::{
    MessageRecord, PolicyRecord, PromptRecord, Record, RecordBody, RemovedRecord, SectionText, Source,
    ToolsRecord,
};
pub use repair::{Repair, missing_result, repair};
pub use tokens::{Components, FigureSource, ModelUse, TokenCounter, Usage};
pub use tool::{ToolDefinition, ToolOrigin};
pub use transcript::{Entry, EntryKind, Transcript};
pub use unit::{Unit, UnitKind, units};
pub use valid_calls::with_valid_calls;
pub use validity::{Checker, Violation, validate};
pub use view::{View, ViewError};
