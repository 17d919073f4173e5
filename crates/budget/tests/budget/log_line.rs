//! What is logged at a threshold.

use throughline_budget::{compact_line, warn_line};

// S0-22
#[test]
fn the_warning_tells_per_cent_of_the_window() {
    assert_eq!(warn_line(160_000, 200_000), "context at 80%, approaching limit");
    assert_eq!(warn_line(179_999, 200_000), "context at 89%, approaching limit");
    assert_eq!(warn_line(5, 0), "context at 500%, approaching limit");
}

// S0-21
#[test]
fn the_compaction_tells_its_threshold() {
    assert_eq!(compact_line(180_000, 200_000), "context at 90%, triggering compaction");
    assert_eq!(compact_line(100_000, 200_000), "context at 50%, triggering compaction");
}
