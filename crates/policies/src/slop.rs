//! The policy `slop`: its thresholds and sizes.

use throughline_agent::Settings;
use throughline_budget::{Ladder, Threshold};
use throughline_compaction::{CompactionPolicy, Preset, Slop};

use crate::off::no_offload;

/// For a help text.
pub(crate) const SUMMARY: &str =
    "Shows the last groups, with results cut to 5000, 1000 and 300 characters by age";

/// No threshold of its own; the block at 98 % keeps one long group from filling the window.
pub(crate) fn settings(mut own: Settings) -> Settings {
    own.early = Threshold::Off;
    own.ladder =
        Ladder { notice: Threshold::Off, warn: Threshold::Off, compact: Threshold::Off, ..Ladder::default() };
    // A batch of cuts is made when it is due, not when it saves much.
    own.compaction = CompactionPolicy {
        preset: Preset::Slop(Slop::default()),
        minimum_gain: 0.0,
        ..CompactionPolicy::default()
    };
    own.offload = no_offload();
    own
}
