//! Recording a compaction and showing its view.

use throughline_compaction::{CompactResult, Compacted, pays_back_after};
use throughline_conversation::{CompactionReceipt, EditReason, ModelUse};

use super::Compaction;
use crate::event::Event;

impl Compaction<'_> {
    pub(super) async fn swap(
        &mut self,
        compacted: Compacted,
        reason: EditReason,
        asked: Vec<ModelUse>,
    ) -> CompactResult {
        let Compacted { edit, view, result, degraded, notes, .. } = compacted;
        for line in notes {
            self.session.log_decision(self.turn, "compact", line, "what the compaction did");
        }
        for degradation in degraded {
            self.session.record_degradation(self.turn, degradation);
        }
        let before = self.size().used();
        self.session.follow_compactions(self.turn, self.frame.model.info.prices).await;
        let authors = edit.authors();
        self.session.show_compacted(edit, view);
        self.window.drop_anchor();
        let receipt = CompactionReceipt { authors, ..self.receipt(&result, reason, before, asked) };
        self.session.note_receipt(receipt.clone());
        self.turn.sink.emit(Event::Compacted(receipt));
        self.session.flush(self.turn).await;
        self.session.want_snapshot(result.really_reduced());
        self.session.save_snapshot_when_due(self.turn).await;
        result
    }

    /// The receipt of a compaction that is shown already. `before` are the used tokens before it.
    fn receipt(
        &self,
        result: &CompactResult,
        reason: EditReason,
        before: u64,
        asked: Vec<ModelUse>,
    ) -> CompactionReceipt {
        let after = self.size().used();
        let prices = self.frame.model.info.prices;
        let removed = before.saturating_sub(after);
        let rewritten = self.window.meter().from_raw(result.rewritten_tokens);
        CompactionReceipt {
            reason,
            before_tokens: before,
            after_tokens: after,
            before_messages: result.before_messages,
            after_messages: result.after_messages,
            strategies: result.strategies_run.clone(),
            rewritten_tokens: rewritten,
            pays_back_after: pays_back_after(removed, rewritten, prices.cache_read, prices.cache_write),
            authors: Vec::new(),
            asked,
        }
    }
}
