//! The thresholds and limits of the presets; what they do when a threshold is reached is in `compaction`.

use throughline_agent::{Recount, Settings};
use throughline_budget::{Ladder, Threshold};
use throughline_compaction::{CompactionPolicy, Dex, Preset, Rubichan, Slop, Vibe};
use throughline_resultstore::{OffloadPolicy, PreviewFormat};

/// Warns at 80 % and compacts at 90 % of the whole window: 160,000 and 180,000 tokens of 200,000.
pub(super) fn dex(mut own: Settings, window: u64) -> Settings {
    let of = |warn, compact| Ladder { notice: Threshold::Off, warn, compact, ..Ladder::default() };
    let (warn, compact) = (80.0, 90.0);
    own.opportune = Threshold::Off;
    own.ladder = guarded(
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
    own.compaction = preset(Preset::Dex(Dex::default()));
    own
}

/// Compacts at 200,000 tokens, whatever the window, as long as it holds them.
pub(super) fn vibe(mut own: Settings, window: u64) -> Settings {
    let of = |compact| Ladder { notice: Threshold::Off, warn: Threshold::Off, compact, ..Ladder::default() };
    own.opportune = Threshold::Off;
    own.ladder =
        guarded(of(Threshold::Tokens(200_000)), of(Ladder::default().compact), window, own.max_output_tokens);
    // One summary of everything is worth its price however little it saves.
    own.compaction = CompactionPolicy { minimum_gain: 0.0, ..preset(Preset::Vibe(Vibe::default())) };
    own.offload = no_offload();
    own.recount = Recount::Probe;
    own
}

/// Note at 80 %, compact at 95 %, block at 98 % of the effective window: the ladder of everybody.
pub(super) fn rubichan(mut own: Settings) -> Settings {
    own.opportune = Threshold::Off;
    own.offload = OffloadPolicy::seed();
    own.compaction = preset(Preset::Rubichan(Rubichan::default()));
    own
}

/// No threshold of its own; the block at 98 % keeps one long group from filling the window.
pub(super) fn slop(mut own: Settings) -> Settings {
    own.opportune = Threshold::Off;
    own.ladder =
        Ladder { notice: Threshold::Off, warn: Threshold::Off, compact: Threshold::Off, ..Ladder::default() };
    // A batch of cuts is made when it is due, not when it saves much.
    own.compaction = CompactionPolicy { minimum_gain: 0.0, ..preset(Preset::Slop(Slop::default())) };
    own.offload = no_offload();
    own
}

/// Results stay in view, whatever their size.
pub(super) fn no_offload() -> OffloadPolicy {
    OffloadPolicy { threshold_bytes: usize::MAX, ..OffloadPolicy::seed() }
}

fn preset(preset: Preset) -> CompactionPolicy {
    CompactionPolicy { preset, ..CompactionPolicy::default() }
}

/// The thresholds as they are wanted, where the window without the answer holds them; otherwise those instead. The
/// block is at 98 %, or at the very end where the wanted thresholds reach further.
fn guarded(wanted: Ladder, instead: Ladder, window: u64, max_output: u64) -> Ladder {
    let full = Ladder { block: Threshold::PercentEffective(100.0), ..wanted };
    let fits = |ladder: &Ladder| ladder.limits(window, max_output).is_ok();
    [wanted, full].into_iter().find(fits).unwrap_or(instead)
}
