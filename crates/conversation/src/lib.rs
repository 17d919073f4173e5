//! The data types of Throughline: conversations, the records of their log, and the view that a model sees.
//!
//! The log is the source of truth: every message and every edit is an appended [`Record`]. What the model sees is a
//! projection of it, a [`View`], built by [`project`]. Compaction appends an [`Edit`]; it never changes a record.
//! [`validate`] checks that a list of messages is one that model providers accept, and [`repair`](repair()) fixes one
//! that is not.
//!
//! ```
//! use throughline_conversation::{
//!     ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, Source, TokenCounter, project,
//! };
//!
//! /// One token per word.
//! #[derive(Debug)]
//! struct Words;
//!
//! impl TokenCounter for Words {
//!     fn text(&self, text: &str) -> u64 {
//!         text.split_whitespace().count() as u64
//!     }
//! }
//!
//! # fn main() -> Result<(), throughline_conversation::ProjectError> {
//! let message = Message::user("Why does the parser test fail?");
//! let log = [Record {
//!     seq: Seq(1),
//!     at: Millis(0),
//!     exchange: ExchangeId(1),
//!     body: RecordBody::Message(MessageRecord { message, source: Source::User, usage: None }),
//! }];
//! let view = project(&log, &Words)?;
//! assert_eq!(view.transcript().len(), 1);
//! assert!(view.violations().is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! This crate holds values and pure functions only. It knows no clock, no disk, no network and no model.
//! `completion` builds requests from these types, the subsystems (`budget`, `compaction`, …) make decisions about
//! them, and the adapters (`store`, `providers`) convert them for disks and networks.

mod attachment;
mod breakpoint;
mod cache_use;
mod calendar;
mod certificate;
mod checkpoint;
mod continue_note;
mod document;
mod dropped_item;
mod edit;
mod file_change;
mod foreign;
mod foreign_request;
mod group;
mod ids;
mod inserted_text;
mod iteration_prompt;
mod key;
mod message;
mod normalize;
mod origin;
mod outline;
mod pin;
mod price_terms;
mod project;
mod receipt;
mod record;
mod regret;
mod repair;
mod rules;
mod said;
mod settled;
mod side_request;
mod spaced_words;
mod tokens;
mod tool;
mod transcript;
mod unit;
mod valid_calls;
mod validity;
mod view;
mod web_search;
mod whole_number;
mod wrapper;

pub use attachment::{hook_text, mode_note};
pub use breakpoint::{CacheBreakpoint, CacheTtl, Place};
pub use cache_use::{CacheChange, CacheDiagnosis, CacheForecast, CacheMiss};
pub use certificate::{Certificate, CertifiedText, StandingKind, StandingPlace};
pub use checkpoint::{CheckpointReason, CheckpointRecord};
pub use continue_note::{continue_note, is_continue_note};
pub use document::{DocumentName, DocumentRecord, Documents, Revision};
pub use dropped_item::DroppedItem;
pub use edit::{Action, Edit, EditReason, ProviderCompaction, SummaryNote};
pub use file_change::{FileChange, FileVersion, FilesRecord, sha256};
pub use foreign_request::{ForeignRequest, RequestFacts, RequestTerms, UnshownAnswer};
pub use group::{GroupStatus, Groups, Mark};
pub use ids::{ExchangeId, Millis, ResultRef, Seq, SessionId, SessionIdError, Span};
pub use inserted_text::{
    BROKEN_OFF_NOTE, CONTEXT_HEAD, context_to_paste, has_context, has_own_words, is_agent_note,
    is_broken_off_note, is_inserted_text, is_own_command, own_text,
};
pub use iteration_prompt::{is_iteration_prompt, task_request};
pub use key::{KeyOutcome, KeyRecord};
pub use message::{ContentBlock, Image, Message, Role, Thinking, ToolCall, ToolResult};
pub use normalize::{normalize_message, normalize_tool_calls};
pub use origin::{ForeignTools, ModelRecord, Origin, TargetModel};
pub use pin::{Pin, PinnedText};
pub use price_terms::{PriceTerms, PriceVerdict};
pub use project::{ProjectError, Projection, project, project_readable};
pub use receipt::{CompactionReceipt, Decision, Degradation, OffloadReceipt, Receipt, WindowFigures};
pub use record::{
    MessageRecord, PolicyRecord, PromptRecord, Record, RecordBody, RemovedRecord, SectionText, Source,
    ToolsRecord,
};
pub use regret::RegretReceipt;
pub use repair::{Repair, missing_result, repair};
pub use rules::{is_rule, rules_of};
pub use said::Said;
pub use settled::SettledRecord;
pub use side_request::{AnswerIdentity, Purpose, ServerAddress, SideAnswer, SideOutcome, SideRequest};
pub use spaced_words::{spaced_words, spaced_words_of, without_thoughts};
pub use tokens::{Components, FigureSource, LongPrompt, ModelUse, TokenCounter, Uncounted, Usage};
pub use tool::{ToolDefinition, ToolOrigin, WEB_SEARCH};
pub use transcript::{Entry, EntryKind, Transcript};
pub use unit::{Unit, UnitKind, units};
pub use valid_calls::with_free_ids;
pub use validity::{Violation, validate};
pub use view::{View, ViewError};
pub use web_search::{SearchOutcome, WebSearch, WebSource};
pub use whole_number::whole_number;
pub use wrapper::{is_wrapper, without_wrappers};
