//! How the view shrinks when the window fills.
//!
//! [`Compactor`] runs a chain of [`Strategy`]s over a working copy, the [`Draft`], and gives back one
//! [`Edit`](throughline_conversation::Edit) with the view as it would be and the bytes that must be stored
//! first. Old tool results become short references, then the oldest messages go behind one rolling summary,
//! and, when nothing else helps, whole exchanges are dropped. A compaction is a proposal: the view it was
//! given never changes, and on an error nothing has happened.
//!
//! It goes deep and seldom: each compaction makes the provider's cache cold behind the first change, so one
//! that reaches far below the threshold costs less over a session than many small ones.
//!
//! Neighbours: the agent decides *when* (with `budget`), stores what is [`Kept`] (with `resultstore`), and
//! appends the edit to the log. A model that writes summaries comes in through the port [`Summarizer`].
//!
//! It does not know thresholds, storage, the system prompt, providers or the clock.

mod blob;
mod budgets;
mod chain;
mod cover;
mod digest;
mod draft;
mod extractive;
mod goal;
mod history;
mod index;
mod judge;
mod names;
mod outcome;
mod payback;
mod pictures;
mod plan;
mod policy;
mod presets;
mod reference;
mod rendered;
mod spending;
mod stand_in;
mod strategies;
mod strategy;
mod summarizer;
mod template;
mod tool;
mod words;

pub use chain::Compactor;
pub use draft::Draft;
pub use extractive::ExtractiveSummarizer;
pub use goal::{Goal, Job};
pub use outcome::{CompactResult, Compacted, CompactionError, Kept};
pub use payback::pays_back_after;
pub use pictures::{PictureFault, PicturesLeave, without_pictures};
pub use plan::Plan;
pub use policy::{CompactionPolicy, Target};
pub use presets::{Dex, Preset, Rubichan, Signals, Slop, Vibe, with_compacted_history};
pub use spending::Spending;
pub use strategies::{DropExchanges, RollingSummary, ToolClearing};
#[cfg(any(test, feature = "mock"))]
pub use strategy::MockStrategy;
pub use strategy::{Strategy, StrategyError};
#[cfg(any(test, feature = "mock"))]
pub use summarizer::MockSummarizer;
pub use summarizer::{Prose, Summarizer, SummaryError, SummaryPrefix, SummaryRequest};
pub use template::Template;
pub use tool::compact_context_tool;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod testing;
