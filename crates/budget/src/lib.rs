//! Measures how full a window is and derives the pressure from it.
//!
//! Four steps, each a plain function of values:
//!
//! 1. A counter gives raw figures for text: [`ScriptAwareEstimator`] here, or an exact one from an adapter.
//! 2. The [`Meter`] converts them to tokens of the model: it starts from the provider's last report and estimates
//!    only what was added since.
//! 3. [`ContextBudget`] holds the result by component.
//! 4. [`Thresholds`], checked once against the window as [`Limits`], map it to a [`Pressure`]; a [`CrossingGate`]
//!    reports each level once.
//!
//! ```
//! use throughline_budget::{ContextBudget, Meter, Pressure, ScriptAwareEstimator, Thresholds};
//! use throughline_conversation::{Components, TokenCounter};
//!
//! # fn main() -> Result<(), throughline_budget::InvalidThresholds> {
//! let limits = Thresholds::default().limits(16_000, 4_000)?;
//! let text = "The invoice lists every country with its rate. ".repeat(1_100);
//! let raw = Components { conversation: ScriptAwareEstimator.text(&text), ..Components::default() };
//!
//! let mut budget = ContextBudget::new(16_000, 4_000);
//! budget.measure_usage(&Meter::new().measure(raw));
//!
//! assert_eq!(limits.pressure(budget.used_tokens()), Pressure::Notice);
//! assert!(!limits.should_compact(budget.used_tokens()));
//! # Ok(())
//! # }
//! ```
//!
//! Neighbours: `conversation` defines the types used here ([`throughline_conversation::Components`],
//! [`throughline_conversation::TokenCounter`]); `agent` measures before each request and acts on the pressure.
//!
//! This crate does not know how a window is compacted, what a tool or a section is, what anything costs, or which
//! provider answers. It reads no clock and has no state except the meter's few numbers.

mod chars4;
mod context_budget;
mod gate;
mod log_line;
mod meter;
mod pressure;
mod script_aware;
mod script_table;
mod threshold;
mod threshold_text;
mod thresholds;

pub use chars4::Chars4Estimator;
pub use context_budget::ContextBudget;
pub use gate::CrossingGate;
pub use log_line::{compact_line, warn_line};
pub use meter::{COMPARED_VIEWS, MeasuredTokens, Meter};
pub use pressure::{Limits, Pressure};
pub use script_aware::ScriptAwareEstimator;
pub use threshold::Threshold;
pub use threshold_text::ThresholdError;
pub use thresholds::{InvalidThresholds, ThresholdLevel, Thresholds};
