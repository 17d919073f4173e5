//! Builds the system prompt in order of stability, plans its cache breakpoints and predicts the prompt cache.
//!
//! Providers charge about a tenth for a prefix that is in their prompt cache. Three decisions follow from that:
//!
//! - [`PromptBuilder`] sorts sections by stability, and puts those that change from request to request after
//!   everything else. It is a plain function of its sections and cannot fail.
//! - [`BreakpointPlanner`] places the markers at the ends of stable prefixes, so that the next request finds what
//!   this one wrote.
//! - [`CachePredictor`] predicts cache reads and writes of a request before it is sent.
//!
//! ```
//! use throughline_prompt::{DynamicPlacement, PromptBuilder, PromptSection};
//!
//! let mut builder = PromptBuilder::new(DynamicPlacement::LastUser);
//! builder.add(PromptSection::status("clock", "Request 7 of this session."));
//! builder.add(PromptSection::base("base", "You are a careful engineer."));
//!
//! let prompt = builder.build();
//! assert_eq!(prompt.prompt(), "You are a careful engineer.");
//! assert_eq!(prompt.tail, ["Request 7 of this session."]);
//! assert_eq!(prompt.breakpoints, [27]);
//! ```
//!
//! Sources of sections (rules files, memory, skills) implement [`SectionSource`]. The data types come from
//! `conversation`, the cache's rules from `completion`; `agent` puts the results into a request.
//!
//! This crate does not know where sections come from, how many tokens a text has, what a compaction is, or how
//! a marker looks on any provider's wire.

mod builder;
mod built;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod keep_warm;
mod note;
mod planner;
mod predictor;
mod section;
mod source;

pub use builder::{DynamicPlacement, PromptBuilder};
pub use built::BuiltPrompt;
pub use keep_warm::KEEP_WARM;
pub use note::{context_note, longest_context_note, standing_percent};
pub use planner::{BreakpointPlanner, PlanInput, SectionFigures};
pub use predictor::{CachePredictor, NextRequest};
pub use section::{PromptSection, Stability};
#[cfg(any(test, feature = "mock"))]
pub use source::MockSectionSource;
pub use source::{FixedSections, SectionError, SectionSource};
