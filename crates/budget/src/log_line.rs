//! The log lines of reached thresholds.

/// The line for the warn threshold: how much of the whole window is in use.
#[must_use]
pub fn warn_line(used: u64, window: u64) -> String {
    format!("context at {}%, approaching limit", percent(used, window))
}

/// The line for the compact threshold, before a compaction: where in the whole window the threshold is.
#[must_use]
pub fn compact_line(compact_at: u64, window: u64) -> String {
    format!("context at {}%, triggering compaction", percent(compact_at, window))
}

/// In whole percent, rounded down.
fn percent(tokens: u64, window: u64) -> u64 {
    tokens.saturating_mul(100) / window.max(1)
}
