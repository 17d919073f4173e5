//! The settings that every policy starts from. Each changes what its design says.

use std::sync::Arc;
use std::time::Duration;

use throughline_budget::{Threshold, Thresholds};
use throughline_compaction::{CompactionPolicy, RollingChain, TargetSize};
use throughline_conversation::ForeignTools;
use throughline_deferral::DeferralPolicy;
use throughline_engine::{Recount, RecoveryPolicy, RetryPolicy, Settings};
use throughline_prompt::DynamicPlacement;
use throughline_resultstore::OffloadPolicy;

/// Windows up to this many tokens are small.
const SMALL_WINDOW: u64 = 64_000;

/// Requests in a row without progress after which a turn ends: a cycle of two calls is refused after twelve and ends after 15.
const STALLED_REQUESTS: u64 = 20;

/// The settings.
pub(crate) fn settings(window: u64, max_output_tokens: u64) -> Settings {
    Settings {
        window: Some(window),
        max_output_tokens,
        thresholds: Thresholds::default(),
        // Measured on recorded sessions (`throughline replay --recall`): compacting where the old work is done
        // costs least. A small window fills too soon to compact it at two fifths already.
        early: Threshold::PercentEffective(if window <= SMALL_WINDOW { 60.0 } else { 40.0 }),
        pricing: None,
        next_step: None,
        offload: OffloadPolicy::for_window(window),
        deferral: DeferralPolicy::default(),
        // Deep and seldom: each compaction makes the whole conversation cold, so it should last.
        compaction: CompactionPolicy {
            chain: Arc::new(RollingChain),
            target: TargetSize { fraction: 0.2, tokens: 8_000 },
            ..CompactionPolicy::default()
        },
        // As much as the user's own words may take of a summary.
        pin_share: 0.15,
        placement: DynamicPlacement::LastUser,
        parallel_tools: 4,
        max_requests: None,
        max_stalled_requests: Some(STALLED_REQUESTS),
        // Three minutes in all: a network that is down for a while ends no unattended work.
        retry: RetryPolicy {
            attempts: 9,
            silent_attempts: 2,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
        },
        foreign: ForeignTools::Digest,
        recount: Recount::Off,
        recovery: RecoveryPolicy { rebuild_attempts: 2, overflow_target: 0.5 },
    }
}
