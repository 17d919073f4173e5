//! The policy `rubichan`: its thresholds and sizes.

use throughline_agent::Settings;
use throughline_budget::Threshold;
use throughline_compaction::{CompactionPolicy, Preset, Rubichan};
use throughline_resultstore::OffloadPolicy;

/// For a help text.
pub(crate) const SUMMARY: &str =
    "Note at 80 %, compact at 95 %, block at 98 %; clears, summarizes, drops. Stores results over 4096 bytes";

/// The default thresholds: note at 80 %, compact at 95 %, block at 98 % of the effective window.
pub(crate) fn settings(mut own: Settings) -> Settings {
    own.early = Threshold::Off;
    own.offload = OffloadPolicy::seed();
    own.compaction =
        CompactionPolicy { preset: Preset::Rubichan(Rubichan::default()), ..CompactionPolicy::default() };
    own
}
