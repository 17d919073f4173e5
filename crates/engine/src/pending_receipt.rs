//! The part of the next receipt that is known before its request is built.

use throughline_conversation::{
    CompactionReceipt, Decision, Degradation, OffloadReceipt, PriceTerms, Receipt, RegretReceipt,
};

/// Decisions and effects since the last receipt. The next request's receipt takes them.
#[derive(Debug, Default)]
pub(crate) struct PendingReceipt {
    pub(crate) decisions: Vec<Decision>,
    pub(crate) degraded: Vec<Degradation>,
    pub(crate) offloaded: Vec<OffloadReceipt>,
    pub(crate) compaction: Option<CompactionReceipt>,
    pub(crate) price: Option<PriceTerms>,
    pub(crate) regret: Vec<RegretReceipt>,
}

impl PendingReceipt {
    /// Removes the texts that may quote a deleted turn, as [`purge`](throughline_groups::purge) does in the first receipt behind it.
    pub(crate) fn forget_texts(&mut self) {
        self.decisions.clear();
        self.degraded.clear();
        self.regret.iter_mut().for_each(RegretReceipt::forget_texts);
        if let Some(compaction) = &mut self.compaction {
            compaction.lost.clear();
        }
    }

    /// Restores what a receipt had taken whose request was not answered, and which is therefore not recorded.
    pub(crate) fn restore(&mut self, receipt: Receipt) {
        let Receipt { decisions, compaction, price, regret, offloaded, .. } = receipt;
        self.decisions.splice(0..0, decisions);
        self.regret.splice(0..0, regret);
        self.offloaded.splice(0..0, offloaded);
        self.compaction = self.compaction.take().or(compaction);
        self.price = self.price.take().or(price);
    }
}
