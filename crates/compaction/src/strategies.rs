//! The strategies, gentlest first.

mod drop_exchanges;
mod shrink;
mod summary;
mod tool_clearing;

pub use drop_exchanges::DropExchanges;
pub use summary::RollingSummary;
pub use tool_clearing::ToolClearing;
