//! The system prompt, and what the prompt cache makes of it.
#![doc = include_str!("../README.md")]
//!
//! # How it works
//!
//! Providers charge about a tenth for a prefix that is in their prompt cache. Three decisions follow from that:
//!
//! - [`PromptBuilder`] sorts sections by stability, and puts those that change from request to request after
//!   everything else. It is a plain function of its sections and cannot fail.
//! - [`BreakpointPlanner`] places the markers at the ends of stable prefixes, so that the next request finds what
//!   this one wrote.
//! - [`CachePredictor`] predicts cache reads and writes of a request before it is sent.
//!
//! Sources of sections (rules files, memory, skills) implement [`SectionSource`].

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
