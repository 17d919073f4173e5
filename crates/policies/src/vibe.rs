//! The policy `vibe`: its thresholds and sizes.

use throughline_agent::{Recount, Settings};
use throughline_budget::{Ladder, Threshold};
use throughline_compaction::{CompactionPolicy, Preset, Vibe};

use crate::off::no_offload;
use crate::thresholds::fitting;

/// For a help text.
pub(crate) const SUMMARY: &str =
    "Replaces the conversation by one summary and the last request at 200,000 tokens";

/// Compacts at 200,000 tokens, whatever the window, as long as it holds them.
pub(crate) fn settings(mut own: Settings, window: u64) -> Settings {
    let of = |compact| Ladder { notice: Threshold::Off, warn: Threshold::Off, compact, ..Ladder::default() };
    own.early = Threshold::Off;
    own.ladder =
        fitting(of(Threshold::Tokens(200_000)), of(Ladder::default().compact), window, own.max_output_tokens);
    // One summary of everything is worth its price however little it saves.
    own.compaction = CompactionPolicy {
        preset: Preset::Vibe(Vibe::default()),
        minimum_gain: 0.0,
        ..CompactionPolicy::default()
    };
    own.offload = no_offload();
    own.recount = Recount::Probe;
    own
}
