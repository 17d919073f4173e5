//! What a model sees next: the context of one session, for the owner of a loop.
//!
//! [`ContextEngine`] connects the subsystems (`prompt`, `budget`, `compaction`, `deferral`, `resultstore`, `continuity`,
//! `memory`). Each step of a request is a file under `steps/` that takes the stage which the previous step returned, so calling
//! them out of order does not compile:
//!
//! 1 build prompt, 2 measure, 3 force compaction when blocked, 4 compact, 5 select tools, 6 build the request,
//! 7 record the answer, 8 settle the calls, 9 persist.
//!
//! The caller sends the request after step 6 and runs the calls in step 8. The state is split by owner (session, window, prefix,
//! tools, tail, model); a step takes one borrow of it. Every subsystem has a fallback, and the receipt of the request names it.
//!
//! ```
//! use throughline_engine::{Answer, Answered, ContextEngine, Message, ModelInfo, Next, SessionId};
//! use throughline_policies::{Estimator, Policy};
//! use throughline_wire::{Wire, WireAnswer as _, WireRequest as _};
//! # use serde_json::{Value, json};
//! # fn send(_: &Value) -> Value {
//! #     json!({ "content": [{ "type": "text", "text": "A comma." }], "stop_reason": "end_turn" })
//! # }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let info = ModelInfo::with_window("claude-sonnet-4-5", 200_000, 8_000);
//! let settings = Policy::Throughline.settings(200_000, 8_000);
//! let mut context =
//!     ContextEngine::builder(info, Estimator::default().counter(), settings).open(SessionId::new("mine")?).await?;
//!
//! context.user(Message::user("Why does the parser test fail?")).await?;
//! let Next::Request(next) = context.next_request().await? else { return Ok(()) };
//! let body = send(&next.request.body(Wire::Anthropic)); // with your own client
//! let answered = context.answer(next.id, Answer::from_wire(Wire::Anthropic, &body)?).await?;
//! assert!(matches!(answered, Answered::Finished { text, .. } if text == "A comma."));
//! # Ok(())
//! # }
//! ```
//!
//! This crate decides nothing: thresholds, sizes, counts and prompt texts come in as [`Settings`] or belong to a subsystem.
//! It knows no database, no provider and no terminal.

mod active_model;
mod adapting;
mod ahead;
mod answered;
mod answering;
mod asking;
mod builder;
mod calibration;
mod caller_summaries;
mod checkpointing;
mod clock;
mod compact_error;
mod compacting;
mod continuity_ports;
mod decision;
mod deletion;
mod direct;
mod ended_work;
mod engine;
mod engine_error;
mod engine_tools;
mod error;
mod event;
mod file_changes;
mod frame;
mod giving_up;
mod groups;
mod idle;
mod input;
mod items;
mod journal;
mod keyed;
mod open_work;
mod operation;
mod outcomes;
mod pace;
mod pending_receipt;
mod picture_check;
mod pictures;
mod pins;
mod prefix;
mod pricing;
mod progress;
mod proposal;
mod rebuild_attempts;
mod rebuilding;
mod reconstruct;
mod recount;
mod recovery;
mod refusal;
mod reopening;
mod report;
mod request_id;
mod request_prices;
mod session;
mod session_change;
mod settings;
mod side_events;
mod side_request;
mod spending;
mod stage;
mod state;
mod status;
mod step_context;
mod steps;
mod summary_ahead;
mod summary_choice;
mod summary_due;
mod summary_offer;
mod summary_price;
mod switching;
mod sync;
mod tail;
mod thinking;
mod toolbox;
mod turn_context;
mod turns;
mod window;

pub use answered::Answered;
pub use answering::Refused;
pub use asking::{Next, PreparedRequest};
pub use builder::{EngineBuilder, StartError};
pub use caller_summaries::SideRequest;
pub use checkpointing::{SessionWork, handoff_of};
pub use clock::{Clock, ManualClock, SystemClock};
pub use compact_error::CompactError;
pub use continuity_ports::{Checkpoints, MemoryPorts};
pub use deletion::{Deletion, DerivedPorts, delete_turn};
pub use ended_work::EndedWork;
pub use engine::ContextEngine;
pub use engine_error::{EngineError, OrderError};
pub use error::TurnError;
pub use event::{Event, EventSink, LearnedLimit, NullSink};
pub use file_changes::FILE_HISTORY;
pub use items::{ItemPlace, change_item_in_session};
pub use keyed::KeyedOperation;
pub use operation::Operation;
pub use pins::{PinFigures, PinReport, PinShown};
pub use progress::Phase;
pub use proposal::CompactionProposal;
pub use rebuilding::{Rebuilt, StateAnswer};
pub use reconstruct::{ReconstructError, reconstruct};
pub use refusal::RefusedTurn;
pub use report::{CompactionPoints, ComponentTokens, ContextReport, NextCut};
pub use request_id::RequestId;
pub use request_prices::request_prices;
pub use session_change::{ChangeError, Changed, SessionPorts, change_session, pin_in_session};
pub use settings::{DialStep, Recount, RecoveryPolicy, Settings};
pub use side_events::SideEvents;
pub use spending::{SpendingError, SpendingGuard};
pub use status::{EngineStatus, WaitsFor};
pub use summary_ahead::{SummaryEnd, SummaryTask};
pub use summary_price::SummaryPrice;
pub use switching::{ModelProfile, SwitchError};
pub use sync::{MessageRef, Synced};
pub use turn_context::TurnContext;

// The words of the operations: a loop needs no other crate for them.
pub use throughline_completion::{
    Answer, AnswerDetails, CompletionRequest, ModelError, ModelInfo, RetryPolicy, StopReason,
};
pub use throughline_conversation::{
    ContentBlock, DocumentName, ExchangeId, Image, Message, ModelUse, Role, Seq, SessionId, Thinking,
    TokenCounter, ToolCall, ToolDefinition, ToolOrigin, ToolResult, Usage,
};
pub use throughline_groups::{Change, PinTarget};
pub use throughline_tools::{CancelFlag, ToolOutput};
