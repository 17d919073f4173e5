//! Compactions and pins in the figures that the screens show.

use throughline_compaction::{CompactResult, CompactionError};

use crate::compact_error::CompactError;

/// Why a compaction would change nothing, in the same tokens.
pub(crate) fn calibrated_reason(error: CompactionError, before: u64) -> CompactionError {
    match error {
        CompactionError::NothingToGain { before: raw, after } => {
            CompactionError::NothingToGain { before, after: calibrated(after, raw, before) }
        }
        other => other,
    }
}

/// The same for a compaction that the user asked for.
pub(crate) fn calibrated_refusal(error: CompactError, before: u64) -> CompactError {
    match error {
        CompactError::Compaction(error) => CompactError::Compaction(calibrated_reason(error, before)),
        other => other,
    }
}

/// The figures of a compaction in the tokens of the window's figures, in which the conversation has `before`.
pub(crate) fn calibrated_result(result: CompactResult, before: u64) -> CompactResult {
    let tokens = |raw: u64| calibrated(raw, result.before_tokens, before);
    CompactResult {
        before_tokens: before,
        after_tokens: tokens(result.after_tokens),
        rewritten_tokens: tokens(result.rewritten_tokens),
        ..result
    }
}

/// Tokens of a conversation, of which the counter finds `raw` and the window's figures show `shown`, in the latter.
fn calibrated(tokens: u64, raw: u64, shown: u64) -> u64 {
    (tokens as f64 * shown as f64 / raw.max(1) as f64).round() as u64
}
