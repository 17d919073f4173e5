//! How full the window is, and what that means.
//!
//! Four steps, each a plain function of values. A counter (here [`ScriptAwareEstimator`], or an exact one from
//! an adapter) gives raw figures for text. The [`Meter`] turns them into tokens of the model that is asked: it
//! starts from what the provider reported last and estimates only what was added since. [`ContextBudget`] holds
//! the outcome by component. A [`Ladder`] of [`Threshold`]s, checked once against the window as [`Limits`], says
//! which [`Pressure`] that is; [`CrossingGate`] tells a person about it once.
//!
//! Neighbours: `conversation` has the words used here ([`throughline_conversation::Components`],
//! [`throughline_conversation::TokenCounter`]); the `agent` measures before each request and acts on the pressure.
//!
//! This crate does not know how a window is emptied, what a tool or a section is, what anything costs, or which
//! provider answers. It reads no clock and keeps nothing but the meter's own few numbers.

mod chars4;
mod context_budget;
mod gate;
mod ladder;
mod log_line;
mod meter;
mod pressure;
mod script_aware;
mod script_table;
mod threshold;
mod threshold_text;

pub use chars4::Chars4Estimator;
pub use context_budget::ContextBudget;
pub use gate::CrossingGate;
pub use ladder::{Ladder, LadderError, Rung};
pub use log_line::{compact_line, warn_line};
pub use meter::{Measured, Meter};
pub use pressure::{Limits, Pressure};
pub use script_aware::ScriptAwareEstimator;
pub use threshold::Threshold;
pub use threshold_text::ThresholdError;
