//! The strategies of a design.

use std::fmt::Debug;
use std::sync::Arc;

use throughline_conversation::View;

use crate::goal::CompactionJob;
use crate::strategy::Strategy;
use crate::summarizer::Summarizer;

/// A strategy chain: what a design does to shrink a view, how far, and when besides at a threshold.
///
/// [`Compactor`](crate::Compactor) ends every chain with a last resort that drops whole exchanges, so that what must fit does
/// fit.
///
/// ```
/// use std::sync::Arc;
///
/// use throughline_compaction::{Strategy, StrategyChain, Summarizer, ToolClearing};
///
/// /// Clears old tool results, and asks no model.
/// #[derive(Debug)]
/// struct ClearingOnly;
///
/// impl StrategyChain for ClearingOnly {
///     fn strategies(&self, _: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
///         vec![Arc::new(ToolClearing)]
///     }
/// }
/// ```
///
/// # Contract
/// MUST be cheap to ask and MUST answer the same for the same arguments: a chain decides, its strategies work.
pub trait StrategyChain: Debug + Send + Sync {
    /// The strategies in the order in which they are tried. Without a summarizer they must do without a model.
    fn strategies(&self, summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>>;

    /// Tokens of the view that a compaction aims at; `None` for the target of the [`CompactionPolicy`].
    ///
    /// [`CompactionPolicy`]: crate::CompactionPolicy
    fn target(&self, _job: &CompactionJob<'_>) -> Option<u64> {
        None
    }

    /// Returns true if cuts are due that do not wait for a full window. `fresh`: a new user message just arrived.
    fn batch_due(&self, _view: &View, _fresh: bool) -> bool {
        false
    }

    /// How many of the newest groups the design shows; `None` for all. Hiding the others is not a compaction but a mark in
    /// the log, which the caller makes.
    fn shown_groups(&self) -> Option<u32> {
        None
    }
}

const _: Option<&dyn StrategyChain> = None;
