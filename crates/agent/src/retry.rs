//! How long to wait before a request is sent again.

use std::time::Duration;

use throughline_completion::ModelError;

use crate::RetryPolicy;

/// Waits of one request: doubling, with the provider's own word above all.
#[derive(Debug)]
pub(crate) struct Backoff {
    policy: RetryPolicy,
    tries: u32,
}

impl Backoff {
    pub(crate) fn new(policy: RetryPolicy) -> Self {
        Self { policy, tries: 1 }
    }

    /// The wait before the next try after this error; `None`: trying again does not help, or not any more.
    pub(crate) fn wait_after(&mut self, error: &ModelError) -> Option<Duration> {
        if !error.is_transient() || self.tries >= self.policy.attempts {
            return None;
        }
        let doubled = self.policy.first_wait.saturating_mul(1 << (self.tries - 1).min(16));
        self.tries += 1;
        let wait = match error {
            ModelError::RateLimited { retry_after_ms: Some(ms), .. } => Duration::from_millis(*ms),
            _ => doubled,
        };
        Some(wait.min(self.policy.longest_wait))
    }
}
