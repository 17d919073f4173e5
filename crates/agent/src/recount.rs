//! Asking the provider how large a request is.

use throughline_completion::{CompletionRequest, LanguageModel, ModelError, probe};
use throughline_conversation::Usage;

use crate::Recount;
use crate::engine::{Engine, Wire};

/// After a compaction, has the provider count what is about to be sent and takes its figure in place of the
/// estimate. One compaction is counted once. A provider that does not answer leaves the estimate as it is.
pub(crate) async fn after_compaction(
    engine: &mut Engine,
    wire: &Wire<'_>,
    request: &CompletionRequest,
    raw: u64,
) {
    let how = engine.parts.settings.recount;
    let epoch = engine.view.epoch();
    if how == Recount::Off || engine.counted_epoch == epoch {
        return;
    }
    engine.counted_epoch = epoch;
    let model = std::sync::Arc::clone(&engine.parts.model);
    let counted = tokio::select! {
        biased;
        () = wire.cancel.cancelled() => return,
        counted = count(model.as_ref(), request, how) => counted,
    };
    match counted {
        Ok(Some(tokens)) => {
            let before = engine.meter.from_raw(raw);
            engine.meter.anchor(raw, raw, &Usage { input: tokens, ..Usage::default() });
            let what = format!("the provider counts {tokens} tokens, the estimate was {before}");
            engine.decide("recount", what, "the view was compacted");
        }
        Ok(None) => {}
        Err(error) => engine.degrade(wire, "recount", "the estimate is used", &error),
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
