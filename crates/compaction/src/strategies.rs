//! The strategies, gentlest first, and the default chain of them.

mod drop_exchanges;
mod rolling_chain;
mod shrink;
mod summary;
mod tool_clearing;

pub(crate) use drop_exchanges::DropExchanges;
pub use rolling_chain::RollingChain;
pub use summary::RollingSummary;
pub use tool_clearing::ToolClearing;
