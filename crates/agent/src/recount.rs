//! Asking the provider how large a request is.

use throughline_completion::{CompletionRequest, LanguageModel, ModelError, probe};
use throughline_conversation::Usage;

use crate::active_model::ActiveModel;
use crate::session::Session;
use crate::settings::Recount;
use crate::steps::Ready;
use crate::turn_context::TurnContext;
use crate::window::Window;

/// After a compaction, replaces the estimate by the provider's count of the request that is about to be sent, once per
/// compaction. The estimate stays if the provider does not answer.
pub(crate) async fn after_compaction(
    ready: &mut Ready,
    session: &mut Session,
    window: &mut Window,
    model: &ActiveModel,
    turn: &TurnContext<'_>,
) {
    let how = model.settings.recount;
    let epoch = session.view.epoch();
    if how == Recount::Off || window.counted_epoch == epoch {
        return;
    }
    window.counted_epoch = epoch;
    let counted = tokio::select! {
        biased;
        () = turn.cancel.cancelled() => return,
        counted = count(model.model.as_ref(), &ready.request, how) => counted,
    };
    match counted {
        Ok(Some(tokens)) => {
            let before = window.meter.from_raw(ready.raw);
            let usage = Usage { input: tokens, ..Usage::default() };
            window.anchor(ready.raw, 0, ready.tail_tokens, &usage);
            let what = format!("the provider counts {tokens} tokens, the estimate was {before}");
            ready.receipt.predicted = ready.receipt.predicted.recounted(tokens);
            session.record_decision("recount", what, "the view was compacted");
        }
        Ok(None) => {}
        Err(error) => session.degrade(turn, "recount", "the estimate is used", &error),
    }
}

async fn count(
    model: &dyn LanguageModel,
    request: &CompletionRequest,
    how: Recount,
) -> Result<Option<u64>, ModelError> {
    match model.count(request).await? {
        None if how == Recount::Probe => probe(model, request).await.map(Some),
        counted => Ok(counted),
    }
}
