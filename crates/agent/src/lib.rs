//! The nine steps of a turn, and the engine's state between them.
//!
//! [`Agent`] composes the subsystems (`prompt`, `budget`, `compaction`, `deferral`, `resultstore`,
//! `continuity`, `tools`) around one model. A turn is a pipeline of types: each file under `steps/` takes what
//! the step before it made, so calling them out of order does not compile:
//!
//! 1 build prompt, 2 measure, 3 force compaction when blocked, 4 compact, 5 select tools, 6 build the request,
//! 7 stream the answer, 8 run the tools, 9 persist.
//!
//! Only the model can fail a turn (and a window that cannot hold what may not be cut). Every other subsystem
//! has something simpler that takes its place, and the receipt of the request says so.
//!
//! This crate decides nothing: no threshold, no prompt text and no number is in it. They come in as
//! [`Settings`]. It knows no database, no provider and no terminal.

mod agent;
mod builder;
mod cached_prefix;
mod checkpointing;
mod clock;
mod compacting;
mod engine;
mod error;
mod event;
mod groups;
mod input;
mod journal;
mod keeping;
mod pictures;
mod rebuilding;
mod reconstruct;
mod recount;
mod report;
mod settings;
mod steps;
mod switching;
mod system_prompt;
mod tools;
mod turn;

pub use agent::{Agent, TurnOutcome};
pub use builder::{AgentBuilder, StartError};
pub use checkpointing::{Checkpoints, Role, handoff_of};
pub use clock::{Clock, ManualClock, SystemClock};
pub use compacting::CompactError;
pub use error::TurnError;
pub use event::{Event, EventSink, Silent};
pub use groups::{ChangeError, Changed, Deleted, SessionPorts, change_session};
pub use keeping::Memory;
pub use rebuilding::Rebuilt;
pub use reconstruct::{ReconstructError, reconstruct};
pub use report::{ContextReport, Holder, NextCut};
pub use settings::{Recount, RecoveryPolicy, Settings};
pub use switching::{NextModel, SwitchError};
pub use throughline_completion::RetryPolicy;

#[cfg(any(test, feature = "mock"))]
pub use clock::MockClock;
