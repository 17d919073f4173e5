//! Asking the provider how large a request is.

use throughline_compaction::RequestObserver as _;
use throughline_completion::{CompletionRequest, ModelError, probe};
use throughline_conversation::{AnswerIdentity, Purpose, SideAnswer, SideOutcome, Usage};
use throughline_engine::{PreparedRequest, Recount, SideEvents, TurnContext};

use crate::model_loop::ModelLoop;

/// After a compaction, replaces the estimate by the provider's count of the request that is about to be sent, once per
/// compaction. The estimate stays if the provider does not answer.
pub(crate) async fn count_when_due(
    agent: &mut ModelLoop,
    prepared: &mut PreparedRequest,
    turn: &TurnContext<'_>,
) {
    let how = agent.operation(turn).due_count();
    if how == Recount::Off {
        return;
    }
    let counted = tokio::select! {
        biased;
        () = turn.cancel.cancelled() => return,
        counted = count(agent, &prepared.request, how, turn) => counted,
    };
    let mut operation = agent.operation(turn);
    match counted {
        Ok(Some(Counted { tokens, paid })) => {
            if let Some(predicted) = operation.counted(prepared.id, tokens, paid) {
                prepared.predicted = predicted;
            }
        }
        Ok(None) => {}
        Err(error) => operation.not_counted(&error),
    }
}

/// The provider's count of a request.
struct Counted {
    tokens: u64,
    /// What asking for it has used, if it costs something.
    paid: Option<Usage>,
}

async fn count(
    agent: &mut ModelLoop,
    request: &CompletionRequest,
    how: Recount,
    turn: &TurnContext<'_>,
) -> Result<Option<Counted>, ModelError> {
    let events = SideEvents::new(turn.sink);
    let origin = agent.engine.model().origin();
    let counted = if agent.without_count.as_ref() == Some(&origin) {
        Ok(None)
    } else {
        events.asked(agent.engine.described(Purpose::Count));
        let counted = agent.model.count(request).await;
        let outcome = match &counted {
            Ok(Some(_)) => SideOutcome::Answered { stop: None, identity: AnswerIdentity::default() },
            Ok(None) => SideOutcome::NotSent,
            Err(error) => SideOutcome::Failed(error.kind()),
        };
        events.ended(SideAnswer::without_usage(outcome));
        match counted {
            // A gateway that passes requests on and has no such endpoint. If the request itself is at fault, the probe says so.
            Err(ModelError::InvalidRequest { .. } | ModelError::UnknownModel { .. })
                if how == Recount::Probe =>
            {
                agent.without_count = Some(origin);
                Ok(None)
            }
            counted => counted,
        }
    };
    if counted.as_ref().is_ok_and(Option::is_none) && how == Recount::Probe {
        events.asked(agent.engine.described(Purpose::Probe));
        let probed = probe(agent.model.as_ref(), request).await;
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
