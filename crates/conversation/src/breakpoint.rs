//! Where a request's prefix may be cached.

use serde::{Deserialize, Serialize};

/// How long a provider keeps a cached prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CacheTtl {
    /// Five minutes, refreshed by each read.
    #[default]
    FiveMinutes,
    /// One hour.
    OneHour,
}

/// The end of a stable prefix. Order on the wire is tools, system, messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "place", content = "index", rename_all = "snake_case")]
pub enum Place {
    /// After the tool with this index.
    Tool(usize),
    /// After the system section with this index.
    Section(usize),
    /// After the last block of the message with this index.
    Message(usize),
}

/// A marker: everything up to here may be cached as one prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CacheBreakpoint {
    /// Where the prefix ends.
    pub place: Place,
    /// How long the provider should cache it.
    pub ttl: CacheTtl,
}
