//! The loop around the engine: one session, the model that answers in it, and the tools that it calls.
//!
//! [`Agent`] asks its [`ContextEngine`](throughline_engine::ContextEngine) for the next request, sends it to a model with
//! retries, fallbacks and limits on spending, runs the calls of the answer side by side, and hands back the results. What the
//! model sees is the engine's to decide, see [`throughline_engine`].
//!
//! Only the model can fail a turn, and a window that cannot hold what may not be cut. Every other subsystem has a fallback,
//! and the receipt of the request names it.
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

mod agent;
mod ahead;
mod asking;
mod background_work;
mod builder;
mod calls;
mod coming_change;
mod counting;
mod ended_work;
mod keep_warm;
mod listener;
mod model_loop;
mod next_model;
mod side;
mod state;
mod turn;
mod turn_hooks;
mod turn_outcome;
mod user_messages;

pub use agent::Agent;
pub use background_work::BackgroundWork;
pub use builder::AgentBuilder;
pub use keep_warm::KeepWarmError;
pub use listener::Listeners;
pub use next_model::NextModel;
pub use throughline_completion::RetryPolicy;
pub use throughline_engine::{
    ChangeError, Changed, Checkpoints, Clock, CompactError, CompactionPoints, CompactionProposal,
    ComponentTokens, ContextReport, Deletion, DerivedPorts, DialStep, EndedWork, Event, EventSink,
    FILE_HISTORY, ItemPlace, LearnedLimit, ManualClock, MemoryPorts, NextCut, NullSink, Phase, PinFigures,
    PinReport, PinShown, Rebuilt, ReconstructError, Recount, RecoveryPolicy, RefusedTurn as Refused,
    SessionPorts, SessionWork, Settings, SideEvents, SpendingError, SpendingGuard, StartError, SummaryPrice,
    SwitchError, SystemClock, TurnError, change_item_in_session, change_session, delete_turn, handoff_of,
    pin_in_session, reconstruct, request_prices,
};
pub use turn_hooks::{HookReport, TurnHooks};
pub use turn_outcome::TurnOutcome;
pub use user_messages::UserMessages;
