//! Which tool descriptions the model sees, and how it finds the others.
//!
//! When all descriptions together take too much of the window, [`DeferralManager`] holds some back. The model
//! finds them with the tool of [`tool_search_tool`]; what it finds joins the list. The list stands at the very
//! front of a request, so every change of it invalidates the provider's prompt cache: it only grows at its end,
//! and is replanned only when the caller begins a new cache epoch.
//!
//! The words come from `conversation`. The `agent` asks for a [`ToolSelection`] before each request and sends all
//! tools when that is not to be had. This crate does not know how tools run, where they come from beyond their
//! origin, or what a request looks like. It counts no tokens itself.

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
