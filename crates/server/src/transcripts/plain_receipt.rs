//! Receipts of requests that another agent has sent.

use throughline_audit::AuditedRequest;
use throughline_conversation::{CompactionReceipt, EditReason, Receipt, Seq, WindowFigures};

/// What a receipt says of a compaction that the strategy made.
pub(super) fn receipt_of(strategy: &str, before: u64, after: u64) -> CompactionReceipt {
    CompactionReceipt {
        strategies: vec![strategy.to_owned()],
        ..CompactionReceipt::new(EditReason::CompactThreshold, before, after)
    }
}

/// The receipt of a request, without what a file does not tell.
pub(super) fn plain_receipt(
    request: &AuditedRequest,
    number: u64,
    upto: Seq,
    window: WindowFigures,
    is_reported: bool,
) -> Receipt {
    Receipt {
        model: request.model.clone().unwrap_or_default(),
        predicted: request.usage,
        reported: is_reported.then_some(request.usage),
        ..Receipt::new(request.turn, number, upto, window)
    }
}
