//! The window that is assumed of other agents' models.

/// Window of the recorded model, for the sizes of previews. Both agents' models have it or a larger one.
pub(crate) const WINDOW: u64 = 200_000;

/// Tokens reserved for output in that window.
pub(crate) const OUTPUT: u64 = 16_384;
