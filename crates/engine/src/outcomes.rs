//! What operations with a key have returned, so that a repeated one changes nothing.

/// Outcomes by key.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {}
