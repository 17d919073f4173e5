//! The provider's own count of a request, in place of the estimate.

use throughline_conversation::{ModelUse, Usage};

use crate::operation::Operation;
use crate::request_id::RequestId;
use crate::settings::Recount;
use crate::stage::Stage;

impl Operation<'_> {
    /// How the provider is asked for the size of the open request: once after each compaction, where the settings say so.
    #[must_use]
    pub fn due_count(&mut self) -> Recount {
        let engine = &mut *self.engine;
        let (how, epoch) = (engine.state.model.settings.recount, engine.state.session.view().epoch());
        if how == Recount::Off || !engine.state.window.note_counted(epoch) {
            return Recount::Off;
        }
        how
    }

    /// Takes the provider's count of the open request. `paid` is what asking for it has used, if it costs something. Returns
    /// the predicted usage of the request, corrected by the count; `None` if it is not open.
    pub fn counted(&mut self, id: RequestId, tokens: u64, paid: Option<Usage>) -> Option<Usage> {
        let engine = &mut *self.engine;
        let Stage::Asked(open) = &mut engine.stage else { return None };
        if open.id != id {
            return None;
        }
        if paid.is_some() {
            engine
                .state
                .session
                .record_usage(&self.turn, ModelUse::of_request(engine.state.model.origin(), paid));
        }
        let before = engine.state.window.meter().from_raw(open.raw);
        let usage = Usage { input: tokens, ..Usage::default() };
        engine.state.window.anchor(open.raw, 0, open.tail_tokens, &usage);
        let what = format!("the provider counts {tokens} tokens, the estimate was {before}");
        open.receipt.predicted = open.receipt.predicted.recounted(tokens);
        engine.state.session.record_decision("recount", what, "the view was compacted");
        Some(open.receipt.predicted)
    }

    /// Reports that the provider could not count: the estimate is used.
    pub fn not_counted(&mut self, error: &dyn std::error::Error) {
        self.engine.state.session.degrade(&self.turn, "recount", "the estimate is used", error);
    }
}
