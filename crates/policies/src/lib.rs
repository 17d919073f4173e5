//! Named policies: everything that one design decides, in one place.
//!
//! A [`Policy`] gives the [`Settings`](throughline_engine::Settings) of an agent for a window: thresholds, strategy
//! chain, prompt texts, sizes and limits. Each design is one module, so a new design is one new file and one line in
//! [`Policy`]. An embedder who has no opinion takes [`Policy::default`]:
//!
//! ```
//! use throughline_policies::Policy;
//!
//! let settings = Policy::default().settings(200_000, 8_192);
//! assert_eq!(settings.window, Some(200_000));
//!
//! // By the name that is typed on a command line or written in a settings file.
//! let dex: Policy = "dex".parse()?;
//! assert_eq!(dex.settings(200_000, 8_192).thresholds.limits(200_000, 8_192)?.compact, Some(180_000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Neighbours: `agent` runs with the settings and holds no number of its own; `compaction`, `budget`, `resultstore`
//! and `deferral` are the mechanisms that a policy configures. This crate runs nothing, reads no file and no clock.

mod base;
mod dex;
mod economy;
mod estimator;
mod off;
mod overrides;
mod policy;
mod rubichan;
mod slop;
mod summary;
mod summary_style;
mod thresholds;
mod throughline;
mod vibe;

pub use dex::Dex;
pub use economy::{Economy, UnknownEconomy};
pub use estimator::{Estimator, UnknownEstimator};
pub use overrides::PolicyOverrides;
pub use policy::{Policy, UnknownPolicy};
pub use rubichan::Rubichan;
pub use slop::Slop;
pub use summary_style::{SummaryStyle, UnknownSummaryStyle};
pub use thresholds::NamedThresholds;
pub use vibe::Vibe;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod testing;
