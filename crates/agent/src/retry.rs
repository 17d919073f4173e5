//! How long to wait before a request is sent again.

use std::time::Duration;

use throughline_completion::ModelError;

use crate::RetryPolicy;

/// Waits of one request: doubling, each a little shorter than that by chance, so that those who failed together do not
/// come back together. The provider's own word is above all.
#[derive(Debug)]
pub(crate) struct Backoff {
    policy: RetryPolicy,
    tries: u32,
    silences: u32,
    seed: u64,
}

impl Backoff {
    /// The waits of a request; `whose` should differ from session to session.
    pub(crate) fn new(policy: RetryPolicy, whose: &str) -> Self {
        Self { policy, tries: 1, silences: 0, seed: fnv(whose) }
    }

    /// The wait before the next try after this error; `None`: trying again does not help, or not any more, or only later
    /// than it is worth waiting for.
    pub(crate) fn wait_after(&mut self, error: &ModelError) -> Option<Duration> {
        self.silences += u32::from(matches!(error, ModelError::Silent { .. }));
        if self.silences >= MOST_SILENCES {
            return None;
        }
        if !error.is_transient() || self.tries >= self.policy.attempts {
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

    /// Below [`CHANCES`]: the same for the same session and try.
    fn chance(&self) -> u32 {
        // The finalizer of SplitMix64, which spreads neighbours.
        let mut mixed = self.seed.wrapping_add(u64::from(self.tries).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed ^ (mixed >> 31)) % u64::from(CHANCES)).unwrap_or_default()
    }
}

const CHANCES: u32 = 1_000;

/// Tries of one request that may end in silence. Each takes minutes, and the provider may have worked all the while.
const MOST_SILENCES: u32 = 2;

/// The 64-bit hash FNV-1a: the same on every machine.
fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests;
