//! Thresholds that fit their window.

use throughline_budget::{Threshold, Thresholds};

/// The wanted thresholds, where the window without the reserved output holds them; otherwise `instead`. The block
/// threshold stays at 98 %, or moves to the very end where the wanted thresholds reach further.
pub(crate) fn fitting(wanted: Thresholds, instead: Thresholds, window: u64, max_output: u64) -> Thresholds {
    let full = Thresholds { block: Threshold::PercentEffective(100.0), ..wanted };
    let fits = |thresholds: &Thresholds| thresholds.limits(window, max_output).is_ok();
    [wanted, full].into_iter().find(fits).unwrap_or(instead)
}
