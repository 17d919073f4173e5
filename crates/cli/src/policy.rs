//! Policies: which settings the engine runs with. The one place where numbers of several subsystems meet.

mod presets;

use std::time::Duration;

use clap::ValueEnum;
use throughline_agent::{Recount, RetryPolicy, Settings};
use throughline_budget::{Ladder, Threshold};
use throughline_compaction::{CompactionPolicy, Target};
use throughline_conversation::ForeignTools;
use throughline_deferral::DeferralPolicy;
use throughline_prompt::DynamicPlacement;
use throughline_resultstore::OffloadPolicy;

use crate::compose::Estimator;

/// Windows up to this many tokens are small.
const SMALL_WINDOW: u64 = 64_000;

/// A named policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    /// Cuts deep and seldom, best at a new user message; large results leave the window at once.
    Throughline,
    /// Warns at 80 % of the window; at 90 % removes tool responses by level, then keeps the last 10 messages.
    Dex,
    /// At 200,000 tokens puts everything behind one summary and the last request.
    Vibe,
    /// Note at 80 %, compact at 95 %, block at 98 %, store over 4096 bytes; clears, summarizes, drops.
    Rubichan,
    /// The last groups; results cut to 5000, 1000 and 300 characters by age.
    Slop,
    /// Compacts only when the window is full, and stores no result.
    Off,
}

impl Policy {
    /// Its name, as it is typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Throughline => "throughline",
            Self::Dex => "dex",
            Self::Vibe => "vibe",
            Self::Rubichan => "rubichan",
            Self::Slop => "slop",
            Self::Off => "off",
        }
    }

    /// The policy of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::value_variants().iter().copied().find(|policy| policy.name() == name)
    }

    /// How it counts tokens until a provider reports them, when it has a way of its own.
    pub(crate) fn estimator(self) -> Option<Estimator> {
        (self == Self::Dex).then_some(Estimator::Chars4)
    }

    /// Its settings for a window, with so many tokens kept for the answer.
    pub(crate) fn settings(self, window: u64, max_output_tokens: u64) -> Settings {
        let base = Settings {
            window: Some(window),
            max_output_tokens,
            ladder: Ladder::default(),
            // Measured on recorded sessions (`throughline replay --recall`): cutting where the old work is done
            // costs least. A small window fills too soon to cut it at two fifths already.
            opportune: Threshold::PercentEffective(if window <= SMALL_WINDOW { 60.0 } else { 40.0 }),
            offload: OffloadPolicy::for_window(window),
            deferral: DeferralPolicy::default(),
            // Deep and seldom: each cut makes the whole conversation cold, so it should last.
            compaction: CompactionPolicy {
                target: Target { fraction: 0.2, tokens: 8_000 },
                ..CompactionPolicy::default()
            },
            placement: DynamicPlacement::LastUser,
            parallel_tools: 4,
            max_requests: None,
            // Three minutes in all: a network that is gone for a while ends no work that nobody watches.
            retry: RetryPolicy {
                attempts: 9,
                first_wait: Duration::from_secs(1),
                longest_wait: Duration::from_secs(60),
            },
            foreign: ForeignTools::Digest,
            recount: Recount::Off,
        };
        match self {
            Self::Throughline => base,
            Self::Dex => presets::dex(base, window),
            Self::Vibe => presets::vibe(base, window),
            Self::Rubichan => presets::rubichan(base),
            Self::Slop => presets::slop(base),
            Self::Off => Settings {
                opportune: Threshold::Off,
                ladder: Ladder { compact: Threshold::Off, ..Ladder::default() },
                offload: presets::no_offload(),
                ..base
            },
        }
    }
}

#[cfg(test)]
mod tests;
