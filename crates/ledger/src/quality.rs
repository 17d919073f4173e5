//! The lines that report the outcome of quality gates in a message of the user.
//!
//! `task` writes these lines; a compaction reads them and repeats their results in its summary.

/// Begins the line of a gate that passed: `QUALITY_PASSED: cargo test`.
pub const QUALITY_PASSED: &str = "QUALITY_PASSED";

/// Begins the line of a gate that failed: `QUALITY_FAILED: cargo test (exit 1)`.
pub const QUALITY_FAILED: &str = "QUALITY_FAILED";
