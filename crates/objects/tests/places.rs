//! Objects in folders, and in buckets of a server that misbehaves. A real server is in the suite `objects` of the program.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[path = "places/bucket.rs"]
mod bucket;
#[path = "places/folder.rs"]
mod folder;
