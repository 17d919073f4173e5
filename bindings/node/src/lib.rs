//! The native part of the npm package `throughline`: operations by name and JSON, as promises.
//!
//! The package's own JavaScript gives them names, types and errors. See the README of the package.

mod engine;
mod failure;
mod request;

pub use engine::NativeEngine;
pub use request::NativeRequest;
