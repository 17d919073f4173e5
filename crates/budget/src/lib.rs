//! How full a window is, and what follows from it.
#![doc = include_str!("../README.md")]
//!
//! # How it works
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
//! The only state is the meter's few numbers.

mod chars4;
mod context_budget;
mod gate;
mod log_line;
mod meter;
mod pressure;
mod script_aware;
mod script_table;
mod short_report;
mod threshold;
mod threshold_text;
mod thresholds;

pub use chars4::Chars4Estimator;
pub use context_budget::{ContextBudget, output_share};
pub use gate::CrossingGate;
pub use log_line::{compact_line, warn_line};
pub use meter::{COMPARED_VIEWS, MeasuredTokens, Meter, is_impossible};
pub use pressure::{Limits, Pressure};
pub use script_aware::ScriptAwareEstimator;
pub use short_report::{EarlierReport, SentPart, SentPrompt, ShortReport, short_report};
pub use threshold::Threshold;
pub use threshold_text::ThresholdError;
pub use thresholds::{InvalidThresholds, ThresholdLevel, Thresholds};
