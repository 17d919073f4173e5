//! The port to a search over tools.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::ToolDefinition;

/// Why tools could not be ranked.
#[derive(Debug, thiserror::Error)]
pub enum RankError {
    /// Anything: no caller decides by the cause.
    #[error("the tools could not be searched")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Finds the tools that fit a query.
///
/// # Contract
/// - MUST give names of the tools that were given, each at most once, the best first, at most `limit`.
/// - MUST give no name when nothing fits.
/// - MUST give the same names for the same query and the same tools, in whatever order the tools come.
///
/// # When it fails
/// The agent promotes every deferred tool, so that the model reaches all of them without a search.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait ToolRanker: Debug + Send + Sync {
    /// Names of the tools that fit.
    async fn rank(
        &self,
        query: &str,
        tools: &[ToolDefinition],
        limit: usize,
    ) -> Result<Vec<String>, RankError>;
}

const _: Option<&dyn ToolRanker> = None;
