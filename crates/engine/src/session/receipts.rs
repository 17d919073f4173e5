//! What the next receipt takes.

use throughline_compaction::NameLog;
use throughline_completion::RefusalDetails;
use throughline_conversation::{
    CompactionReceipt, Decision, Degradation, OffloadReceipt, PriceTerms, Receipt,
};

use super::Session;
use crate::pending_receipt::PendingReceipt;

impl Session {
    pub(crate) fn record_decision(&mut self, step: &str, what: impl Into<String>, why: impl Into<String>) {
        let decision = Decision { step: step.to_owned(), what: what.into(), why: why.into() };
        self.pending.decisions.push(decision);
    }

    pub(crate) fn note_offloaded(&mut self, receipts: impl IntoIterator<Item = OffloadReceipt>) {
        self.pending.offloaded.extend(receipts);
    }

    pub(crate) fn note_price(&mut self, price: Option<PriceTerms>) {
        self.pending.price = price;
    }

    pub(crate) fn note_receipt(&mut self, compaction: CompactionReceipt) {
        self.pending.compaction = Some(compaction);
    }

    /// Takes everything but the degradations: those up to the answer belong to the receipt, too.
    pub(crate) fn take_pending(&mut self) -> PendingReceipt {
        let degraded = self.take_degradations();
        let taken = std::mem::take(&mut self.pending);
        self.pending.degraded = degraded;
        taken
    }

    pub(crate) fn take_degradations(&mut self) -> Vec<Degradation> {
        std::mem::take(&mut self.pending.degraded)
    }

    /// Restores what a receipt had taken whose request was not answered, and which is therefore not recorded.
    pub(crate) fn restore_receipt(&mut self, receipt: Receipt) {
        self.pending.restore(receipt);
    }

    /// Removes what may quote a deleted turn from the next receipt.
    pub(crate) fn forget_receipt_texts(&mut self) {
        self.pending.forget_texts();
    }

    /// Notes what the provider said about its refusal of the current turn.
    pub(crate) fn note_refusal(&mut self, refusal: Option<RefusalDetails>) {
        self.refusal = refusal;
    }

    pub(crate) fn take_refusal(&mut self) -> Option<RefusalDetails> {
        self.refusal.take()
    }

    /// Counts the names of the messages in view for the next summary.
    pub(crate) fn note_names(&mut self) {
        self.names.note(self.view.entries());
    }

    /// The names of the session, with those in view, as a compaction would count them now.
    pub(crate) fn names_in_view(&self) -> NameLog {
        let mut names = self.names.clone();
        names.note(self.view.entries());
        names
    }

    /// Counts the names of a result that is shown in part.
    pub(crate) fn note_whole(&mut self, call_id: &str, text: &str) {
        self.names.note_whole(call_id, text);
    }
}
