//! The policy `off`: compacts only when the window is full, and stores no result.

use throughline_budget::{Threshold, Thresholds};
use throughline_engine::Settings;
use throughline_resultstore::OffloadPolicy;

/// For a help text.
pub(crate) const SUMMARY: &str = "Compacts only when the window is full, and stores no result";

/// Changes the settings to this design.
pub(crate) fn settings(base: Settings) -> Settings {
    Settings {
        early: Threshold::Off,
        thresholds: Thresholds { compact: Threshold::Off, ..Thresholds::default() },
        offload: no_offload(),
        ..base
    }
}

/// Results stay in view, whatever their size.
pub(crate) fn no_offload() -> OffloadPolicy {
    OffloadPolicy { threshold_bytes: usize::MAX, ..OffloadPolicy::seed() }
}
