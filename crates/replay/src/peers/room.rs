//! The room of a request, in tokens of the counter.

/// Limits that hold for every peer alike. Tokens are the counter's: a provider's tokens over the learnt factor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// The window.
    pub(super) window: u64,
    /// The window less the tokens reserved for output: no request may be larger.
    pub(super) limit: u64,
    /// Tokens of system prompt and tools, in each request.
    pub(super) fixed: u64,
}

impl Room {
    pub(super) fn new(window: u64, reserved: u64, fixed: u64, factor: f64) -> Self {
        let counted = |tokens: u64| (tokens as f64 / factor).floor() as u64;
        Self { window: counted(window), limit: counted(window.saturating_sub(reserved)), fixed }
    }

    /// A share of the limit.
    pub(super) fn share(&self, share: f64) -> u64 {
        (self.limit as f64 * share) as u64
    }
}
