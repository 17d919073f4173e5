//! Selects the tool descriptions that the model sees, and lets it search the deferred ones.
//!
//! When all descriptions together take too much of the window, [`DeferralManager`] defers some. The model finds them
//! with the tool of [`tool_search_tool`]; the tools that it finds are promoted to the list. The list is at the very
//! front of a request, so every change of it invalidates the provider's prompt cache: it only grows at its end,
//! and is replanned only when the caller begins a new cache epoch.
//!
//! ```
//! use std::sync::Arc;
//!
//! use serde_json::json;
//! use throughline_conversation::{ToolDefinition, ToolOrigin};
//! use throughline_deferral::{Bm25Ranker, DeferralManager, DeferralPolicy, tool_search_tool};
//! use throughline_testkit::WordCounter;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), throughline_deferral::RankError> {
//! let vat = |country: &str| ToolDefinition {
//!     origin: ToolOrigin::Mcp,
//!     ..ToolDefinition::new(
//!         format!("vat_{country}"),
//!         format!("Looks up the VAT rate of {country} for an amount in cents. ").repeat(5),
//!         json!({"type": "object"}),
//!     )
//! };
//! let countries = ["austria", "belgium", "denmark", "finland", "hungary"];
//! let catalogue: Arc<[ToolDefinition]> = countries.map(vat).into_iter().chain([tool_search_tool()]).collect();
//!
//! let mut manager = DeferralManager::new(DeferralPolicy::default());
//! assert!(manager.select(&catalogue, &WordCounter, 1_000, 0, 1).deferred > 0);
//!
//! let hits = manager.search(&Bm25Ranker, "vat rate in hungary").await?;
//! manager.promote(&[hits[0].name.clone()], 1);
//! let next = manager.select(&catalogue, &WordCounter, 1_000, 0, 1);
//! assert!(next.active.iter().any(|tool| tool.name == "vat_hungary"));
//! # Ok(())
//! # }
//! ```
//!
//! The data types come from `conversation`. The `agent` takes a [`ToolSelection`] before each request, and promotes all
//! tools when they cannot be searched. This crate does not know how tools run, where they come from beyond their
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
