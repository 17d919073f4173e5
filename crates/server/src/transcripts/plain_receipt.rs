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
        turn: request.turn,
        request: number,
        upto,
        epoch: 0,
        model: request.model.clone().unwrap_or_default(),
        window,
        pressure: String::new(),
        decisions: Vec::new(),
        compaction: None,
        certificate: None,
        price: None,
        regret: Vec::new(),
        offloaded: Vec::new(),
        tools_active: 0,
        tools_deferred: 0,
        breakpoints: Vec::new(),
        tail: Vec::new(),
        system_tail: false,
        predicted: request.usage,
        cache: None,
        reported: is_reported.then_some(request.usage),
        diagnosis: None,
        window_prompt: None,
        short_report: false,
        searches: Vec::new(),
        cited: Vec::new(),
        stop: String::new(),
        degraded: Vec::new(),
    }
}
