//! Figures of a usage report.

use serde_json::Value;
use throughline_conversation::whole_number;

/// The figure at this field of a report; 0 without one.
pub(crate) fn field(report: &Value, name: &str) -> u64 {
    report.get(name).and_then(whole_number).unwrap_or(0)
}
