//! Which tool descriptions a model sees.
#![doc = include_str!("../README.md")]
//!
//! # How it works
//!
//! When all descriptions together take too much of the window, [`DeferralManager`] defers some. The model finds them
//! with the tool of [`tool_search_tool`]; the tools that it finds are promoted. The list is at the very front of a request,
//! so every change of it invalidates the provider's prompt cache. With the tool of [`call_tool`] in the catalogue it does not
//! change: found tools are called by that one, and take their place in the list when it is replanned, at a new cache
//! epoch of the caller. Without it the list grows at its end.

mod active;
mod bm25;
mod call_tool;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod manager;
mod plan;
mod policy;
mod ranker;
mod related;
mod search_tool;
mod tool_history;
mod words;

pub use bm25::Bm25Ranker;
pub use call_tool::{CALL_TOOL, call_tool, deferred_call};
pub use manager::{DeferralManager, ToolSelection};
pub use policy::DeferralPolicy;
#[cfg(any(test, feature = "mock"))]
pub use ranker::MockToolRanker;
pub use ranker::{RankError, ToolRanker};
pub use search_tool::{deferred_note, render_hits, tool_search_tool};
pub use tool_history::ToolHistory;
