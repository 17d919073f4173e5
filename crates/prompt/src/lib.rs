//! The system prompt in order of stability, and what the provider's prompt cache makes of it.
//!
//! A provider serves a prefix that it has seen before at about a tenth of the price. Three decisions follow, and
//! they are here:
//!
//! - [`PromptBuilder`] puts sections in order, the most stable first, and what changes from request to request
//!   behind everything else. [`concatenate`] is the plain way out when that cannot be had.
//! - [`BreakpointPlanner`] says where a request marks the ends of its stable prefixes, so that the next request
//!   finds what this one wrote.
//! - [`CachePredictor`] says what the cache will do with a request before it is sent.
//!
//! Who has something to say in the prompt (rules files, memory, skills) is a [`SectionSource`]. The words come
//! from `conversation`, the cache's rules from `completion`; the `agent` puts the results into a request.
//!
//! This crate does not know where sections come from, how many tokens a text has, what a compaction is, or how
//! a marker looks on any provider's wire.

mod builder;
mod built;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod note;
mod planner;
mod predictor;
mod section;
mod source;

pub use builder::{DynamicPlacement, PromptBuilder};
pub use built::{BuiltPrompt, concatenate};
pub use note::{context_note, longest_context_note, standing_percent};
pub use planner::{BreakpointPlanner, PlanInput, SectionFigures};
pub use predictor::{CachePredictor, NextRequest};
pub use section::{PromptSection, Stability};
#[cfg(any(test, feature = "mock"))]
pub use source::MockSectionSource;
pub use source::{FixedSections, SectionError, SectionSource};
