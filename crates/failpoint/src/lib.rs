//! A switch that makes a store fail on demand.
//!
//! The in-memory stores of several crates are both the fakes of tests and the fallback of a session whose disk fails. Each
//! holds a [`FailPoint`], checks it at the start of every call, and exposes it to tests by a method `failures`.
//! [`InMemoryStore`] is the common part of those that need no more than a lock.
//!
//! ```
//! use throughline_failpoint::FailPoint;
//!
//! let failures = FailPoint::default();
//! assert!(failures.check().is_ok());
//! failures.fail_with("no space left");
//! assert_eq!(failures.check().unwrap_err().to_string(), "no space left");
//! failures.recover();
//! failures.fail_next("timeout");
//! assert!(failures.check().is_err());
//! assert!(failures.check().is_ok(), "only the next call failed");
//! ```

mod fail_point;
mod in_memory_store;

pub use fail_point::FailPoint;
pub use in_memory_store::InMemoryStore;
