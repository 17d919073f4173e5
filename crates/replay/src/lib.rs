//! Recorded sessions of real agents, run through the real engine: what would it have cost, and what would the
//! model still have seen?
//!
//! [`read_session`] reads recordings of six agents and tells the format by the content. [`replay`] runs one
//! through an `agent`: a [`RecordedModel`] gives the recorded answers, [`RecordedTool`]s give the recorded
//! results, and everything between them (offload, compaction, cache markers) is the engine's own work. The
//! [`SessionReport`] says what was sent, what a prompt cache makes of it, and how that compares with sending
//! the whole history each time.
//!
//! A replay is off the recorded policy: the answers were given to what the recorded agent saw. It measures what
//! requests hold and cost, not what another answer would have been.
//!
//! Neighbours: `agent` is the engine, `completion` has the request and the cache, `tools` the port that recorded
//! tools implement; `prompt`, `continuity` and `resultstore` give a replay its prompt and its stores in memory.
//!
//! This crate does not know which policies there are, how tokens are counted, or how a provider's wire looks:
//! settings, counter and [`WireCheck`] come in from outside.

mod costs;
mod factor;
mod model;
mod overhead;
mod read;
mod readback;
mod recall;
mod report;
mod runner;
#[cfg(test)]
mod sample;
mod session;
mod tool;
mod watch;

pub use costs::{Costs, Spread};
pub use factor::learn_factor;
#[cfg(any(test, feature = "mock"))]
pub use model::MockWireCheck;
pub use model::{Measured, RecordedModel, WireCheck};
pub use read::{ReadError, parse_session, read_session};
pub use report::SessionReport;
pub use runner::{ReplayError, ReplayOptions, Stores, replay};
pub use session::{Format, RecordedSession, RecordedStep, RecordedTurn};
pub use tool::{RecordedTool, recorded_tools};
