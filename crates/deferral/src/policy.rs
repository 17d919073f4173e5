//! How much room tool descriptions may take.

/// How much room tool descriptions may take, and for how long a found tool stays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeferralPolicy {
    /// Maximum that all descriptions together may take, as a share (0.0 to 1.0) of the effective window.
    pub threshold: f64,
    /// A promoted tool may be deferred again after this many turns without a call, when the list is replanned.
    pub unused_turns: u64,
    /// Maximum number of hits of a search.
    pub search_limit: usize,
}

impl Default for DeferralPolicy {
    fn default() -> Self {
        Self { threshold: 0.10, unused_turns: 20, search_limit: 5 }
    }
}

impl DeferralPolicy {
    /// The most tokens for all descriptions. A threshold that is not a number counts as 0.
    pub(crate) fn budget(&self, effective_window: u64) -> u64 {
        // A tenth has no exact binary form: the millionth keeps whole results whole. The cast saturates.
        (self.threshold * effective_window as f64 + 1e-6) as u64
    }
}
