//! The tools of many servers in a small window: what they cost, and whether a model finds the one it needs.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

#[path = "catalogue/data.rs"]
mod data;
#[path = "catalogue/finding.rs"]
mod finding;
#[path = "catalogue/window.rs"]
mod window;
