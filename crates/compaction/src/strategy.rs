//! One way to shrink a view.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::ViewError;

use crate::draft::Draft;
use crate::plan::Plan;

/// Why a strategy gave up. The chain rolls the draft back and continues with the next strategy.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// The draft has an edit that does not fit the view.
    #[error("the strategy made an edit that does not fit the view")]
    Edit(#[from] ViewError),
    /// Anything else.
    #[error("the strategy failed")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl StrategyError {
    /// The cause, in one line.
    pub(crate) fn cause(&self) -> String {
        let whole = match self {
            Self::Other(source) => source.to_string(),
            Self::Edit(source) => source.to_string(),
        };
        whole.replace('\n', " ")
    }
}

/// One way to shrink a view: a link of the chain.
///
/// # Contract
/// MUST work on the draft alone, and MUST NOT touch what [`Plan::first_protected`] protects unless it is a last resort,
/// or belongs to a chain that has its own rule of what to protect. MUST NOT cover a call that waits for its result. MUST
/// leave the user's last own words verbatim: where they are, or at the end of a summary. MUST do the same to the same
/// draft. Doing nothing is fine: the chain undoes a strategy that does not make the draft smaller.
///
/// # When it fails
/// The draft is rolled back, and the next strategy is tried.
#[async_trait]
pub trait Strategy: Debug + Send + Sync {
    /// The name in the log.
    fn name(&self) -> &'static str;

    /// Returns true if it is only tried when the view would be larger than allowed without it.
    fn last_resort(&self) -> bool {
        false
    }

    /// Returns true if it follows the user's instructions: it asks a model for prose.
    fn follows_instructions(&self) -> bool {
        false
    }

    /// Shrinks the draft towards the plan's aim.
    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError>;
}

const _: Option<&dyn Strategy> = None;
