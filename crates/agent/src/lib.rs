//! The nine steps of a turn, over the state of one session.
//!
//! [`Agent`] connects the subsystems (`prompt`, `budget`, `compaction`, `deferral`, `resultstore`, `continuity`, `memory`,
//! `tools`) to one model. Each step is a file under `steps/` that takes the stage which the previous step returned, so
//! calling them out of order does not compile:
//!
//! 1 build prompt, 2 measure, 3 force compaction when blocked, 4 compact, 5 select tools, 6 build the request,
//! 7 stream the answer, 8 run the tools, 9 persist.
//!
//! The state is split by owner (session, window, prefix, tools, tail, model), and the signature of a step names the owners
//! that it reads and changes. Only the model can fail a turn, and a window that cannot hold what may not be cut. Every
//! other subsystem has a fallback, and the receipt of the request names it.
//!
//! This crate decides nothing: thresholds, sizes, counts and prompt texts come in as [`Settings`] or belong to a subsystem.
//! It knows no database, no provider and no terminal.
//!
//! ```
//! use std::sync::Arc;
//!
//! use throughline_agent::{Agent, NullSink};
//! use throughline_completion::{ModelInfo, Reply, ScriptedModel};
//! use throughline_conversation::{Message, SessionId};
//! use throughline_policies::Policy;
//! use throughline_testkit::WordCounter;
//! use throughline_tools::CancelFlag;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let info = ModelInfo::with_window("scripted", 32_000, 4_000);
//! let model = ScriptedModel::new(info, Box::new(WordCounter), [Reply::text("Hello!")]);
//! let settings = Policy::Throughline.settings(32_000, 4_000);
//!
//! let session = SessionId::new("greeting")?;
//! let mut agent = Agent::builder(Arc::new(model), Arc::new(WordCounter), settings).open(session).await?;
//! let outcome = agent.turn(Message::user("Hi."), &NullSink, &CancelFlag::new()).await?;
//! assert_eq!(outcome.text, "Hello!");
//! # Ok(())
//! # }
//! ```

mod active_model;
mod adapting;
mod agent;
mod anchoring;
mod builder;
mod calibration;
mod checkpointing;
mod clock;
mod coming_change;
mod compact_error;
mod compacting;
mod continuity_ports;
mod decision;
mod deletion;
mod engine_tools;
mod error;
mod event;
mod file_changes;
mod followed;
mod frame;
mod groups;
mod idle;
mod input;
mod items;
mod journal;
mod listener;
mod long_prompt;
mod pending_receipt;
mod picture_check;
mod pictures;
mod pins;
mod prefix;
mod pricing;
mod progress;
mod proposal;
mod rebuilding;
mod reconstruct;
mod recount;
mod recovery;
mod refusal;
mod regret;
mod report;
mod request_prices;
mod session;
mod session_change;
mod settings;
mod side_events;
mod side_request;
mod spending;
mod steps;
mod switching;
mod tail;
mod toolbox;
mod turn;
mod turn_context;
mod turn_outcome;
mod window;

pub use agent::Agent;
pub use builder::{AgentBuilder, StartError};
pub use checkpointing::{SessionWork, handoff_of};
pub use clock::{Clock, ManualClock, SystemClock};
pub use compact_error::CompactError;
pub use continuity_ports::{Checkpoints, MemoryPorts};
pub use deletion::{Deletion, DerivedPorts, delete_turn};
pub use error::TurnError;
pub use event::{Event, EventSink, NullSink};
pub use file_changes::FILE_HISTORY;
pub use idle::KeepWarmError;
pub use items::{ItemPlace, change_item_in_session};
pub use listener::Listeners;
pub use pins::{PinFigures, PinReport, PinShown};
pub use progress::Phase;
pub use proposal::CompactionProposal;
pub use rebuilding::Rebuilt;
pub use reconstruct::{ReconstructError, reconstruct};
pub use refusal::Refused;
pub use report::{CompactionPoints, ComponentTokens, ContextReport, NextCut};
pub use request_prices::request_prices;
pub use session_change::{ChangeError, Changed, SessionPorts, change_session, pin_in_session};
pub use settings::{DialStep, Recount, RecoveryPolicy, Settings};
pub use side_events::SideEvents;
pub use spending::{SpendingError, SpendingGuard};
pub use switching::{NextModel, SwitchError};
pub use throughline_completion::RetryPolicy;
pub use turn_outcome::TurnOutcome;
