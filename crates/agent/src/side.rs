//! Side requests: what a model is asked that is no message of the session.

use futures_util::StreamExt as _;
use throughline_compaction::RequestObserver as _;
use throughline_completion::{Assembly, CompletionRequest, EventStream, ModelError};
use throughline_conversation::{ModelUse, Purpose, SideAnswer, SideOutcome};
use throughline_engine::{SideEvents, TurnContext};

use crate::model_loop::ModelLoop;

/// Sends the request. Returns the text of the answer, `None` if it was stopped, and the usage.
pub(crate) async fn ask_side(
    agent: &ModelLoop,
    request: &CompletionRequest,
    purpose: Purpose,
    turn: &TurnContext<'_>,
) -> (Option<Result<String, ModelError>>, ModelUse) {
    let events = SideEvents::new(turn.sink);
    let cancel = turn.cancel;
    let mut used = ModelUse::of(agent.engine.model().origin());
    events.asked(agent.engine.described(purpose));
    let opened = tokio::select! {
        biased;
        () = cancel.cancelled() => return (None, used),
        opened = agent.model.stream(request) => opened,
    };
    let stream = match opened {
        Ok(stream) => stream,
        // A rejected request used nothing.
        Err(error) => {
            events.ended(SideAnswer::without_usage(SideOutcome::Failed(error.kind())));
            return (Some(Err(error)), used);
        }
    };
    let mut assembly = Assembly::default();
    let end = tokio::select! {
        biased;
        () = cancel.cancelled() => None,
        end = read(stream, &mut assembly) => Some(end),
    };
    let usage = assembly.usage();
    used.add_request(usage);
    let answer = end.map(|end| end.and_then(|()| assembly.finish()));
    let outcome = match &answer {
        None => SideOutcome::Stopped,
        Some(Err(error)) => SideOutcome::Failed(error.kind()),
        Some(Ok(answer)) => SideOutcome::Answered {
            stop: Some(answer.stop.name().to_owned()),
            identity: answer.details.identity.clone(),
        },
    };
    events.ended(SideAnswer { outcome, usage });
    (answer.map(|answer| answer.map(|answer| answer.message.text())), used)
}

async fn read(mut stream: EventStream, assembly: &mut Assembly) -> Result<(), ModelError> {
    while let Some(event) = stream.next().await {
        assembly.push(event?);
    }
    Ok(())
}
