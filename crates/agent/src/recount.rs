//! Asking the provider how large a request is.

use throughline_compaction::RequestObserver as _;
use throughline_completion::{CompletionRequest, ModelError, probe};
use throughline_conversation::{AnswerIdentity, ModelUse, Purpose, SideAnswer, SideOutcome, Usage};

use crate::active_model::ActiveModel;
use crate::session::Session;
use crate::settings::Recount;
use crate::side_events::SideEvents;
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
    let events = SideEvents::of(turn);
    let counted = tokio::select! {
        biased;
        () = turn.cancel.cancelled() => return,
        counted = count(model, &ready.request, how, &events) => counted,
    };
    match counted {
        Ok(Some(Counted { tokens, paid })) => {
            if paid.is_some() {
                session.record_usage(turn, ModelUse::of_request(model.origin(), paid));
            }
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

/// The provider's count of a request.
struct Counted {
    tokens: u64,
    /// What asking for it has used, if it costs something.
    paid: Option<Usage>,
}

async fn count(
    model: &ActiveModel,
    request: &CompletionRequest,
    how: Recount,
    events: &SideEvents<'_>,
) -> Result<Option<Counted>, ModelError> {
    events.asked(model.side_request(Purpose::Count));
    let counted = model.model.count(request).await;
    let outcome = match &counted {
        Ok(Some(_)) => SideOutcome::Answered { stop: None, identity: AnswerIdentity::default() },
        Ok(None) => SideOutcome::NotSent,
        Err(error) => SideOutcome::Failed(error.kind()),
    };
    events.ended(SideAnswer::without_usage(outcome));
    if counted.as_ref().is_ok_and(Option::is_none) && how == Recount::Probe {
        events.asked(model.side_request(Purpose::Probe));
        let probed = probe(model.model.as_ref(), request).await;
        let usage = probed.as_ref().ok().copied();
        let outcome = match &probed {
            // The answer is not read to its end.
            Ok(_) => SideOutcome::Stopped,
            Err(error) => SideOutcome::Failed(error.kind()),
        };
        events.ended(SideAnswer { outcome, usage });
        return probed.map(|usage| Some(Counted { tokens: usage.prompt(), paid: Some(usage) }));
    }
    counted.map(|tokens| tokens.map(|tokens| Counted { tokens, paid: None }))
}
