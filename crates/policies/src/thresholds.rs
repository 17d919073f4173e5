//! Thresholds that fit their window.

use throughline_budget::{Threshold, Thresholds};

/// The wanted thresholds, where the window without the reserved output holds them; otherwise `instead`. The block
/// threshold stays at 98 %, or moves to the very end where the wanted thresholds reach further.
pub(crate) fn fitting(wanted: Thresholds, instead: Thresholds, window: u64, max_output: u64) -> Thresholds {
    let full = Thresholds { block: Threshold::PercentEffective(100.0), ..wanted };
    let fits = |thresholds: &Thresholds| thresholds.limits(window, max_output).is_ok();
    [wanted, full].into_iter().find(fits).unwrap_or(instead)
}

/// Warns at 75 % and compacts at 90 % of the whole window, or of the effective window where the window is too small: time to
/// hand over before a compaction.
#[must_use]
pub fn handoff_thresholds(window: u64, max_output: u64) -> Thresholds {
    percent_of_window(75.0, 90.0, window, max_output)
}

/// Thresholds in per cent of the whole window, or of the effective window where the window is too small for them.
pub(crate) fn percent_of_window(warn: f64, compact: f64, window: u64, max_output: u64) -> Thresholds {
    let of = |warn, compact| Thresholds { notice: Threshold::Off, warn, compact, ..Thresholds::default() };
    fitting(
        of(Threshold::PercentWindow(warn), Threshold::PercentWindow(compact)),
        of(Threshold::PercentEffective(warn), Threshold::PercentEffective(compact)),
        window,
        max_output,
    )
}
