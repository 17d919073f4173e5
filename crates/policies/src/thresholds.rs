//! Thresholds that fit their window.

use throughline_budget::{Ladder, Threshold};

/// The wanted thresholds, where the window without the reserved output holds them; otherwise `instead`. The block
/// threshold stays at 98 %, or moves to the very end where the wanted thresholds reach further.
pub(crate) fn fitting(wanted: Ladder, instead: Ladder, window: u64, max_output: u64) -> Ladder {
    let full = Ladder { block: Threshold::PercentEffective(100.0), ..wanted };
    let fits = |ladder: &Ladder| ladder.limits(window, max_output).is_ok();
    [wanted, full].into_iter().find(fits).unwrap_or(instead)
}
