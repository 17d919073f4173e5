//! Asking the provider how large a request is.

use futures_util::StreamExt;
use throughline_completion::{Assembly, CompletionEvent, CompletionRequest, LanguageModel, ModelError};
use throughline_conversation::Usage;

use crate::Recount;
use crate::engine::{Engine, Wire};

/// Tokens of the answer that a probe asks for: as few as all providers take.
const PROBE_TOKENS: u64 = 16;

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
        None if how == Recount::Probe => probe(model, request).await,
        counted => Ok(counted),
    }
}

/// A real request, tools included, for hardly any answer; the provider's report of the prompt is the count.
async fn probe(model: &dyn LanguageModel, request: &CompletionRequest) -> Result<Option<u64>, ModelError> {
    let request = CompletionRequest { max_output_tokens: PROBE_TOKENS, ..request.clone() };
    let mut stream = model.stream(&request).await?;
    let mut usage = None;
    let mut assembly = Assembly::default();
    while let Some(event) = stream.next().await {
        let event = event?;
        if let CompletionEvent::Usage(reported) = &event {
            usage = Some(*reported);
        }
        assembly.push(event);
    }
    assembly.finish()?;
    Ok(usage.map(|usage| usage.prompt()).filter(|tokens| *tokens > 0))
}
