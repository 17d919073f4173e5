//! The policy `dex`: its thresholds and sizes.

use throughline_agent::Settings;
use throughline_budget::{Ladder, Threshold};
use throughline_compaction::{CompactionPolicy, Dex, Preset};
use throughline_resultstore::{OffloadPolicy, PreviewFormat};

use crate::estimator::Estimator;
use crate::thresholds::fitting;

/// For a help text.
pub(crate) const SUMMARY: &str =
    "Warns at 80 % of the window; at 90 % removes tool responses by level, then keeps the last 10 messages";

/// A quarter of the bytes.
pub(crate) const ESTIMATOR: Estimator = Estimator::Chars4;

/// Warns at 80 % and compacts at 90 % of the whole window: 160,000 and 180,000 tokens of 200,000.
pub(crate) fn settings(mut own: Settings, window: u64) -> Settings {
    let of = |warn, compact| Ladder { notice: Threshold::Off, warn, compact, ..Ladder::default() };
    let (warn, compact) = (80.0, 90.0);
    own.early = Threshold::Off;
    own.ladder = fitting(
        of(Threshold::PercentWindow(warn), Threshold::PercentWindow(compact)),
        of(Threshold::PercentEffective(warn), Threshold::PercentEffective(compact)),
        window,
        own.max_output_tokens,
    );
    // Only what alone could fill a window leaves it at once, and its start stays.
    own.offload = OffloadPolicy {
        threshold_bytes: 200_000,
        head_bytes: 1_000,
        tail_bytes: 0,
        error_lines: 0,
        format: PreviewFormat::HeadTail,
    };
    own.compaction = CompactionPolicy { preset: Preset::Dex(Dex::default()), ..CompactionPolicy::default() };
    own
}
