//! Which tool descriptions a model sees.
#![doc = include_str!("../README.md")]
//!
//! # How it works
//!
//! When all descriptions together take too much of the window, [`DeferralManager`] defers some. The model finds them
//! with the tool of [`tool_search_tool`]; the tools that it finds are promoted to the list. The list is at the very
//! front of a request, so every change of it invalidates the provider's prompt cache: it only grows at its end,
//! and is replanned only when the caller begins a new cache epoch.

mod active;
mod bm25;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod manager;
mod plan;
mod policy;
mod ranker;
mod related;
mod search_tool;
mod words;

pub use bm25::Bm25Ranker;
pub use manager::{DeferralManager, ToolSelection};
pub use policy::DeferralPolicy;
#[cfg(any(test, feature = "mock"))]
pub use ranker::MockToolRanker;
pub use ranker::{RankError, ToolRanker};
pub use search_tool::{deferred_note, render_hits, tool_search_tool};
