//! The name of a request.

/// The number of a request within its session. A request that was never sent has one, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);
