//! Recording a compaction and showing its view.

use throughline_compaction::{CompactResult, Compacted};
use throughline_conversation::{CompactionReceipt, EditReason, ModelUse};
use throughline_ledger::lost_names;

use super::Compaction;
use crate::calibration::pays_back;
use crate::event::Event;

impl Compaction<'_> {
    /// Records a compaction and shows its view. Returns its figures as the screens show them.
    pub(super) async fn swap(
        &mut self,
        compacted: Compacted,
        reason: EditReason,
        asked: Vec<ModelUse>,
        blocked_ms: u64,
    ) -> CompactResult {
        let Compacted { edit, view, result, degraded, notes, .. } = compacted;
        for line in notes {
            self.session.log_decision(self.turn, "compact", line, "what the compaction did");
        }
        for degradation in degraded {
            self.session.record_degradation(self.turn, degradation);
        }
        let (before, shown) = (self.size().used(), self.shown_figures().result(&result));
        self.session.follow_compactions(self.turn, self.frame.model.info.prices).await;
        let (authors, trimmed) = (edit.authors(), edit.trimmed());
        let mut lost = lost_names(self.session.view().entries(), view.entries());
        let lost_count = lost.len() as u64;
        lost.truncate(CompactionReceipt::MOST_LOST);
        self.session.show_compacted(edit, view);
        self.session.forget_prepared(self.frame.model);
        self.window.drop_anchor();
        let receipt = CompactionReceipt {
            authors,
            trimmed,
            lost,
            lost_count,
            blocked_ms,
            ..self.receipt(&shown, reason, before, asked)
        };
        self.session.note_receipt(receipt.clone());
        self.turn.sink.emit(Event::Compacted(receipt));
        self.session.flush(self.turn).await;
        self.session.want_snapshot(result.really_reduced());
        self.session.save_snapshot_when_due(self.turn).await;
        shown
    }

    /// The receipt of a compaction that is shown already. `before` are the used tokens before it.
    fn receipt(
        &self,
        shown: &CompactResult,
        reason: EditReason,
        before: u64,
        asked: Vec<ModelUse>,
    ) -> CompactionReceipt {
        let after = self.size().used();
        CompactionReceipt {
            before_messages: shown.before_messages,
            after_messages: shown.after_messages,
            strategies: shown.strategies_run.clone(),
            rewritten_tokens: shown.rewritten_tokens,
            pays_back_after: pays_back(shown, self.frame.model.info.prices),
            pins: self.session.view().groups().pins().len() as u64,
            asked,
            ..CompactionReceipt::new(reason, before, after)
        }
    }
}
