//! When a failed request is sent again, and how long to wait before that.

use std::time::Duration;

use crate::error::ModelError;

/// When a request is sent again that failed for a reason which may pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts in all, the first included. Default: 9, which takes about three minutes.
    pub attempts: u32,
    /// Attempts of one request that may end in silence. Each takes minutes, and the provider may have worked all the
    /// while. Default: 2.
    pub silent_attempts: u32,
    /// Wait before the second attempt. It doubles with each attempt, and jitter shortens it by up to a quarter. A
    /// wait that the provider asks for takes precedence. Default: 1 s.
    pub first_wait: Duration,
    /// Maximum wait: if a provider asks for more, the request fails at once. Default: 60 s.
    pub longest_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts: 9,
            silent_attempts: 2,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
    /// Sends each request once.
    #[must_use]
    pub fn once() -> Self {
        Self { attempts: 1, first_wait: Duration::ZERO, longest_wait: Duration::ZERO, ..Self::default() }
    }
}

/// The waits of one request: exponential backoff with jitter, so that sessions that failed together do not retry
/// together. A wait that the provider asks for takes precedence.
#[derive(Debug)]
pub struct Backoff {
    policy: RetryPolicy,
    tries: u32,
    silences: u32,
    refused: u32,
    seed: u64,
}

impl Backoff {
    /// Creates the backoff of a request. The jitter is derived from `session`, so it is the same in every run.
    #[must_use]
    pub fn new(policy: RetryPolicy, session: &str) -> Self {
        Self { policy, tries: 1, silences: 0, refused: 0, seed: fnv(session) }
    }

    /// Returns the wait before the next attempt. `None` if a retry does not help, all attempts are used, or the
    /// provider asks for a wait beyond the policy's maximum.
    pub fn wait_after(&mut self, error: &ModelError) -> Option<Duration> {
        self.silences += u32::from(matches!(error, ModelError::Silent { .. }));
        if self.silences >= self.policy.silent_attempts {
            return None;
        }
        self.refused += u32::from(matches!(error, ModelError::NotRunning { .. }));
        if self.refused >= ATTEMPTS_WHERE_NOTHING_LISTENS {
            return None;
        }
        if !error.is_transient()
            || matches!(error, ModelError::NoRetry { .. })
            || self.tries >= self.policy.attempts
        {
            return None;
        }
        let longest = self.policy.longest_wait;
        let asked = error.retry_after_ms().map_or(Duration::ZERO, Duration::from_millis);
        if asked > longest {
            return None;
        }
        let doubled = self.policy.first_wait.saturating_mul(1 << (self.tries - 1).min(16)).min(longest);
        let wait = asked.max(doubled.saturating_sub(doubled / (4 * CHANCES) * self.chance()));
        self.tries += 1;
        Some(wait)
    }

    /// Jitter below [`CHANCES`]: the same for the same session and attempt.
    fn chance(&self) -> u32 {
        // The finalizer of SplitMix64, which spreads neighbours.
        let mut mixed = self.seed.wrapping_add(u64::from(self.tries).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed ^ (mixed >> 31)) % u64::from(CHANCES)).unwrap_or_default()
    }
}

/// Attempts of one request at an address of this machine where nothing listens: with waits of 1 and 2 s, a server that
/// restarts is found.
const ATTEMPTS_WHERE_NOTHING_LISTENS: u32 = 3;

const CHANCES: u32 = 1_000;

/// The 64-bit hash FNV-1a: the same on every machine.
fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests;
